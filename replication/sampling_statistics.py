"""Means, deviations, the paired t-test and Holm's correction, with the standard library
only."""
import math
import statistics


def mean(values):
    return statistics.fmean(values)


def deviation(values):
    return statistics.stdev(values) if len(values) > 1 else 0.0


def error_reduction(error, baseline_error):
    """Returns the share of the baseline's errors that is avoided."""
    return 1 - error / baseline_error if baseline_error > 0 else 0.0


def holm(p_values):
    """Returns the p-values of one family of tests, corrected by Holm's method."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, most = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        most = max(most, min(1.0, (len(p_values) - rank) * p_values[i]))
        corrected[i] = most
    return corrected


def paired_t(differences):
    """Returns the two-sided p-value for the hypothesis that the mean difference is 0."""
    if len(differences) < 2:
        return 1.0
    spread = deviation(differences)
    if spread == 0:
        return 1.0 if mean(differences) == 0 else 0.0
    t = mean(differences) / (spread / math.sqrt(len(differences)))
    freedom = len(differences) - 1
    return _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def _incomplete_beta(a, b, x):
    """Returns I_x(a, b), by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1) / (a + b + 2):  # use the symmetry where it converges faster
        return 1 - _incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x)
                     + b * math.log1p(-x)) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 200):
        for term in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                     -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / (1 + term * d)
            c = 1 + term / c
            value *= c * d
        if abs(c * d - 1) < 1e-12:
            break
    return front * value

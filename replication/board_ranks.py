"""Ranks of several systems over several pairs: Friedman, Nemenyi and a diagram (Demšar 2006)."""
import math

from sampling_statistics import mean

# The studentised range at .05 for infinite degrees of freedom, divided by the root of 2, for
# 2, 3, ... systems (Demšar 2006, table 5).
CRITICAL = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164, 3.219, 3.268]


def ranks(values):
    """Returns the rank of each value, 1 for the largest; equal values share their mean rank."""
    order = sorted(range(len(values)), key=lambda i: -values[i])
    result = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for i in order[at:end]:
            result[i] = (at + 1 + end) / 2
        at = end
    return result


def mean_ranks(table):
    """`table`: one list of scores for each pair. Returns the mean rank of each column."""
    return [mean(column) for column in zip(*map(ranks, table))]


def friedman(table):
    """Returns (chi-square, p): are all columns equally good? Without a correction for ties."""
    n, k = len(table), len(table[0])
    if n < 2 or k < 2:
        return 0.0, 1.0
    middle = (k + 1) / 2
    statistic = 12 * n / (k * (k + 1)) * sum((r - middle) ** 2 for r in mean_ranks(table))
    return statistic, chi_square_tail(statistic, k - 1)


def critical_difference(systems, pairs):
    """Mean ranks that differ by more than this differ significantly (Nemenyi, .05)."""
    return CRITICAL[systems - 2] * math.sqrt(systems * (systems + 1) / (6 * pairs))


def chi_square_tail(x, freedom):
    """P(X > x): the regularised upper incomplete gamma function of freedom / 2 and x / 2."""
    a, x = freedom / 2, x / 2
    if x <= 0:
        return 1.0
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    if x < a + 1:  # the series of the lower function
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - front * total)
    b = x + 1 - a  # the continued fraction of the upper one (Lentz's method)
    c, d = 1e300, 1 / b
    value = d
    for i in range(1, 1000):
        term = -i * (i - a)
        b += 2
        d = 1 / (term * d + b)
        c = b + term / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return front * value


def groups(sorted_ranks, difference):
    """Returns (first, last) of the longest runs of ranks that cannot be told apart."""
    runs = []
    for first in range(len(sorted_ranks)):
        last = max(i for i, r in enumerate(sorted_ranks) if r - sorted_ranks[first] <= difference)
        if last > first and not (runs and runs[-1][1] >= last):
            runs.append((first, last))
    return runs


WIDTH, LEFT, RIGHT, LINE = 700, 130, 130, 18


def diagram(names, mean_rank, difference):
    """The critical-difference diagram as SVG: systems that a bar joins cannot be told apart."""
    order = sorted(range(len(names)), key=lambda i: mean_rank[i])
    low, high = 1, len(names)
    half = (len(names) + 1) // 2

    def across(rank):
        return LEFT + (WIDTH - LEFT - RIGHT) * (rank - low) / max(1, high - low)
    bars = groups([mean_rank[i] for i in order], difference)
    top = 62
    below = top + 14 + 9 * len(bars)
    height = below + LINE * half + 14
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
             f'<path d="M{across(low):.1f} {top}H{across(high):.1f}" stroke="#000000"/>']
    for rank in range(low, high + 1):
        parts.append(f'<path d="M{across(rank):.1f} {top - 5}V{top}" stroke="#000000"/>'
                     f'<text x="{across(rank):.1f}" y="{top - 9}" text-anchor="middle">{rank}'
                     '</text>')
    end = min(across(low) + across(low + difference) - across(low), WIDTH - 8)
    parts.append(f'<path d="M{across(low):.1f} 30H{end:.1f}M{across(low):.1f} 25V35M{end:.1f} '
                 '25V35" stroke="#aa3377" fill="none"/>'
                 f'<text x="{(across(low) + end) / 2:.1f}" y="20" text-anchor="middle" '
                 f'fill="#aa3377">critical difference {difference:.2f}</text>')
    for place, (first, last) in enumerate(bars):
        y = top + 10 + 9 * place
        parts.append(f'<path d="M{across(mean_rank[order[first]]) - 4:.1f} {y}'
                     f'H{across(mean_rank[order[last]]) + 4:.1f}" stroke="#4477aa" '
                     'stroke-width="4"/>')
    for place, i in enumerate(order):
        left = place < half
        y = below + LINE * (place if left else len(order) - 1 - place) + 10
        x = across(mean_rank[i])
        side, anchor = (LEFT - 12, "end") if left else (WIDTH - RIGHT + 12, "start")
        parts.append(f'<path d="M{x:.1f} {top}V{y}H{side}" stroke="#777777" fill="none"/>'
                     f'<text x="{side + (-4 if left else 4)}" y="{y + 4}" '
                     f'text-anchor="{anchor}">{names[i]} {mean_rank[i]:.2f}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"

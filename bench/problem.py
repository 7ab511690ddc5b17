"""The benchmark's problem as arrays, and the objective that all programs are measured by.

The objective is the negative log posterior of multinomial logistic regression with a
Gaussian prior of variance 1 on every weight, bias included:

    sum_n [log sum_y exp(w_y . x_n) - w_{y_n} . x_n]  +  |w|^2 / 2
"""
import pathlib
import re

import numpy as np
from scipy.sparse import csr_matrix


def load(path):
    """Returns (rows as a CSR matrix, labels from 0) of a .libsvm file whose values are all 1.

    The arrays are cached next to the file as .npz, since parsing takes longer than most fits.
    """
    path = pathlib.Path(path)
    cache = path.with_suffix(".arrays.npz")
    if not cache.exists():
        text = path.read_bytes()
        rows = text.count(b"\n")
        numbers = np.fromstring(re.sub(rb":1\b", b"", text).replace(b"\n", b" 0 "), dtype=np.int64,
                                sep=" ")
        ends = np.flatnonzero(numbers == 0)  # ids and labels start at 1, so 0 ends a row
        starts = np.concatenate(([0], ends[:-1] + 1))
        label = numbers[starts] - 1
        is_feature = numbers != 0
        is_feature[starts] = False
        begin = np.concatenate(([0], np.cumsum(ends - starts - 1)))
        np.savez(cache, begin=begin, feature=numbers[is_feature] - 1, label=label, rows=rows)
    arrays = np.load(cache)
    begin, feature = arrays["begin"], arrays["feature"]
    ones = np.ones(len(feature))
    return csr_matrix((ones, feature, begin)), arrays["label"]


def log_probabilities(rows, weights):
    """Returns log p(y | x), [N][Y]; features without weights are ignored."""
    known = min(rows.shape[1], len(weights))
    scores = rows[:, :known] @ weights[:known]
    scores -= scores.max(axis=1, keepdims=True)
    return scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))


def objective(rows, label, weights):
    """`weights` is [F][Y]."""
    log_p = log_probabilities(rows, weights)
    return -log_p[np.arange(len(label)), label].sum() + 0.5 * np.square(weights).sum()


def held_out(rows, label, weights):
    log_p = log_probabilities(rows, weights)
    return {
        "accuracy": float((log_p.argmax(axis=1) == label).mean()),
        "log_loss": float(-log_p[np.arange(len(label)), label].mean()),
    }

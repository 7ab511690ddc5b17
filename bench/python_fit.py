#!/usr/bin/env python3
"""Fits MixClassifier to the benchmark's problem and prints JSON, as sklearn_fit.py does.

    python_fit.py FOLDER
"""
import json
import statistics
import sys
import time

import numpy as np
import problem
from scipy import sparse

from measure import CLOSE_ENOUGH
from megadapt import MixClassifier

PREDICTIONS = 5

folder = sys.argv[1]
rows, label = problem.load(f"{folder}/train.libsvm")
model = MixClassifier(variance=1, bias=False, tolerance=CLOSE_ENOUGH)
start = time.perf_counter()
model.fit(rows, label)
seconds = time.perf_counter() - start

test, gold = problem.load(f"{folder}/test.libsvm")
test.resize(test.shape[0], rows.shape[1])
predict_seconds = []
for _ in range(PREDICTIONS):
    # Use a new matrix each time, because SciPy caches what it finds out about a matrix.
    fresh = sparse.csr_matrix((test.data, test.indices, test.indptr), shape=test.shape)
    probability = None  # free its memory, so that each prediction allocates its own
    start = time.perf_counter()
    probability = model.predict_proba(fresh)
    predict_seconds.append(time.perf_counter() - start)
print(json.dumps({
    "seconds": seconds,
    "objective": model.objective_,
    "predict_rows_per_second": len(gold) / statistics.median(predict_seconds),
    "accuracy": float((probability.argmax(axis=1) == gold).mean()),
    "log_loss": float(-np.log(probability[np.arange(len(gold)), gold]).mean()),
}))

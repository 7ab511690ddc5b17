#!/usr/bin/python3
"""Fits scikit-learn's multinomial model to the benchmark's problem and prints JSON.

    sklearn_fit.py FOLDER SOLVER TOL

`seconds` is the time of fit() only, from arrays in memory: reading and storing, which count
for the other programs, are not included.
"""
import json
import sys
import time

from sklearn.linear_model import LogisticRegression

import problem

folder, solver, tolerance = sys.argv[1], sys.argv[2], float(sys.argv[3])
rows, label = problem.load(f"{folder}/train.libsvm")
model = LogisticRegression(solver=solver, multi_class="multinomial", C=1, fit_intercept=False,
                           tol=tolerance, max_iter=1000)
start = time.perf_counter()
model.fit(rows, label)
seconds = time.perf_counter() - start
weights = model.coef_.T
print(json.dumps({
    "seconds": seconds,
    "iterations": int(model.n_iter_[0]),
    "objective": float(problem.objective(rows, label, weights)),
    **problem.held_out(*problem.load(f"{folder}/test.libsvm"), weights),
}))

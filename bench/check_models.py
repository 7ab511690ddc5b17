#!/usr/bin/python3
"""Prints as JSON, for each exported megadapt model, the objective on FOLDER's training rows
and the scores on its test rows, computed here from the weights only.

    check_models.py FOLDER MODEL.txt...
"""
import json
import sys

import numpy as np

import problem


def block(lines, kind):
    """Returns (header words, lines) of the first block whose header begins with `kind`."""
    for at, line in enumerate(lines):
        if line.startswith(kind):
            words = line.split()
            return words, lines[at + 1:at + 1 + int(words[-1])]
    sys.exit(f"error: the exported model has no block that begins with '{kind}'")


def read_weights(path):
    """Returns [F][Y], indexed by the numbers in the names: feature f17 is 17, label c2 is 2."""
    with open(path) as file:
        lines = file.read().split("\n")
    feature = [int(name[1:]) for name in block(lines, "index features ")[1]]
    label = [int(name[1:]) for name in block(lines, "names labels ")[1]]
    header, rows = block(lines, "section predictor/weights ")
    values = np.array(" ".join(rows).split(), dtype=np.float64).reshape(len(rows), int(header[3]))
    weights = np.zeros((max(feature) + 1, len(label)))
    weights[np.ix_(feature, label)] = values[:, :len(label)]  # rows are padded
    return weights


def main():
    folder, models = sys.argv[1], sys.argv[2:]
    train = problem.load(f"{folder}/train.libsvm")
    test = problem.load(f"{folder}/test.libsvm")
    found = {}
    for path in models:
        weights = read_weights(path)
        found[path] = {"objective": float(problem.objective(*train, weights)),
                       **problem.held_out(*test, weights)}
    print(json.dumps(found))


main()

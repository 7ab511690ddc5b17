#!/usr/bin/python3
"""Writes sparse binary multi-class data with a planted linear model, for bench/run.

    gen.py synth --out DIR --n 100000 --features 200000 --active 25 --classes 6 --seed 1

writes train and test to DIR, each as .text (label name name ...) and .libsvm. Feature 0 is
in every row: a bias that all peers regularise in the same way. The other features of a row
have log-uniform ranks, so that, as with words, a few are very frequent and most are rare. The
label is drawn from the softmax of the planted scores. Rows are made in blocks, so memory does
not grow with --n.
"""
import argparse
import json
import pathlib

import numpy as np

BLOCK = 20_000
STRENGTH = 1.0  # standard deviation of a planted weight
SILENT = 0.6  # share of features without influence


def planted_weights(rng, features, classes):
    weights = rng.normal(0, STRENGTH, (features, classes)).astype(np.float32)
    weights[rng.random(features) < SILENT] = 0
    weights[0] = np.linspace(1, -1, classes)  # uneven classes
    return weights


def draw_rows(rng, count, features, active):
    """Returns `count` sorted arrays of distinct feature ids, each beginning with 0."""
    lengths = 1 + rng.poisson(active - 2, count)
    ranks = np.exp(rng.random(lengths.sum()) * np.log(features)).astype(np.int64)
    pieces = np.split(np.minimum(ranks, features - 1), np.cumsum(lengths)[:-1])
    return [np.concatenate(([0], np.unique(piece))) for piece in pieces]


def draw_label(rng, weights, row):
    scores = weights[row].sum(axis=0)
    return int(np.argmax(scores + rng.gumbel(size=scores.size)))


def write_part(rng, weights, args, folder, part, count):
    names = [f" f{i}" for i in range(args.features)]
    pairs = [f" {i + 1}:1" for i in range(args.features)]
    with open(folder / f"{part}.text", "w") as text, open(folder / f"{part}.libsvm", "w") as svm:
        for start in range(0, count, BLOCK):
            for row in draw_rows(rng, min(BLOCK, count - start), args.features, args.active):
                label = draw_label(rng, weights, row)
                ids = row.tolist()
                text.write(f"c{label}" + "".join([names[i] for i in ids]) + "\n")
                svm.write(f"{label + 1}" + "".join([pairs[i] for i in ids]) + "\n")


def synth(args):
    folder = pathlib.Path(args.out)
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(args.seed)
    weights = planted_weights(rng, args.features, args.classes)
    write_part(rng, weights, args, folder, "train", args.n)
    write_part(rng, weights, args, folder, "test", args.test)
    (folder / "meta.json").write_text(json.dumps(vars(args), indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description="sparse data with a planted model")
    parser.add_argument("kind", choices=["synth"])
    parser.add_argument("--out", required=True)
    parser.add_argument("--n", type=int, default=100_000, help="training rows")
    parser.add_argument("--test", type=int, default=20_000, help="test rows")
    parser.add_argument("--features", type=int, default=200_000)
    parser.add_argument("--active", type=int, default=25, help="mean features per row")
    parser.add_argument("--classes", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    synth(parser.parse_args())


main()

#!/usr/bin/env python3
"""Writes a small made-up adaptation task: book reviews are many, phone reviews few.

    made_up_reviews.py FOLDER [--seed 1]

writes FOLDER/books.train.txt, phones.train.txt and phones.test.txt, one review per line:
its label, good or bad, and the words it contains. Most opinion words mean the same in both
domains, a fifth of them mean the opposite, and each domain has words of its own.
"""
import argparse
import math
import pathlib
import random

SHARED, OWN, NEUTRAL = 200, 100, 2000
ROWS = {("books", "train"): 8000, ("phones", "train"): 400, ("phones", "test"): 4000}


def opinions(rng):
    """The weight of every opinion word towards `good`, by domain."""
    books = {f"w{i}": rng.gauss(0, 1) for i in range(SHARED)}
    phones = {w: -v if rng.random() < 0.2 else v for w, v in books.items()}
    books |= {f"book{i}": rng.gauss(0, 1) for i in range(OWN)}
    phones |= {f"phone{i}": rng.gauss(0, 1) for i in range(OWN)}
    return {"books": books, "phones": phones}


def review(rng, weight, words):
    chosen = set(rng.sample(words, 12))
    chosen |= {f"n{int(NEUTRAL * rng.random() ** 3)}" for _ in range(15)}
    score = sum(weight.get(w, 0) for w in chosen)
    good = rng.random() < 1 / (1 + math.exp(-1.5 * score))
    return ("good" if good else "bad"), sorted(chosen)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    rng = random.Random(args.seed)
    weights = opinions(rng)
    for (domain, part), rows in ROWS.items():
        words = sorted(weights[domain])
        with open(args.folder / f"{domain}.{part}.txt", "w") as out:
            for _ in range(rows):
                label, features = review(rng, weights[domain], words)
                print(label, *features, file=out)


main()

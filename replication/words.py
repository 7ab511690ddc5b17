"""Measures how much classes of words help and writes the table of docs/words.md.

Every task is trained by Mix without classes, with classes of vectors (`data fetch vectors-en`)
and with classes of raw text: the source text of recapitalisation and the target's own training
sentences. Nothing is chosen on the test files.
"""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

from figures_page import write_figures

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEGADAPT = str(ROOT / "build" / "release" / "megadapt")
PAGE = ROOT / "docs" / "words.md"

#: Name, folder, options, and the score by which the task is known.
TASKS = [
    ("parts of speech", "pos", ["--task", "pos"], "accuracy"),
    ("mention tagging", "mention-tagging", ["--task", "mention"], "f1"),
]


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/replicate --words", description=__doc__)
    parser.add_argument("--words", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared" / "data",
                        metavar="DIR", help="the tasks' files, laid out like ../shared/data")
    parser.add_argument("--vectors", metavar="FILE", help="a table instead of vectors-en")
    return parser.parse_args()


def run(*command):
    """Runs megadapt; returns its output and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([MEGADAPT, *command], check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, seconds


def measured(verb, folder, options, words, model):
    """Trains or tunes on out.train and in.train and tests on in.test."""
    rows = ["--domain", f"out={folder / 'out.train.conll.gz'}", "--domain",
            f"in={folder / 'in.train.conll.gz'}", "--target", "in"]
    _, seconds = run(verb, "--system", "mix", *options, *words, *rows, "-o", model, "-q")
    found = json.loads(run("eval", model, folder / "in.test.conll.gz", "--json", "-q")[0])
    return {name: found[name] for name in ("accuracy", "f1", "log_loss")} | {"seconds": seconds}


def vectors_file(given):
    if given:
        return given
    folder = run("data", "fetch", "vectors-en")[0].strip()
    return str(pathlib.Path(folder) / "vectors.bin")


def table(results):
    lines = ["Mix, tested on in.test, with default settings and with settings that `tune` found by folds of "
             "the training data. Log loss in nats a token; time is processor time of training with "
             "default settings, with the classes of vectors made anew.", "",
             "| task | classes | score % | log loss | time | tuned: score % | log loss |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for task, score, rows in results:
        plain = rows["none"]["train"]["seconds"]
        for name, row in rows.items():
            trained, tuned = row["train"], row["tune"]
            lines.append(f"| {task} ({score}) | {name} | {100 * trained[score]:.2f} | "
                         f"{trained['log_loss']:.4f} | {trained['seconds'] / plain:.2f} x | "
                         f"{100 * tuned[score]:.2f} | {tuned['log_loss']:.4f} |")
    return "\n".join(lines)


def main():
    args = arguments()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data}: there is no such folder\n"
                 "fix: give the folder of the tasks' files with --data DIR")
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        model = str(pathlib.Path(scratch) / "m.mega")
        vectors = vectors_file(args.vectors)
        for task, name, options, score in TASKS:
            folder = args.data / name
            classes = str(pathlib.Path(scratch) / f"{name}.tsv")
            run("words", "cluster", args.data / "recap" / "out.train.txt.gz",
                folder / "in.train.conll.gz", "-o", classes, "-q")
            kinds = {"none": [], "vectors": ["--word-vectors", vectors],
                     "own text": ["--word-classes", classes]}
            results.append((task, score, {
                kind: {verb: measured(verb, folder, options, words, model)
                       for verb in ("train", "tune")} for kind, words in kinds.items()}))
            print(table(results), file=sys.stderr)
    write_figures(PAGE, table(results))


if __name__ == "__main__":
    main()

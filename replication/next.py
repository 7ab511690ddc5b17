"""Simulates labelling in the order of `megadapt next` and at random; writes docs/next.md's table.

The target's rows of both files, training and test, are one set. Each simulation holds out a
fifth of it for testing and labels rows of the rest; their labels are hidden until a row is
chosen. The settings are those of `train`: tuning would need labels that nobody has yet.
"""
import argparse
import gzip
import itertools
import json
import pathlib
import random
import resource
import subprocess
import sys
import tempfile

from figures_page import write_figures

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEGADAPT = str(ROOT / "build" / "release" / "megadapt")
PAGE = ROOT / "docs" / "next.md"

#: Name, folder, ending of the files, and options.
TASKS = [
    ("sentiment", "sentiment", "txt", []),
    ("mention type", "mention-type", "jsonl", ["--task", "mention-type"]),
]
#: What is tuned: nothing, or variances on all rows that may be labelled.
TUNING = {"none": "no", "once": "with all labels"}


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/replicate --next", description=__doc__)
    parser.add_argument("--next", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared" / "data",
                        metavar="DIR", help="the tasks' files, laid out like ../shared/data")
    parser.add_argument("--system", default="prior", help="the system that is trained")
    parser.add_argument("--repeats", type=int, default=10, help="simulations of each task")
    return parser.parse_args()


def joined(folder, ending, scratch):
    """Writes the target's rows of both files into one, and returns its path."""
    path = pathlib.Path(scratch) / f"{folder.name}.{ending}"
    with open(path, "wb") as out:
        for part in ("train", "test"):
            with gzip.open(folder / f"in.{part}.{ending}.gz") as rows:
                out.write(rows.read())
    return path


def measured(*command):
    """Runs megadapt; returns its output and its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([MEGADAPT, *command], check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def simulated(folder, ending, options, tuning, args, scratch):
    """Returns the result of `curve --strategy next` and its processor seconds."""
    printed, seconds = measured(
        "curve", *options, "--domain", f"out={folder / f'out.train.{ending}.gz'}",
        "--domain", f"in={joined(folder, ending, scratch)}", "--target", "in", "--systems",
        args.system, "--strategy", "next", "--repeats", str(args.repeats), "--tune", tuning,
        "--json", "--quiet")
    return json.loads(printed)["strategies"][0] | {"seconds": seconds}


def made_up_texts(count):
    """Yields labels and texts of 20 to 120 words, as frequent as words in real text are."""
    draw = random.Random(1)
    words = [f"w{i}" for i in range(30000)]
    sums = list(itertools.accumulate(1 / (i + 1) for i in range(len(words))))
    for _ in range(count):
        label = draw.choice(("good", "bad"))
        text = draw.choices(words, cum_weights=sums, k=draw.randint(20, 120))
        yield label, " ".join(text + draw.choices([f"{label}{i}" for i in range(3)], k=2))


def timing(scratch):
    """Returns lines that say how long `next` takes on 100 000 texts."""
    train, pool, model = (str(pathlib.Path(scratch) / name)
                          for name in ("train.csv", "pool.txt", "m.mega"))
    with open(train, "w", encoding="utf-8") as file:
        file.write("label,text\n" + "".join(f"{y},{x}\n" for y, x in made_up_texts(2000)))
    with open(pool, "w", encoding="utf-8") as file:
        file.writelines(f"{text}\n" for _, text in made_up_texts(100000))
    measured("train", "-s", "mix", "-d", f"in={train}", "-o", model, "-q")
    lines = ["", "Processor time of `next` on 100 000 made-up texts of 72 words on average:", "",
             "| budget | time, s |", "| ---: | ---: |"]
    for budget in ("100", "1000", "10000"):
        _, seconds = measured("next", model, pool, "--budget", budget, "-q")
        lines.append(f"| {budget} | {seconds:.1f} |")
    return lines


def labels_table(results, args):
    lines = [f"Labels that `next` needs for the accuracy of the random order, `{args.system}`, "
             f"{args.repeats} simulations, with 95% intervals:", "",
             "| task | tuned | labels, random | accuracy % | labels, next | share % | time, s |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    for task, tuning, run in results:
        low, high = (f"{100 * bound:.0f}" for bound in run["interval"])
        lines.append(f"| {task} | {TUNING[tuning]} | {run['labels']:.0f} | "
                     f"{100 * run['accuracy']:.1f} | {run['share'] * run['labels']:.0f} | "
                     f"{100 * run['share']:.0f} [{low}, {high}] | {run['seconds']:.0f} |")
    return lines


def accuracy_table(results):
    lines = []
    for task, tuning, run in results:
        if tuning != "none":
            continue
        lines += ["", f"Accuracy on {task}, %, without tuning:", "",
                  "| labels | random | next |", "| ---: | ---: | ---: |"]
        for plain, chosen in zip(run["random"], run["next"]):
            lines.append(f"| {plain['examples']:.0f} | {100 * plain['mean']:.1f} | "
                         f"{100 * chosen['mean']:.1f} |")
    return lines


def page_text(results, args):
    return "\n".join(labels_table(results, args) + accuracy_table(results))


def main():
    args = arguments()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data}: there is no such folder\n"
                 "fix: give the folder of the tasks' files with --data DIR")
    results = []
    with tempfile.TemporaryDirectory() as scratch:
        for task, name, ending, options in TASKS:
            for tuning in TUNING:
                run = simulated(args.data / name, ending, options, tuning, args, scratch)
                results.append((task, tuning, run))
                print(page_text(results, args), file=sys.stderr)
        times = timing(scratch)
    write_figures(PAGE, "\n".join([page_text(results, args), *times]))


if __name__ == "__main__":
    main()

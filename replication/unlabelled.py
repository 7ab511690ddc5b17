"""Measures how much unlabelled target text helps and writes the table of docs/unlabelled.md.

The test text of a task is cut in two halves. One half is unlabelled text, the other is tested,
and then they swap. The target's training text is resampled: each time a random 80% of its
documents. `prior` and `pool` are tuned with the other settings first and then choose how to use
the unlabelled text, by cross-validation of the labelled target rows. Each is compared with
itself without unlabelled text.
"""
import argparse
import gzip
import json
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

from figures_page import write_figures

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEGADAPT = str(ROOT / "build" / "release" / "megadapt")
PAGE = ROOT / "docs" / "unlabelled.md"
SHARE = 0.8  # of the target's documents in a resample

#: Name, folder, prefix of the target's files, ending, and options.
TASKS = [
    ("sentiment", "sentiment", "in", "txt", []),
    ("mention type", "mention-type", "in", "jsonl", ["--task", "mention-type"]),
    ("mention tagging", "mention-tagging", "in", "conll", ["--task", "mention"]),
    ("parts of speech", "pos", "in", "conll", ["--task", "pos"]),
    ("case of words", "recap", "in-whitehouse", "txt", ["--task", "recap"]),
]
SYSTEMS = ("prior", "pool")


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/replicate --unlabelled", description=__doc__)
    parser.add_argument("--unlabelled", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=pathlib.Path, default=ROOT.parent / "shared" / "data",
                        metavar="DIR", help="the tasks' files, laid out like ../shared/data")
    parser.add_argument("--tasks", default=",".join(task[1] for task in TASKS), metavar="A,B",
                        help="folders of the tasks to run (default: all)")
    parser.add_argument("--resamples", type=int, default=5, metavar="N",
                        help="resamples of the target's training text (default: 5)")
    parser.add_argument("--keep", type=pathlib.Path, metavar="FILE",
                        help="keep the results in this file, and continue from it")
    return parser.parse_args()


def documents(path):
    """Returns the texts of a file's documents: groups of rows, or runs of sentences."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        text = file.read()
    if path.name.endswith(".jsonl.gz"):
        found = {}
        for line in text.splitlines():
            row = json.loads(line)
            found.setdefault(row.get("doc", row.get("group", line)), []).append(line + "\n")
        return ["".join(lines) for lines in found.values()]
    if path.name.endswith(".conll.gz"):
        marked = [part for part in re.split(r"(?m)^(?=# doc = )", text) if part.strip()]
        if len(marked) > 1:
            return [part.rstrip("\n") + "\n\n" for part in marked]
        sentences = [part + "\n\n" for part in text.split("\n\n") if part.strip()]
        size = 10  # neighbours stay together
        return ["".join(sentences[i:i + size]) for i in range(0, len(sentences), size)]
    lines = [line + "\n" for line in text.splitlines()]
    size = 1 if "\t" in lines[0] else 10  # reviews stand alone, sentences do not
    return ["".join(lines[i:i + size]) for i in range(0, len(lines), size)]


def write(path, parts):
    path.write_text("".join(parts), encoding="utf-8")
    return str(path)


def measured(folder, prefix, ending, options, resample, half, scratch):
    """Returns each system with and without unlabelled text, and the processor seconds."""
    train = documents(folder / f"{prefix}.train.{ending}.gz")
    chosen = random.Random(resample).sample(range(len(train)), round(SHARE * len(train)))
    test = documents(folder / f"{prefix}.test.{ending}.gz")
    files = {"in": write(scratch / f"in.{ending}", [train[i] for i in sorted(chosen)]),
             "unlabelled": write(scratch / f"unlabelled.{ending}", test[half::2]),
             "test": write(scratch / f"test.{ending}", test[1 - half::2])}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [MEGADAPT, "compare", *options, "--domain", f"out={folder / f'out.train.{ending}.gz'}",
         "--domain", f"in={files['in']}", "--target", "in", "--unlabelled", files["unlabelled"],
         "--test", files["test"], "--systems", ",".join(SYSTEMS), "--rank", "accuracy", "--json",
         "--quiet"],
        check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    systems = {system["name"]: system for system in json.loads(done.stdout)["systems"]}
    return {"seconds": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
            **{name: {"with": systems[name]["accuracy"],
                      "without": systems[name]["unlabelled"]["without"]["accuracy"],
                      "gamma": systems[name]["unlabelled"]["gamma"],
                      "k": systems[name]["unlabelled"]["k"]} for name in SYSTEMS}}


def mean(values):
    return sum(values) / len(values)


def interval(values):
    """Returns the 95% interval of the mean by a bootstrap over the values."""
    rng = random.Random(1)
    means = sorted(mean(rng.choices(values, k=len(values))) for _ in range(2000))
    return means[49], means[1949]


def table(results, resamples):
    lines = [f"Mean accuracy in percent over {resamples} resamples of the target and both halves "
             "of the test text; the interval is a bootstrap over these runs. *used*: runs in which "
             "cross-validation chose to use the unlabelled text.", "",
             "| task | system | without | with | gain, points | error reduction | used |",
             "| --- | --- | ---: | ---: | ---: | ---: | ---: |"]
    cuts = {name: [] for name in SYSTEMS}
    for task, runs in results.items():
        for name in SYSTEMS:
            without, with_ = (mean([run[name][key] for run in runs]) for key in ("without", "with"))
            low, high = interval([run[name]["with"] - run[name]["without"] for run in runs])
            cut = (with_ - without) / (1 - without)
            cuts[name].append(cut)
            used = sum(run[name]["gamma"] > 0 for run in runs)
            lines.append(
                f"| {task} | {name} | {100 * without:.2f} | {100 * with_:.2f} | "
                f"{100 * (with_ - without):+.2f} [{100 * low:.2f}, {100 * high:.2f}] | "
                f"{100 * cut:+.1f}% | {used} of {len(runs)} |")
    for name in SYSTEMS:
        lines.append(f"| mean | {name} | | | | {100 * mean(cuts[name]):+.1f}% | |")
    return "\n".join(lines)


def main():
    args = arguments()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data}: there is no such folder\n"
                 "fix: give the folder of the tasks' files with --data DIR")
    kept = json.loads(args.keep.read_text()) if args.keep and args.keep.exists() else {}
    wanted = args.tasks.split(",")
    results = {}
    with tempfile.TemporaryDirectory() as scratch:
        for task, folder, prefix, ending, options in TASKS:
            if folder not in wanted:
                continue
            results[task] = []
            for resample in range(1, args.resamples + 1):
                for half in (0, 1):
                    key = f"{folder} {resample} {half}"
                    if key not in kept:
                        kept[key] = measured(args.data / folder, prefix, ending, options,
                                             resample, half, pathlib.Path(scratch))
                        if args.keep:
                            args.keep.write_text(json.dumps(kept))
                        print(key, json.dumps(kept[key]), file=sys.stderr, flush=True)
                    results[task].append(kept[key])
    write_figures(PAGE, table(results, args.resamples))


if __name__ == "__main__":
    main()

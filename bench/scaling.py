#!/usr/bin/python3
"""How training scales with the number of ranks: measured for 1 and 2, modelled for many.

    bench/scaling.py measure      # trains under mpirun; writes build/bench/scaling.json
    bench/scaling.py model        # predicts 8, 64 and 512 ranks at 1e9 rows, and checks the
                                  # formula against a simulation of every message

docs/scaling.md has the figures and explains them.
"""
import argparse
import json
import math
import random
import re
import statistics
import subprocess

from data import ROOT, data_set
from harness import machine, note, run

RESULTS = ROOT / "build" / "bench" / "scaling.json"

# A typical cluster: latency of a message in seconds, and bytes per second of a link. The
# cost of computing per row is measured.
LATENCY = 5e-6
BANDWIDTH = 10e9
JITTER = 0.05  # relative standard deviation of a rank's time for one pass


def mpirun(ranks, threads, rows, system):
    """Trains once; returns wall seconds, peak memory of the largest rank, and the sums."""
    program = ROOT / "build" / "mpi" / "megadapt"
    model = ROOT / "build" / "bench" / "scaling.mega"
    report = model.with_suffix(".log")
    result = run(["sh", "-c", 'log=$1; shift; "$@" 2> "$log" || { cat "$log" >&2; exit 1; }',
                  "sh", report,
                  "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none",
                  "-n", ranks, program, "train", "--system", system, "--no-bias", "--verbose",
                  "--threads", threads, "-d", f"d={rows}", "-o", model])
    text = report.read_text()
    sums = re.search(r"sums over ranks: (.*)", text)
    pairs = re.findall(r"(\d+) x (\d+) bytes", sums.group(1)) if sums else []
    return {"ranks": ranks, "threads": threads, "rows": str(rows),
            "passes": int(re.search(r"after (\d+) passes", text).group(1)),
            "seconds": result["seconds"], "user_seconds": result["user_seconds"],
            "peak_mb": result["peak_mb"],
            "sums": [[int(count), int(size)] for count, size in pairs]}


def first_half(source):
    """Returns the first half of the rows, for weak scaling. Another process cuts them: see
    harness.py."""
    target = source.with_name("half.text")
    if not target.exists():
        subprocess.run(["sh", "-c", 'head -n "$(($(wc -l < "$1") / 2))" "$1" > "$2.new" && '
                        'mv "$2.new" "$2"', "sh", source, target], check=True)
    return target


def measure(args):
    subprocess.run([ROOT / "scripts" / "build", "mpi", "megadapt_cli"], check=True)
    folder = data_set(args.set)
    whole = next(folder.glob("train*.text"))
    half = first_half(whole)
    RESULTS.parent.mkdir(parents=True, exist_ok=True)
    runs = []
    for turn in range(args.repeats):
        for name, ranks, threads, rows in (("1 rank x 1 thread", 1, 1, whole),
                                           ("1 rank x 2 threads", 1, 2, whole),
                                           ("2 ranks x 1 thread", 2, 1, whole),
                                           ("half the rows, 1 rank x 1 thread", 1, 1, half)):
            result = {"name": name} | mpirun(ranks, threads, rows, args.system)
            note(f"  round {turn + 1}: {name}: {result['seconds']:.2f} s, "
                 f"{result['user_seconds']:.2f} s of CPU, {result['passes']} passes")
            runs.append(result)
    print("| rows | ranks x threads | seconds | passes | seconds a pass | peak of a rank |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in dict.fromkeys(r["name"] for r in runs):
        same = [r for r in runs if r["name"] == name]
        seconds = statistics.median(r["seconds"] for r in same)
        first = same[0]
        print(f"| {'half' if first['rows'] == str(half) else 'all'} | "
              f"{first['ranks']} x {first['threads']} | {seconds:.2f} | {first['passes']} | "
              f"{seconds / first['passes']:.3f} | "
              f"{statistics.median(r['peak_mb'] for r in same):.0f} MB |")
    RESULTS.write_text(json.dumps({"machine": machine(), "runs": runs}, indent=1) + "\n")
    note(f"all figures: {RESULTS.relative_to(ROOT)}")


def allreduce(size, ranks):
    """Returns the seconds of a sum by Rabenseifner's algorithm: halving and doubling."""
    if ranks == 1:
        return 0.0
    return 2 * math.log2(ranks) * LATENCY + 2 * (ranks - 1) / ranks * size / BANDWIDTH


def predicted(rows, ranks, row_walk, sums):
    """Returns seconds of computing and of the sums [(count, bytes)] of one training. Each large
    sum follows a walk over the rows and waits for the slowest rank. Its excess over the
    mean is that of the largest of `ranks` draws from a normal distribution."""
    slowest = 1 + JITTER * math.sqrt(2 * math.log(max(ranks, 1)))
    large = [(count, size) for count, size in sums if size > 64]
    compute = sum(count for count, _ in large) * rows / ranks * row_walk * slowest
    return compute, sum(count * allreduce(size, ranks) for count, size in sums)


def simulated(rows, ranks, row_walk, sums, seed=1):
    """The same with a clock for each rank: ranks finish a pass at different times, and each
    exchange of the halving and doubling waits for its partner."""
    rng = random.Random(seed)
    clock = [0.0] * ranks
    share = rows / ranks * row_walk
    for count, size in sums:
        for _ in range(count):
            if size > 64:
                clock = [c + share * max(0.5, rng.gauss(1, JITTER)) for c in clock]
            piece, distance = size / 2, 1
            steps = []
            while distance < ranks:
                steps.append((distance, piece))
                piece, distance = piece / 2, distance * 2
            for distance, part in steps + steps[::-1]:
                met = [max(clock[r], clock[r ^ distance]) for r in range(ranks)]
                clock = [c + LATENCY + part / BANDWIDTH for c in met]
    return max(clock)


def model(args):
    results = json.loads(RESULTS.read_text())["runs"]
    alone = statistics.median(r["user_seconds"] for r in results
                              if r["name"] == "1 rank x 1 thread")
    pair = next(r for r in results if r["ranks"] == 2)
    rows = args.measured_rows
    walks = sum(count for count, size in pair["sums"] if size > 64)
    row_walk = alone / walks / rows
    # The sums of the measured training, scaled to the features of the larger problem.
    factor = args.features / 200_000
    sums = [[count, size * (factor if size > 64 else 1)] for count, size in pair["sums"]]
    print(f"per row and walk {row_walk * 1e9:.0f} ns (reading included), "
          f"{sum(c for c, _ in sums)} sums, the largest {max(s for _, s in sums) / 1e6:.1f} MB")
    print("| ranks | compute | reductions | total | share of reductions | simulated | speed-up |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    base = sum(predicted(args.rows, 1, row_walk, sums))
    for ranks in (1, 8, 64, 512):
        compute, talk = predicted(args.rows, ranks, row_walk, sums)
        total = compute + talk
        capped = [[min(c, 20), s] for c, s in sums]  # the remaining ones are the same
        check = simulated(args.rows, ranks, row_walk, capped)
        formula = sum(predicted(args.rows, ranks, row_walk, capped))
        print(f"| {ranks} | {compute:.1f} s | {talk:.2f} s | {total:.1f} s | "
              f"{talk / total:.0%} | {check / formula:.2f} of the formula | "
              f"{base / total:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["measure", "model"])
    parser.add_argument("--set", default="1m", help="of bench/data.py (1m)")
    parser.add_argument("--system", default="mix")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=float, default=1e9)
    parser.add_argument("--measured-rows", type=float, default=1e6)
    parser.add_argument("--features", type=float, default=10e6,
                        help="active features of the large problem (1e7)")
    args = parser.parse_args()
    {"measure": measure, "model": model}[args.what](args)


main()

"""The experiments of the paper, task by task, as commands of megadapt."""
import dataclasses
import json
import zlib

import paper
from steps import relative, save
from tasks import MEGADAPT
from units import (examples, read_units, sample_examples, sample_share, samples, write_units)

SYSTEMS = paper.SYSTEMS + ["pool", "easyadapt", "stack"]
CURVE_SYSTEMS = ["onlyo", "onlyi", "prior", "mixw", "megam", "pool"]
RESAMPLED_SHARE = 0.8
TUNE_TOLERANCE = 1e-3  # loose fits are enough to compare settings


@dataclasses.dataclass
class Scale:
    """The size of the experiments."""
    resamples: int = 5
    tune_folds: int = 3
    most_out: int = 0  # a limit for every task; 0 is none
    most_train: int = 0
    most_test: int = 0
    curve_repeats: int = 5
    curve_sizes: int = 5
    rounds: int = 60  # of conditional EM, where it is followed to convergence
    splits: int = 5  # random halvings of one domain
    planted_source: int = 8000  # rows drawn from the model
    planted_target: int = 600


QUICK = Scale(most_out=6_000, most_train=6_000, most_test=8_000, curve_repeats=2,
              curve_sizes=3, rounds=10, splits=2, planted_source=1000, planted_target=150)
FEW_ROUNDS = 5  # the paper's


def prepare(task, scale, work):
    """Samples files that are too large. Returns the sizes, and the source file to tune with."""
    folder = work / "data" / task.name
    sizes = {}
    cap = min(filter(None, [task.most_out, scale.most_out]), default=0)
    for part, most in (("out", cap), ("train", scale.most_train), ("test", scale.most_test)):
        units = read_units(getattr(task, part), task.kind)
        if most and examples(units) > most:
            units = sample_examples(units, most, seed=1)
            path = folder / f"{part}.{task.kind}"
            write_units(units, path)
            setattr(task, part, path)
        sizes[part] = {"examples": examples(units), "units": len(units)}
    sizes["tune"] = sizes["out"]
    tune_out = task.out
    if sizes["out"]["examples"] > 1.2 * task.tune_out:
        units = sample_examples(read_units(task.out, task.kind), task.tune_out, seed=2)
        tune_out = folder / f"tune-out.{task.kind}"
        write_units(units, tune_out)
        sizes["tune"] = {"examples": examples(units), "units": len(units)}
    save(work / task.name / "sizes.json", {"result": sizes})
    return sizes, tune_out


def compare(task, scale, steps, seed):
    """Tunes every system once on the target's training data and tests it. Then refits and tests
    it on samples of the target's units, with the same settings. Returns the source file that it
    was tuned with."""
    sizes, tune_out = prepare(task, scale, steps.folder)

    def command(out, train, *more):
        return [MEGADAPT, "compare", *task.options, "--domain", f"out={out}", "--domain",
                f"in={train}", "--target", "in", "--test", task.test, "--systems",
                ",".join(SYSTEMS), "--rank", task.score, "--criterion", "log-loss", "--calibrate",
                "none", "--seed", seed, "--json", "--quiet", *more]
    folder = steps.folder / task.name
    tuning = command(tune_out, task.train, "--tune-folds", scale.tune_folds, "--tolerance",
                     TUNE_TOLERANCE)
    # Finished systems of an interrupted tuning are kept. Another tuning has another folder.
    digest = zlib.crc32(" ".join(map(relative, tuning)).encode())
    tuned_table = steps.result(f"{task.name}/tune",
                               [*tuning, "--resume", folder / f"parts-{digest:08x}"])
    save(folder / "settings.json", settings(tuned_table, sizes))
    known = ["--settings", folder / "settings.json"]
    steps.result(f"{task.name}/compare", command(task.out, task.train, *known))
    units = read_units(task.train, task.kind)
    for r, sample in enumerate(samples(units, RESAMPLED_SHARE, scale.resamples, seed), 1):
        path = steps.folder / "data" / task.name / f"train-{r}.{task.kind}"
        write_units(sample, path)
        steps.result(f"{task.name}/resample-{r}", command(task.out, path, *known))
    return tune_out


def settings(table, sizes):
    """Returns the tuned settings. A source row's weight is scaled to the number of source rows."""
    rows = []
    for row in table["systems"]:
        chosen = dict(row["tuned"])
        if "out-weight" in chosen:
            ratio = sizes["tune"]["examples"] / sizes["out"]["examples"]
            chosen["out-weight"] = float(f"{min(1, chosen['out-weight'] * ratio):.3g}")
        rows.append({"name": row["name"], "tuned": chosen})
    return {"systems": rows}


def curve(task, scale, steps, seed):
    units = read_units(task.train, task.kind)
    parts = {max(1, len(units) >> shift) for shift in range(1, scale.curve_sizes)}
    sizes = [examples(units) * part // len(units) for part in sorted(parts - {len(units)})]
    steps.result(f"{task.name}/curve", [
        MEGADAPT, "curve", *task.options, "--domain", f"out={task.out}", "--domain",
        f"in={task.train}", "--target", "in", "--test", task.test, "--systems",
        ",".join(CURVE_SYSTEMS), "--sizes", ",".join(map(str, sizes)), "--repeats",
        scale.curve_repeats, "--settings", steps.folder / task.name / "settings.json",
        "--seed", seed, "--json", "--quiet"])


def relate(task, steps, seed):
    steps.result(f"{task.name}/relate", [
        MEGADAPT, "relate", *task.options, "--domain", f"out={task.out}", "--domain",
        f"in={task.train}", "--seed", seed, "--json", "--quiet"])


def tuned(task, system, steps):
    """Returns the tuned settings of a system as options of `train`."""
    table = json.loads((steps.folder / task.name / "settings.json").read_text())
    settings = next(row["tuned"] for row in table["systems"] if row["name"] == system)
    return [part for name, value in settings.items() for part in (f"--{name}", value)]


def plain(task, steps):
    """Returns the options of the paper's own `megam`: the training E-step, experts centred on
    zero and the gate psi, with the tuned variances."""
    kept = tuned(task, "megam", steps)
    numbers = [part for name, value in zip(kept[::2], kept[1::2])
               for part in (name, value) if name in ("--variance", "--prior-exponent",
                                                     "--specific-variance")]
    return [*numbers, "--e-step", "training", "--centre", "zero", "--gate", "psi"]


def trace(task, name, first, second, scale, steps, seed):
    """Follows the paper's `megam` over many rounds. Returns a record of each sub-step."""
    trace = steps.folder / task.name / "trace.jsonl"
    return steps.result(f"{task.name}/{name}", [
        MEGADAPT, "train", *task.options, "--system", "megam", "--domain", first, "--domain",
        second, "--target", first.partition("=")[0], *plain(task, steps), "--rounds",
        scale.rounds, "--trace", trace, "--seed", seed, "-o",
        steps.folder / task.name / "trace.mega", "--quiet"],
        read=lambda _: [json.loads(line) for line in trace.read_text().splitlines()])


def convergence(task, tune_out, scale, steps, seed):
    """Traces objective and pi, with the sample of the other domain that tuning used."""
    trace(task, "convergence", f"in={task.train}", f"out={tune_out}", scale, steps, seed)


def split_in_two(task, scale, steps, seed):
    """Traces pi when the two domains are halves of one."""
    units = read_units(task.out, task.kind)
    if len(units) < 2:
        return
    for s in range(1, scale.splits + 1):
        half = sample_share(units, 0.5, seed=seed + s)
        taken = {id(unit) for unit in half}
        files = [steps.folder / "data" / task.name / f"half-{s}-{part}.{task.kind}"
                 for part in "ab"]
        write_units(half, files[0])
        write_units([unit for unit in units if id(unit) not in taken], files[1])
        trace(task, f"half-{s}", f"a={files[0]}", f"b={files[1]}", scale, steps, seed)

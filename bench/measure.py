"""What bench/run measures; each function returns figures for results.json."""
import json
import math
import os
import statistics

from data import ROOT, data_set, fasttext_file, two_domains
from harness import Contender, interleave, note, run

MEGADAPT = ROOT / "build" / "release" / "megadapt"
PHASES = ROOT / "build" / "release" / "bench" / "phases"
PYTHON = "/usr/bin/python3"
BENCH = ROOT / "bench"

# The loosest `tol` of 1, 3, 10, 30 with which scikit-learn comes within 2e-4 of the optimum.
SKLEARN_TOLERANCE = 10
# A fit takes scikit-learn a quarter of a minute or more.
SKLEARN_REPEATS = 3


def training(folder, model, *options):
    return [MEGADAPT, "train", "--system", "mix", "--domain", f"all={folder / 'train.text'}",
            "--no-bias", "--variance", 1, "--quiet", "--json", "-o", model, *options]


def liblinear_training(folder, model):
    return ["liblinear-train", "-s", 0, "-c", 1, "-q", folder / "train.libsvm", model]


def train(work, args):
    """Text file to stored model, side by side, then whether everybody solved the problem."""
    folder = data_set("100k")
    one = Contender("megadapt, 1 thread",
                    training(folder, work / "one.mega", "--tolerance", 1e-4, "--threads", 1))
    two = Contender("megadapt, 2 threads",
                    training(folder, work / "two.mega", "--tolerance", 1e-4, "--threads", 2))
    liblinear = Contender("liblinear-train -s 0", liblinear_training(folder, work / "liblinear"))
    fasttext = Contender("fasttext supervised",
                         ["fasttext", "supervised", "-input", fasttext_file(folder / "train.text"),
                          "-output", work / "fasttext", "-thread", 1, "-verbose", 0])
    contenders = [one, two, liblinear, fasttext]
    if not args.quick:
        contenders.append(Contender(
            "scikit-learn newton-cg", [PYTHON, BENCH / "sklearn_fit.py", folder, SKLEARN_TOLERANCE],
            repeats=SKLEARN_REPEATS))
    interleave(contenders, args.repeats)
    result = {c.name: c.summary() for c in contenders}
    solved = check(work, folder)
    result["optimum"] = solved["optimum"]
    for name, model in ((one.name, "one"), (two.name, "two")):
        result[name] |= solved[model]
    result[liblinear.name] |= liblinear_scores(work, folder)
    result[fasttext.name] |= fasttext_scores(work, folder)
    if not args.quick:
        fit_alone(result, contenders[-1], solved["optimum"])
    return result


def fit_alone(result, sklearn, optimum):
    """Charges scikit-learn for fit() only, not for starting Python and loading arrays."""
    fits = [json.loads(r["output"]) for r in sklearn.runs]
    for r, fit in zip(sklearn.runs, fits):
        r["seconds"] = fit["seconds"]
    last = fits[-1]
    result[sklearn.name] |= sklearn.summary() | {
        "objective": last["objective"], "gap": last["objective"] / optimum - 1,
        "accuracy": last["accuracy"], "log_loss": last["log_loss"]}


def check(work, folder):
    """Objectives computed from exported weights, against the best of two tight solves."""
    note("  checking objectives")
    for optimizer in "newton-cg", "lbfgs":
        run(training(folder, work / f"{optimizer}.mega", "--tolerance", 1e-8, "--optimizer",
                     optimizer))
    models = ["one", "two", "newton-cg", "lbfgs"]
    for model in models:
        run([MEGADAPT, "model", "export", work / f"{model}.mega"], stdout=str(work / f"{model}.txt"))
    found = json.loads(run([PYTHON, BENCH / "check_models.py", folder,
                            *(work / f"{m}.txt" for m in models)])["output"])
    solved = {model: found[str(work / f"{model}.txt")] for model in models}
    optimum = min(solved[m]["objective"] for m in models)
    for model in models:
        solved[model]["gap"] = solved[model]["objective"] / optimum - 1
    # Weights are stored as float, which moves the objective by far less than this.
    if max(solved["newton-cg"]["gap"], solved["lbfgs"]["gap"]) > 1e-6:
        note("  WARNING: the two optimisers disagree about the optimum")
    return solved | {"optimum": optimum}


def scores(gold, rows):
    """Accuracy and log loss of (label, {label: p}) rows, computed by problem.py's rules."""
    right = loss = count = 0
    for label, (predicted, probability) in zip(gold, rows):
        right += label == predicted
        loss -= math.log(max(probability.get(label, 0), 1e-15))
        count += 1
    return {"accuracy": right / count, "log_loss": loss / count}


def liblinear_scores(work, folder):
    output = work / "liblinear.out"
    run(["liblinear-predict", "-b", 1, "-q", folder / "test.libsvm", work / "liblinear", output])
    with open(output) as lines, open(folder / "test.libsvm") as test:
        labels = next(lines).split()[1:]
        rows = (line.split() for line in lines)
        return scores((line.split(maxsplit=1)[0] for line in test),
                      ((words[0], dict(zip(labels, map(float, words[1:])))) for words in rows))


def fasttext_scores(work, folder):
    output = work / "fasttext.out"
    run(["fasttext", "predict-prob", work / "fasttext.bin", fasttext_file(folder / "test.text"), 6],
        stdout=str(output))
    with open(output) as lines, open(folder / "test.fasttext") as test:
        rows = (line.split() for line in lines)
        return scores((line.split(maxsplit=1)[0] for line in test),
                      ((words[0], dict(zip(words[::2], map(float, words[1::2])))) for words in rows))


def predict(work, args):
    """Text in, labels out, a million rows."""
    folder = data_set("1m-test")
    run(training(folder, work / "rows.mega"))
    if not (work / "rows.liblinear").exists():
        run(liblinear_training(folder, work / "rows.liblinear"))
    one = Contender("megadapt, 1 thread",
                    [MEGADAPT, "predict", work / "rows.mega", folder / "test.text", "--quiet",
                     "--threads", 1], stdout=str(work / "rows.out"))
    two = Contender("megadapt, 2 threads",
                    [MEGADAPT, "predict", work / "rows.mega", folder / "test.text", "--quiet",
                     "--threads", 2], stdout=str(work / "rows.out"))
    liblinear = Contender("liblinear-predict",
                          ["liblinear-predict", "-q", folder / "test.libsvm",
                           work / "rows.liblinear", work / "rows.liblinear.out"])
    contenders = [one, two, liblinear]
    interleave(contenders, args.repeats)
    return {c.name: c.summary() for c in contenders}


def load(work, args):
    """A whole process that loads the model, checksums included, and predicts one row."""
    folder = data_set("100k")
    model = work / "load.mega"
    run(training(folder, model))
    with open(folder / "test.text") as lines, open(work / "row.text", "w") as row:
        row.write(next(lines))
    command = [MEGADAPT, "predict", model, work / "row.text", "--quiet", "--threads", 1]
    contenders = [Contender("with checksums", command),
                  Contender("without", [*command, "--no-verify"]),
                  Contender("the program alone", [MEGADAPT, "--version"])]
    interleave(contenders, 5 * args.repeats)
    return {c.name: c.summary() for c in contenders} | {"model_mb": os.path.getsize(model) / 1e6}


def phases(name, args):
    """The phases of training on one thread, medians."""
    contender = Contender(name, [PHASES, data_set(name) / "train.text", 1])
    interleave([contender], args.repeats)
    found = [json.loads(r["output"]) for r in contender.runs]
    return {key: statistics.median(f[key] for f in found) for key in found[0]}


def read(_work, args):
    """From the text file to rows of ids and the vocabulary, one thread, a million rows."""
    found = phases("1m", args)
    megabytes = found["bytes"] / 1e6
    return {"mb": megabytes, "seconds": found["read_seconds"],
            "mb_per_second": megabytes / found["read_seconds"]}


def growth(_work, args):
    """What a pass over the rows costs as they become ten times as many."""
    sizes = {name: phases(name, args) for name in ("100k", "1m")}
    for found in sizes.values():
        found["seconds_per_pass"] = found["solve_seconds"] / found["passes"]
    return sizes


def adapt(work, args):
    """The MEGA systems against plain mix and LIBLINEAR, 100k rows, 5% of them in the target."""
    folder = two_domains()

    def command(system, tolerance=1e-4):
        return [MEGADAPT, "train", "--system", system, "--domain", f"out={folder / 'out.train.text'}",
                "--domain", f"in={folder / 'in.train.text'}", "--target", "in", "--no-bias",
                "--tolerance", tolerance, "--threads", 1, "--quiet", "--json", "-o",
                work / f"{system}.mega"]

    contenders = [Contender(system, command(system)) for system in ("mix", "megam", "megaloo")]
    contenders.append(Contender("liblinear-train -s 0", [
        "liblinear-train", "-s", 0, "-c", 1, "-q", folder / "union.libsvm", work / "union"]))
    interleave(contenders, args.repeats)
    result = {c.name: c.summary() for c in contenders}
    objective = json.loads(contenders[1].runs[-1]["output"])["objective"]
    tight = json.loads(run(command("megam", 1e-7))["output"])["objective"]
    result["megam"]["gap"] = abs(objective / tight - 1)
    return result

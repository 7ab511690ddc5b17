"""The measurements of bench/run; each function returns figures for results.json."""
import json
import math
import os
import statistics

from data import ROOT, data_set, fasttext_file, two_domains
from harness import Contender, interleave, note, run

MEGADAPT = ROOT / "build" / "release" / "megadapt"
PHASES = ROOT / "build" / "release" / "bench" / "phases"
PYTHON = "/usr/bin/python3"
OUR_PYTHON = ROOT / ".venv" / "bin" / "python"
BENCH = ROOT / "bench"

# Every program that minimises our objective must come this close to its optimum (relative).
CLOSE_ENOUGH = 2e-4
# A fit takes scikit-learn 15 seconds, or a minute with its default solver.
SKLEARN_REPEATS = {"newton-cg": 3, "lbfgs": 2}


def training(folder, model, *options):
    return [MEGADAPT, "train", "--system", "mix", "--domain", f"all={folder / 'train.text'}",
            "--no-bias", "--variance", 1, "--quiet", "--json", "-o", model, *options]


def liblinear_training(folder, model):
    return ["liblinear-train", "-s", 0, "-c", 1, "-q", folder / "train.libsvm", model]


def train(work, args):
    """From text file to stored model, side by side; then checks that all solved the problem."""
    folder = data_set("100k")
    optimum = find_optimum(work, folder)
    one = Contender("megadapt, 1 thread",
                    training(folder, work / "one.mega", "--tolerance", CLOSE_ENOUGH, "--threads", 1))
    two = Contender("megadapt, 2 threads",
                    training(folder, work / "two.mega", "--tolerance", CLOSE_ENOUGH, "--threads", 2))
    liblinear = Contender("liblinear-train -s 0", liblinear_training(folder, work / "liblinear"))
    fasttext = Contender("fasttext supervised",
                         ["fasttext", "supervised", "-input", fasttext_file(folder / "train.text"),
                          "-output", work / "fasttext", "-thread", 1, "-verbose", 0])
    sklearn = Contender("scikit-learn newton-cg", [], repeats=SKLEARN_REPEATS["newton-cg"])
    contenders = [one, two, liblinear, fasttext]
    if not args.quick:
        sklearn.command = sklearn_command(folder, optimum, "newton-cg")
        contenders.append(sklearn)
    interleave(contenders, args.repeats)

    scores_of = {
        liblinear.name: liblinear_scores(work, folder),
        fasttext.name: fasttext_scores(work, folder),
    }
    models = check(work, folder, ["one", "two"])
    scores_of |= {one.name: models["one"], two.name: models["two"]}
    if not args.quick:
        scores_of[sklearn.name] = charge_for_fit(sklearn)
    result = {"optimum": optimum}
    for contender in contenders:
        result[contender.name] = contender.summary() | scores_of[contender.name]
        if "objective" in result[contender.name]:
            result[contender.name]["gap"] = gap_of(result[contender.name], optimum, contender.name)
    return result


def gap_of(fit, optimum, name):
    """Returns how far above the optimum a fit ended, relative to the optimum."""
    gap = fit["objective"] / optimum - 1
    if gap > CLOSE_ENOUGH:
        note(f"  WARNING: {name} is {gap:.1e} from the optimum")
    return gap


def python(work, args):
    """fit() of the Python package and of scikit-learn, both from arrays in memory."""
    folder = data_set("100k")
    optimum = find_optimum(work, folder)
    ours = Contender("MixClassifier.fit", [OUR_PYTHON, BENCH / "python_fit.py", folder])
    contenders = [ours]
    if not args.quick:
        for solver, repeats in SKLEARN_REPEATS.items():
            contenders.append(Contender(f"LogisticRegression.fit, {solver}",
                                        sklearn_command(folder, optimum, solver),
                                        repeats=repeats))
    interleave(contenders, args.repeats)
    result = {}
    for contender in contenders:
        fit = charge_for_fit(contender)
        gap = gap_of(fit, optimum, contender.name)
        result[contender.name] = contender.summary() | fit | {"gap": gap}
    result["predict"] = python_predict(args)
    return result


def python_predict(args):
    """Rows per second of predict_proba on a million rows, and of the loop in C++."""
    ours = Contender("predict_proba", [OUR_PYTHON, BENCH / "python_fit.py", data_set("1m-test")])
    kernel = Contender("C++ loop", phases_command("1m"))
    interleave([ours, kernel], min(3, args.repeats))
    found = [json.loads(r["output"]) for r in kernel.runs]
    return {
        ours.name: statistics.median(
            json.loads(r["output"])["predict_rows_per_second"] for r in ours.runs),
        kernel.name: statistics.median(f["rows"] / f["predict_seconds"] for f in found),
    }


def find_optimum(work, folder):
    """Returns the lower objective of two precise fits, one with each optimiser."""
    note("  finding the optimum")
    optimizers = ["newton-cg", "lbfgs"]
    for optimizer in optimizers:
        run(training(folder, work / f"{optimizer}.mega", "--tolerance", 1e-8, "--optimizer",
                     optimizer))
    found = [entry["objective"] for entry in check(work, folder, optimizers).values()]
    # Weights are stored as floats, which changes the objective by far less than this.
    if max(found) / min(found) - 1 > 1e-6:
        note(f"  WARNING: the two optimisers disagree about the optimum: {found}")
    return min(found)


def check(work, folder, models):
    """Returns objectives and test scores, computed by check_models.py from exported weights."""
    exported = {model: work / f"{model}.txt" for model in models}
    for model, text in exported.items():
        run([MEGADAPT, "model", "export", work / f"{model}.mega"], stdout=str(text))
    found = json.loads(
        run([PYTHON, BENCH / "check_models.py", folder, *exported.values()])["output"])
    return {model: found[str(text)] for model, text in exported.items()}


def sklearn_command(folder, optimum, solver):
    """Returns the command with the loosest `tol` that comes close enough."""
    for tolerance in 300, 100, 30, 10, 3, 1, 0.3:
        command = [PYTHON, BENCH / "sklearn_fit.py", folder, solver, tolerance]
        if json.loads(run(command)["output"])["objective"] <= optimum * (1 + CLOSE_ENOUGH):
            break
    note(f"  scikit-learn's {solver} runs with tol={tolerance}")
    return command


def charge_for_fit(sklearn):
    """Replaces its times by the times of fit() alone: not counted are the start of Python and
    the loading of arrays. Returns its scores."""
    fits = [json.loads(r["output"]) for r in sklearn.runs]
    for r, fit in zip(sklearn.runs, fits):
        r["seconds"] = fit["seconds"]
    return {key: fits[-1][key] for key in ("objective", "accuracy", "log_loss")}


def scores(gold, rows):
    """Accuracy and log loss of (label, {label: p}) rows, computed as in problem.py."""
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
    """A million rows from text to labels."""
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
    """A process that loads the model, verifies its checksums and predicts one row."""
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


def phases_command(name):
    folder = data_set(name)
    return [PHASES, folder / "train.text", 1, folder / "row-cache"]


def phases(name, args):
    """Returns the median times of the phases of training on one thread."""
    contender = Contender(name, phases_command(name))
    interleave([contender], args.repeats)
    found = [json.loads(r["output"]) for r in contender.runs]
    return {key: statistics.median(f[key] for f in found) for key in found[0]}


def read(_work, args):
    """From a text file with a million rows to rows of ids and the vocabulary, on one thread;
    and the same rows from a row cache."""
    found = phases("1m", args)
    megabytes = found["bytes"] / 1e6
    return {"mb": megabytes, "seconds": found["read_seconds"],
            "mb_per_second": megabytes / found["read_seconds"],
            "cached_mb_per_second": megabytes / found["cached_seconds"]}


def growth(_work, args):
    """How the cost of a pass over the rows grows with ten times as many rows."""
    sizes = {name: phases(name, args) for name in ("100k", "1m")}
    for found in sizes.values():
        found["seconds_per_pass"] = found["solve_seconds"] / found["passes"]
    return sizes


def adapt(work, args):
    """The MEGA systems, plain mix and LIBLINEAR on 100k rows, 5% of them from the target."""
    folder = two_domains()

    def command(system, tolerance=1e-4, psi_step="sweep"):
        return [MEGADAPT, "train", "--system", system, "--domain", f"out={folder / 'out.train.text'}",
                "--domain", f"in={folder / 'in.train.text'}", "--target", "in", "--no-bias",
                "--tolerance", tolerance, "--threads", 1, "--quiet", "--json", "-o",
                work / f"{system}.mega",
                *(["--psi-step", psi_step] if system == "megam" else [])]

    def objective(contender):
        return json.loads(contender.runs[-1]["output"])["objective"]

    contenders = [Contender(system, command(system)) for system in ("mix", "megam", "pool")]
    jointly = Contender("megam, psi jointly", command("megam", psi_step="lbfgs"))
    contenders.append(jointly)
    contenders.append(Contender("liblinear-train -s 0", [
        "liblinear-train", "-s", 0, "-c", 1, "-q", folder / "union.libsvm", work / "union"]))
    interleave(contenders, args.repeats)
    result = {c.name: c.summary() for c in contenders}
    swept = objective(contenders[1])
    tight = json.loads(run(command("megam", 1e-7))["output"])["objective"]
    result["megam"]["gap"] = abs(swept / tight - 1)
    result[jointly.name]["objective"] = objective(jointly)
    result["megam"]["objective"] = swept
    return result

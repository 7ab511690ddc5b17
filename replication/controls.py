"""Experiments in addition to the paper's table: the prior's share, planted data, folds by rows, fewer gate
features, a gazetteer. Each leaves results that controls_page.py shows."""
import gzip
import json
import pathlib

from tasks import MEGADAPT

EVEN_SYSTEMS = ["mix", "prior", "easyadapt", "megam", "pool"]
FOLD_SYSTEMS = ["onlyo", "onlyi", "mix", "prior", "megam", "pool"]
GAZETTEER_SYSTEMS = ["onlyi", "prior", "megam", "pool"]
PLANTED_SEEDS = [1, 2, 3, 4]
PLANTED_SYSTEMS = ["onlyi", "mix", "prior", "easyadapt", "megam", "pool"]
GATE_FEATURES = 10_000  # D&M06 §6.3
ZONES = pathlib.Path("/usr/share/zoneinfo")  # tzdata: names of countries and cities


def table_command(task, out, train, systems, seed, *more):
    return [MEGADAPT, "compare", *task.options, "--domain", f"out={out}", "--domain",
            f"in={train}", "--target", "in", "--systems", ",".join(systems), "--rank", task.score,
            "--criterion", "log-loss", "--calibrate", "none", "--seed", seed, "--json", "--quiet",
            *more]


def summarised(text):
    """The scores of a `compare --json`, without its trials."""
    table = json.loads(text)
    return {"systems": [{key: row[key] for key in ("name", "accuracy", "log_loss", "f1", "tuned")
                         if key in row} for row in table["systems"]]}


def even_prior(task, tune_out, scale, steps, seed, tolerance):
    """Tunes and tests with one variance for all weights, as the paper does. Everything else
    is as in the comparison with which experiments.compare() tunes."""
    steps.result(f"{task.name}/prior-even", table_command(
        task, tune_out, task.train, EVEN_SYSTEMS, seed, "--test", task.test, "--tune-folds",
        scale.tune_folds, "--tolerance", tolerance, "--set", "prior-exponent=0"), read=summarised)


def ten_fold(task, steps, seed):
    """Ten-fold cross-validation of the target's training rows with the tuned settings: documents
    kept whole, and, as in the paper, by rows."""
    if task.kind != "jsonl":
        return
    settings = ["--settings", steps.folder / task.name / "settings.json", "--folds", 10]
    loose = steps.folder / "data" / task.name / "rows.jsonl"
    without_documents(task.train, loose)
    for name, train in (("grouped", task.train), ("rows", loose)):
        steps.result(f"{task.name}/tenfold-{name}", table_command(
            task, task.out, train, FOLD_SYSTEMS, seed, *settings), read=summarised)


def without_documents(path, into):
    opened = gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(
        path, encoding="utf-8")
    with opened as lines:
        rows = [json.loads(line) for line in lines]
    into.parent.mkdir(parents=True, exist_ok=True)
    into.write_text("".join(json.dumps({key: value for key, value in row.items()
                                        if key not in ("doc", "group")}) + "\n" for row in rows),
                    encoding="utf-8")


def gate_features(task, tune_out, steps, seed):
    """`megam` on recapitalisation with all features in the gate, and with the paper's 10k."""
    if task.options != ["--task", "recap"]:
        return
    settings = ["--settings", steps.folder / task.name / "settings.json", "--test", task.test]
    for name, few in (("all", []), ("10k", ["--set", f"gate-features={GATE_FEATURES}"])):
        steps.result(f"{task.name}/gate-{name}", table_command(
            task, tune_out, task.train, ["megam"], seed, *settings, *few), read=summarised)


def place_names(zones=ZONES):
    """Countries and cities by the tz database, one a line; nothing where it is missing."""
    names = set()
    for file, column in (("iso3166.tab", 1), ("zone.tab", 2)):
        path = zones / file
        if not path.exists():
            return []
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.startswith("#"):
                name = line.split("\t")[column].rpartition("/")[2].replace("_", " ")
                names.add(name.partition(" (")[0])
    return sorted(names)


def gazetteer(task, tune_out, steps, seed):
    """Mention type with a list of places. The paper also has businesses and people."""
    names = place_names()
    if task.name != "mention-type" or not names:
        return
    path = steps.folder / "data" / "places.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(names) + "\n", encoding="utf-8")
    settings = ["--settings", steps.folder / task.name / "settings.json", "--test", task.test]
    for name, lists in (("none", []), ("places", ["--gazetteer", f"place={path}"])):
        steps.result(f"{task.name}/gazetteer-{name}", table_command(
            task, tune_out, task.train, GAZETTEER_SYSTEMS, seed, *settings, *lists),
            read=summarised)


def planted(steps, scale, seed):
    """The paper's story as data: drawn from its model, with and without conflict."""
    for conflict in (1, 0):
        for draw in PLANTED_SEEDS:
            folder = steps.folder / "data" / f"planted-{conflict}-{draw}"
            steps.result(f"planted/drawn-{conflict}-{draw}", [
                MEGADAPT, "data", "plant", folder, "--conflict", conflict, "--source-rows",
                scale.planted_source, "--target-rows", scale.planted_target, "--seed", draw,
                "--json"])
            steps.result(f"planted/compare-{conflict}-{draw}", [
                MEGADAPT, "compare", "--domain", f"out={folder / 'out.train.txt'}", "--domain",
                f"in={folder / 'in.train.txt'}", "--target", "in", "--test",
                folder / "in.test.txt", "--systems", ",".join(PLANTED_SYSTEMS), "--tune-folds",
                scale.tune_folds, "--calibrate", "none", "--seed", seed, "--json", "--quiet"],
                read=summarised)

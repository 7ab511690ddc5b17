"""Command line and Python make the same models from the same data and options."""
import inspect
import json
import os
import re
import subprocess

import numpy as np
import pytest

import megadapt
from megadapt import Tagger, _core
from megadapt.classifiers import BY_SYSTEM

PROGRAM = os.environ.get("MEGADAPT_PROGRAM", "megadapt")
SYSTEMS = [name for name, _ in _core.systems()]
COLUMNS = [f"f{i}" for i in range(8)]
DOMAINS = ["news", "phone"]

#: Values that are not the defaults, by option names of the command line.
OTHER = {
    "variance": 0.3, "tolerance": 1e-6, "optimizer": "lbfgs", "max-passes": 200,
    "precision": "double", "out-weight": 0.25, "source-variance": 3.0, "interpolation": 0.4,
    "source-features": "labels", "folds": 3, "rounds": 2, "beta": (1.5, 2.5),
    "gate-features": 5, "pi": "fixed", "pi-init": {"phone": 0.9}, "e-step": "crossfit:3",
    "centre": "general", "specific-variance": 0.7, "prior-exponent": 0.25, "gate": "logistic",
    "gate-variance": 2.0, "anneal": 1.5, "psi-sweeps": 2, "psi-step": "sweep",
    "refresh": "round", "class-weight": "balanced", "calibration": 1.5,
    "unlabelled-weight": 0.0, "sharpen": 1.5,  # there are no unlabelled rows
}


def program(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def sections(path):
    """Returns the sections of a model by name, without the text about the files and the
    program that it comes from: Python reads no files."""
    found, name = {}, ""
    for line in program("model", "export", path).splitlines():
        header = re.match(r"(?:section|index|names) (\S+) ", line)
        if header:
            name = header[1]
            assert name not in found
        found.setdefault(name, []).append(line)
    kept = {name: lines for name, lines in found.items() if name not in ("info", "recipe", "task")}
    for name in ("recipe", "task"):
        if name in found:
            kept[name] = without_files(json.loads("".join(found[name][1:])))
    assert "features" in kept and "labels" in kept and len(kept) > 3
    info = json.loads(program("model", "info", path, "--json"))
    options = {name: value for name, value in info["options"].items() if name in OTHER}
    return kept, options, info["domains"], info["system"]


def without_files(recipe):
    if "task" in recipe and isinstance(recipe["task"], dict):
        recipe["task"] = without_files(recipe["task"])
    return {key: value for key, value in recipe.items() if key not in ("format", "columns")}


def options_for(system, other):
    """Returns options for the command line (a list) and for Python (a dict)."""
    if not other:
        return [], {}
    read = [option for option in _core.options() if system in option["systems"]]
    python = {option["keyword"]: OTHER[option["name"]] for option in read}
    flags = []
    for option in read:
        for text in megadapt._base.option_texts(OTHER[option["name"]]):
            flags += [f"--{option['name']}", text]
    return flags, python


class Rows:
    """Rows for a file and a matrix. The first rows have every feature and label, so that both
    give them the same ids."""

    def __init__(self, folder):
        rng = np.random.default_rng(5)
        self.domain = np.repeat(DOMAINS, [60, 40])
        self.X = (rng.random((100, len(COLUMNS))) < 0.4).astype(float)
        self.X[0] = 1
        weights = rng.normal(size=(len(COLUMNS), 3))
        scores = self.X @ weights + (self.domain == "phone")[:, None] * [1.0, 0, -1]
        self.y = np.array(list("abc"))[(scores + rng.gumbel(size=scores.shape)).argmax(axis=1)]
        self.y[:3] = list("abc")
        self.files = []
        for name in DOMAINS:
            path = folder / f"{name}.txt"
            path.write_text("".join(
                f"{label}\t{' '.join(np.array(COLUMNS)[row > 0])}\n"
                for row, label, domain in zip(self.X, self.y, self.domain) if domain == name))
            self.files += ["--domain", f"{name}={path}"]
        self.files += ["--target", "phone"]


class Sentences:
    TAGS = {
        "pos": {"DET": ["the", "a"], "NOUN": ["Dog", "cats", "run"], "VERB": ["sees", "run"]},
        "mention": {"O": ["the", "sees"], "B-PER": ["Ann", "Bo"], "I-PER": ["Smith", "Jr."]},
    }

    def __init__(self, task, folder):
        rng = np.random.default_rng(6)
        self.task = task
        self.domain = np.repeat(DOMAINS, [70, 40])
        self.y = [self.tags(rng) for _ in self.domain]
        self.X = [[str(rng.choice(self.TAGS[task][tag])) for tag in tags] for tags in self.y]
        self.files = ["--task", task, "--target", "phone"]
        for name in DOMAINS:
            path = folder / f"{name}.conll"
            path.write_text("".join(
                "".join(f"{token}\t{tag}\n" for token, tag in zip(tokens, tags)) + "\n"
                for tokens, tags, domain in zip(self.X, self.y, self.domain) if domain == name))
            self.files += ["--domain", f"{name}={path}"]

    def tags(self, rng):
        if self.task == "pos":
            return [str(tag) for tag in rng.choice(list(self.TAGS["pos"]), 4)]
        return ["O", "B-PER", *["I-PER"] * int(rng.integers(0, 3)), "O"]


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    return Rows(tmp_path_factory.mktemp("rows"))


@pytest.fixture(scope="module", params=["pos", "mention"])
def sentences(request, tmp_path_factory):
    return Sentences(request.param, tmp_path_factory.mktemp(request.param))


def classifier_of(system, options):
    """Returns an estimator for the system with these options."""
    options = dict(options)
    if system == "mixw":
        options["source_weight"] = options.pop("out_weight", "balanced")
    return BY_SYSTEM[system]("phone", **options)


@pytest.mark.filterwarnings("ignore:stopped before the tolerance")
@pytest.mark.parametrize("other", [False, True], ids=["defaults", "options"])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "no-bias"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_classifiers(rows, tmp_path, system, bias, other):
    flags, options = options_for(system, other)
    program("train", "--system", system, *rows.files, *flags, *([] if bias else ["--no-bias"]),
            "-o", tmp_path / "program.mega", "--quiet")
    classifier = classifier_of(system, {"bias": bias, **options})
    classifier.fit(rows.X, rows.y, sample_domain=rows.domain)
    classifier.save(tmp_path / "python.mega", feature_names=COLUMNS)
    assert sections(tmp_path / "python.mega") == sections(tmp_path / "program.mega")


@pytest.mark.parametrize("other", [False, True], ids=["defaults", "options"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_taggers(sentences, tmp_path, system, other):
    flags, options = options_for(system, other)
    program("train", "--system", system, *sentences.files, *flags, "-o",
            tmp_path / "program.mega", "--quiet")
    tagger = Tagger("phone", system=system, features=sentences.task,
                        variance=options.pop("variance", 1.0),
                        tolerance=options.pop("tolerance", 1e-4), options=options)
    tagger.fit(sentences.X, sentences.y, sample_domain=sentences.domain)
    tagger.save(tmp_path / "python.mega")
    assert sections(tmp_path / "python.mega") == sections(tmp_path / "program.mega")
    loaded = [megadapt.load(tmp_path / f"{name}.mega") for name in ("program", "python")]
    for again in loaded:
        assert again.predict(sentences.X) == tagger.predict(sentences.X)
        assert again.domains_.tolist() == DOMAINS and again.target_domain_ == "phone"
        assert again.system == system and again.features == sentences.task


def keywords(settings):
    """Returns settings of the command line with the names of Python."""
    names = {name.replace("-", "_"): value for name, value in settings.items()}
    if "out_weight" in names:
        names["source_weight"] = names.pop("out_weight")
    return names


@pytest.mark.parametrize("system", ["mix", "prior", "mixw"])
def test_tune_and_compare_choose_the_same_settings(rows, system):
    own = rows.domain == "phone"
    found = json.loads(program("tune", "--system", system, *rows.files, "--json", "--quiet"))
    ours = megadapt.tune(rows.X, rows.y, rows.domain, target_domain="phone", system=system)
    table = megadapt.compare(rows.X, rows.y, rows.domain, target_domain="phone",
                             X_test=rows.X[own], y_test=rows.y[own], systems=[system])
    chosen = keywords(found["tuned"])
    assert chosen and {name: ours[name] for name in chosen} == chosen
    assert table["tuned"][0] == ours


def test_folds_have_the_default_of_the_command_line():
    told = re.search(r"--folds K .*?\(default: (\d+)\)", program("compare", "--help"), re.S)
    for function in (megadapt.compare, megadapt.learning_curve, megadapt.tune):
        parameters = inspect.signature(function).parameters
        for name in {"folds", "tune_folds"} & set(parameters):
            assert parameters[name].default == int(told[1]), (function, name)


def test_compare_chooses_the_same_settings(rows):
    found = json.loads(program("compare", *rows.files, "--folds", 2, "--json", "--quiet"))
    frame = megadapt.compare(rows.X, rows.y, rows.domain, target_domain="phone", folds=2)
    theirs = {system["name"]: system for system in found["systems"]}
    assert sorted(theirs) == sorted(frame["system"])
    for ours in frame.to_dict("records"):
        system = theirs[ours["system"]]
        if "members" not in ours["tuned"]:  # the command line has one list of their settings
            assert ours["tuned"] == keywords(system["tuned"])
        assert ours["accuracy"] == system["accuracy"]
        assert ours["log_loss"] == system["log_loss"]
    assert frame.attrs["best"] == found["best"]

"""Models and pickles that version 0.1 wrote give the same probabilities (tests/compat)."""
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import megadapt

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "compat"
ROUNDING = 1e-12


def expected(name):
    return json.loads((FOLDER / f"expected/python-{name}.json").read_text(encoding="utf-8"))


def unpickled(name):
    return pickle.loads((FOLDER / f"models/python-{name}.pickle").read_bytes())


@pytest.mark.parametrize("name", ["mix", "mega"])
@pytest.mark.parametrize("source", ["file", "pickle"])
def test_classifier(name, source):
    before = expected(f"classifier-{name}")
    if source == "file":
        classifier = megadapt.load(FOLDER / f"models/python-{name}.mega")
    else:
        classifier = unpickled(f"classifier-{name}")
    assert classifier.classes_.tolist() == before["classes"]
    assert classifier.target_domain_ == "phones"
    found = classifier.predict_proba(np.array(before["X"]))
    np.testing.assert_allclose(found, before["probabilities"], rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("name", ["tagger-template", "tagger-dicts"])
def test_tagger(name):
    before = expected(name)
    tagger = unpickled(name)
    assert tagger.classes_.tolist() == before["classes"]
    assert tagger.predict(before["X"]) == before["tags"]
    for found, marginals in zip(tagger.predict_marginals(before["X"]), before["marginals"]):
        np.testing.assert_allclose(found, marginals, rtol=0, atol=ROUNDING)


@pytest.mark.parametrize("system", [
    "onlyo", "onlyi", "lini", "mix", "mixw", "feats", "prior", "easyadapt", "megam", "megaloo",
    "stack"])
def test_model_of_the_command_line(system):
    classifier = megadapt.load(FOLDER / f"models/reviews-{system}.mega")
    columns = {name: f for f, name in enumerate(classifier.feature_names_)}
    rows = (FOLDER / "data/phones.test.txt").read_text(encoding="utf-8").splitlines()
    X = np.zeros((len(rows), len(columns)))
    for n, row in enumerate(rows):
        for word in row.split("\t")[1].replace("$$$WEIGHT 2 ", "").split():
            if word in columns:
                X[n, columns[word]] = 1
    lines = (FOLDER / f"expected/reviews-{system}.jsonl").read_text(encoding="utf-8").splitlines()
    before = [json.loads(line)["probabilities"] for line in lines]
    np.testing.assert_allclose(classifier.predict_proba(X),
                               [[p[label] for label in classifier.classes_] for p in before],
                               rtol=0, atol=ROUNDING)

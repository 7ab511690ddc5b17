"""Rows without labels in fit, tune, compare and learning_curve."""
import json
import os
import subprocess

import numpy as np
import pytest
from scipy import sparse

from megadapt import (
    PoolClassifier,
    PriorClassifier,
    Tagger,
    TextClassifier,
    compare,
    learning_curve,
    tune,
)

PROGRAM = os.environ.get("MEGADAPT_PROGRAM", "megadapt")


def rows(seed, count):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, count)
    X = (rng.random((count, 12)) < np.where((np.arange(12) % 2) == y[:, None], 0.5, 0.2)) * 1.0
    return X, y


X, Y = rows(0, 120)
DOMAIN = np.where(np.arange(120) < 80, "books", "phones")
MORE = rows(1, 200)[0]
NEW = rows(2, 30)[0]


@pytest.mark.parametrize("cls", [PriorClassifier, PoolClassifier])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_matrix])
def test_unlabelled_rows_change_a_fit_unless_their_weight_is_zero(cls, kind):
    plain = cls("phones").fit(kind(X), Y, DOMAIN).predict_proba(NEW)
    none = cls("phones", unlabelled_weight=0).fit(kind(X), Y, DOMAIN, unlabelled=kind(MORE))
    assert (none.predict_proba(NEW) == plain).all()
    used = cls("phones", unlabelled_weight=0.3, sharpen=3)
    used.fit(kind(X), Y, DOMAIN, unlabelled=kind(MORE))
    assert abs(used.predict_proba(NEW) - plain).max() > 1e-3
    with pytest.raises(ValueError, match="there are no unlabelled rows"):
        used.fit(kind(X), Y, DOMAIN)
    with pytest.raises(ValueError):
        used.fit(kind(X), Y, DOMAIN, unlabelled=kind(MORE[:, 1:]))


def test_the_command_line_gives_the_same_model(tmp_path):
    texts = ["great film", "awful film", "great phone", "awful phone"] * 5
    labels = ["+", "-"] * 10
    domains = ["films", "films", "phones", "phones"] * 5
    more = ["a great screen", "an awful screen", "great great", "one phone"]
    clf = TextClassifier("phones", system="prior").fit(texts, labels, domains, unlabelled=more)
    (tmp_path / "rows.jsonl").write_text("".join(
        json.dumps({"label": y, "text": t, "domain": d}) + "\n"
        for t, y, d in zip(texts, labels, domains)))
    (tmp_path / "more.txt").write_text("".join(text + "\n" for text in more))
    subprocess.run([PROGRAM, "train", "-q", "--system", "prior", "--domain", "phones=rows.jsonl",
                    "--target", "phones", "--unlabelled", "more.txt", "-o", "m.mega"],
                   cwd=tmp_path, check=True)
    done = subprocess.run([PROGRAM, "predict", "m.mega", "-", "--json", "-u", "--format", "text"],
                          cwd=tmp_path, input="great\n", capture_output=True, text=True, check=True)
    probability = json.loads(done.stdout)["probabilities"]
    assert clf.predict_proba(["great"])[0].tolist() == [probability[c] for c in clf.classes_]


def test_tuning_and_comparing():
    found = tune(X, Y, DOMAIN, target_domain="phones", system="prior", unlabelled=MORE)
    assert found["unlabelled_weight"] in (0, 0.1, 0.3)
    PriorClassifier("phones", **found).fit(X, Y, DOMAIN, unlabelled=MORE)
    assert "unlabelled_weight" not in tune(X, Y, DOMAIN, target_domain="phones", system="prior")
    table = compare(X, Y, DOMAIN, target_domain="phones", systems=["onlyi", "prior"], folds=3,
                    unlabelled=MORE)
    assert table["unlabelled_gain"].between(-1, 1).all()
    assert any("Unlabelled rows" in line for line in table.attrs["evidence"])
    curve = learning_curve(X, Y, DOMAIN, target_domain="phones", systems=["prior"], sizes=[20],
                           repeats=2, tune="none", unlabelled=MORE)
    without = learning_curve(X, Y, DOMAIN, target_domain="phones", systems=["prior"], sizes=[20],
                             repeats=2, tune="none")
    assert (curve["log_loss"] != without["log_loss"]).any()


@pytest.mark.parametrize("features", [None, "w w[-1] suf1"])
def test_taggers(features):
    sentences = [["the", "dog", "runs"], ["a", "cat", "sleeps"], ["dogs", "run"]] * 4
    tags = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"]] * 4
    more = [["the", "cat", "runs"], ["cats", "sleep"]] * 5
    if features is None:
        named = [[{f"w={w}": 1.0} for w in s] for s in sentences]
        sentences, more = named, [[{f"w={w}": 1.0} for w in s] for s in more]
    domains = ["a", "b"] * 6
    plain = Tagger("b", system="mix", features=features).fit(sentences, tags, domains)
    used = Tagger("b", system="mix", features=features).fit(
        sentences, tags, domains, unlabelled=more)
    assert used.predict(sentences[:2]) == plain.predict(sentences[:2])
    differ = np.concatenate(used.predict_marginals(more[:2])) - np.concatenate(
        plain.predict_marginals(more[:2]))
    assert abs(differ).max() > 1e-4

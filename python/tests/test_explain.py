"""Explanations add up to the predictions."""
import numpy as np
import pytest

from megadapt import MegaClassifier, MixClassifier


def total(part):
    terms = sum(term["contribution"] for term in part["contributions"])
    return terms + part.get("omitted", {}).get("contribution", 0) + part.get("intercept", 0)


def test_contributions_add_up_to_the_log_odds(task):
    clf = MixClassifier().fit(task.X, task.y)
    probability = clf.predict_proba(task.X[:5])
    for p, row in zip(probability, clf.explain(task.X[:5])):
        best, second = np.argsort(p)[::-1][:2]
        assert row["label"] == str(best) and row["against"] == str(second)
        assert total(row["model"]) == pytest.approx(np.log(p[best] / p[second]), abs=1e-6)


def test_the_gate_and_both_experts(task):
    clf = MegaClassifier("phone").fit(task.X, task.y, sample_domain=task.domain)
    general = clf.predict_domain_proba(task.X[:5])
    for share, row in zip(general, clf.explain(task.X[:5], top=3)):
        assert row["general"] == pytest.approx(share)
        assert total(row["model"]["gate"]) == pytest.approx(np.log(share / (1 - share)), abs=1e-6)
        names = [part["name"] for part in row["model"]["components"]]
        assert names == ["general", "phone"]
        assert len(row["model"]["gate"]["contributions"]) == 3


def test_given_labels_domains_and_names(task):
    clf = MegaClassifier("phone").fit(task.X, task.y, sample_domain=task.domain)
    names = [f"word{i}" for i in range(60)]
    row = clf.explain(task.X[:1], sample_domain=["news"], label=2, against=0,
                      feature_names=names)[0]
    assert (row["label"], row["against"], row["domain"]) == ("2", "0", "news")
    terms = row["model"]["components"][0]["contributions"]
    assert {term["feature"] for term in terms} == {
        "(bias)", *(f"word{f}" for f in task.X[0].indices)}
    with pytest.raises(ValueError, match="no label '9'"):
        clf.explain(task.X[:1], label=9)
    with pytest.raises(ValueError):
        clf.explain(task.X[:1], label=1, against=1)

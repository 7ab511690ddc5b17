"""What users of scikit-learn expect: weights, decision values, parameters of loaded models."""
import numpy as np
import pytest
from sklearn.base import clone

import megadapt
from megadapt import (
    MegaClassifier, MixClassifier, PriorClassifier, compare, learning_curve, relate, tune,
)
from megadapt.classifiers import BY_SYSTEM

LINEAR = ["EasyAdaptClassifier", "MixClassifier", "OnlySourceClassifier", "OnlyTargetClassifier",
          "PoolClassifier", "PriorClassifier"]


def fit(classifier, task):
    return classifier.fit(task.X, task.y, sample_domain=task.domain)


@pytest.mark.parametrize("calibration", [None, 2.0])
def test_linear_models_have_weights(classifier, task, calibration):
    classifier.calibration = calibration
    fit(classifier, task)
    values = classifier.decision_function(task.X)
    np.testing.assert_array_equal(classifier.classes_[values.argmax(axis=1)],
                                  classifier.predict(task.X))
    if type(classifier).__name__ not in LINEAR:
        assert not hasattr(classifier, "coef_")
        return
    assert classifier.coef_.shape == (3, 60) and classifier.intercept_.shape == (3,)
    np.testing.assert_allclose(values, task.X @ classifier.coef_.T + classifier.intercept_,
                               atol=1e-6)


def test_two_classes_have_one_row_of_weights(task):
    clf = MixClassifier().fit(task.X, task.y == 1)
    assert clf.coef_.shape == (1, 60) and clf.decision_function(task.X).shape == (400,)
    np.testing.assert_allclose(clf.decision_function(task.X),
                               (task.X @ clf.coef_.T + clf.intercept_).ravel(), atol=1e-6)


def test_class_weights(task):
    weights = {0: 1.0, 1: 5.0, 2: 1.0}
    ours = MixClassifier(class_weight=weights).fit(task.X, task.y).predict_proba(task.X)
    rows = np.array([weights[y] for y in task.y])
    expected = MixClassifier().fit(task.X, task.y, sample_weight=rows).predict_proba(task.X)
    np.testing.assert_array_equal(ours, expected)
    balanced = MixClassifier(class_weight="balanced").fit(task.X, task.y)
    rows = len(task.y) / (3 * np.bincount(task.y))[task.y]
    expected = MixClassifier().fit(task.X, task.y, sample_weight=rows)
    np.testing.assert_allclose(balanced.predict_proba(task.X), expected.predict_proba(task.X),
                               atol=1e-5)
    with pytest.raises(ValueError, match="class_weight= names the unknown label '7'"):
        MixClassifier(class_weight={7: 2}).fit(task.X, task.y)


def test_a_loaded_model_has_its_parameters(classifier, task, tmp_path):
    classifier.set_params(variance=0.25, class_weight={"1": 2.0}, random_state=5)
    fit(classifier, task).save(tmp_path / "m.mega")
    again = megadapt.load(tmp_path / "m.mega")
    for name in ("target_domain", "variance", "class_weight", "random_state", "bias"):
        assert again.get_params()[name] == classifier.get_params()[name], name
    np.testing.assert_array_equal(fit(clone(again), task).predict_proba(task.X),
                                  classifier.predict_proba(task.X))


def test_a_target_without_domains_is_refused(classifier, task):
    with pytest.raises(ValueError, match="target_domain='phone' is given, but the rows have no"):
        classifier.fit(task.X, task.y)


@pytest.mark.parametrize("system", ["prior", "mixw", "pool", "stack"])
def test_tuned_settings_are_arguments(task, system):
    tuned = tune(task.X, task.y, task.domain, target_domain="phone", system=system, folds=2)
    assert not any("-" in name or "." in name for name in tuned)
    clf = fit(BY_SYSTEM[system]("phone", **tuned), task)
    assert clf.score(task.X[task.target], task.y[task.target]) > 0.5
    table = compare(task.X, task.y, task.domain, X_test=task.X, y_test=task.y,
                    target_domain="phone", systems=[system], tune_folds=2)
    assert table["tuned"][0] == tuned


def test_related_domains(task):
    how = relate(task.X, task.y, task.domain, top=3)
    assert set(how["domains"]) == {"news", "phone"}
    assert 0 <= how["auc"]["news"]["phone"] <= 1
    assert len(how["separators"][0]["features"]) == 3


def test_notebooks_show_tables(task):
    table = compare(task.X, task.y, task.domain, target_domain="phone", systems=["mix", "prior"],
                    tune=False, folds=2)
    page = table._repr_html_()
    assert table.attrs["verdict"].split(":")[0] in page and "<table" in page
    curve = learning_curve(task.X, task.y, task.domain, target_domain="phone", systems=["mix"],
                           X_test=task.X, y_test=task.y, sizes=[5], repeats=2, tune="none")
    page = curve._repr_html_()
    assert "<table" in page and "<td>5</td>" in page  # a number of rows, not 5.0000
    for clf in (PriorClassifier("phone"), MegaClassifier("phone")):
        page = fit(clf, task).explain(task.X[:1])[0]._repr_html_()
        assert "log-odds" in page and "<table>" in page and "x" in page


def test_calibrate_takes_two_words(task):
    with pytest.raises(ValueError, match="calibrate='yes' is not"):
        tune(task.X, task.y, task.domain, target_domain="phone", calibrate="yes")

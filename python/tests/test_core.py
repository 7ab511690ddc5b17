"""Training and prediction: kinds of input, domains, and laws that hold for every system."""
import numpy as np
import pytest
from conftest import Task
from scipy import sparse

import megadapt
from megadapt import MegaClassifier, MixClassifier, OnlyTargetClassifier


def fit(classifier, task, X=None):
    return classifier.fit(task.X if X is None else X, task.y, sample_domain=task.domain)


def test_every_classifier_learns_the_target(classifier, task):
    fit(classifier, task)
    probability = classifier.predict_proba(task.X)
    np.testing.assert_allclose(probability.sum(axis=1), 1, atol=1e-12)
    assert (probability > 0).all()
    np.testing.assert_array_equal(classifier.predict(task.X), probability.argmax(axis=1))
    assert classifier.score(task.X[task.target], task.y[task.target]) > 0.5
    assert classifier.classes_.tolist() == [0, 1, 2]
    assert classifier.domains_.tolist() == ["news", "phone"]
    assert classifier.target_domain_ == "phone"
    assert classifier.n_features_in_ == 60


def with_indices(X, index, value):
    X = X.astype(value)
    X.indptr, X.indices = X.indptr.astype(index), X.indices.astype(index)
    return X


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("value", [np.float32, np.float64, np.int32, np.int64, np.int8, bool])
def test_every_kind_of_csr_gives_the_same_bits(task, index, value):
    expected = fit(MegaClassifier("phone"), task).predict_proba(task.X)
    X = with_indices(task.X, index, value)
    np.testing.assert_array_equal(fit(MegaClassifier("phone"), task, X).predict_proba(X), expected)


def test_dense_and_sparse_give_the_same_bits(classifier):
    task = Task(rows=150, values=True)
    sparse_probability = fit(classifier, task).predict_proba(task.X)
    dense_probability = fit(classifier, task, task.dense).predict_proba(task.dense)
    np.testing.assert_array_equal(dense_probability, sparse_probability)


def test_the_callers_arrays_stay_as_they_are(task):
    X = task.X.copy()
    before = X.indptr.copy(), X.indices.copy(), X.data.copy()
    for array in (X.indptr, X.indices, X.data):
        array.setflags(write=False)
    fit(MegaClassifier("phone"), task, X).predict(X)
    for array, copy in zip((X.indptr, X.indices, X.data), before):
        np.testing.assert_array_equal(array, copy)


def test_duplicate_entries_add_up():
    doubled = sparse.csr_matrix(
        (np.ones(4), np.array([0, 0, 1, 1]), np.array([0, 2, 4])), shape=(2, 2)
    )
    summed = sparse.csr_matrix(np.array([[2.0, 0.0], [0.0, 2.0]]))
    a, b = MixClassifier().fit(doubled, [0, 1]), MixClassifier().fit(summed, [0, 1])
    np.testing.assert_array_equal(a.predict_proba(doubled), b.predict_proba(summed))


def test_explicit_zeros_are_no_features(task):
    X = task.X.copy()
    X.data[::3] = 0
    clean = X.copy()
    clean.eliminate_zeros()
    a = fit(MegaClassifier("phone", precision="double"), task, X).predict_proba(X)
    b = fit(MegaClassifier("phone", precision="double"), task, clean).predict_proba(clean)
    np.testing.assert_allclose(a, b, atol=1e-6)


def test_the_objective_is_multinomial_logistic_regression(task):
    """At the optimum the gradient of the penalised likelihood, computed from predictions, is 0."""
    clf = MixClassifier(variance=0.7, tolerance=1e-9, precision="double", bias=False)
    probability = clf.fit(task.X, task.y).predict_proba(task.X)
    residual = np.eye(3)[task.y] - probability
    weights = 0.7 * (task.X.T @ residual)  # at the optimum, weight = variance * X'(Y - P)
    scores = task.X @ weights
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(probability, expected, atol=1e-4)


def test_threads_do_not_change_a_bit(classifier, task):
    one = fit(classifier, task).predict_proba(task.X)
    classifier.n_jobs = 3
    np.testing.assert_array_equal(fit(classifier, task).predict_proba(task.X), one)


def test_rows_of_other_domains_are_predicted_as_such(task):
    clf = fit(megadapt.EasyAdaptClassifier("phone"), task)
    as_news = clf.predict_proba(task.X, sample_domain=np.repeat("news", len(task.y)))
    as_phone = clf.predict_proba(task.X)
    assert np.abs(as_news - as_phone).max() > 0.05
    mixed = clf.predict_proba(task.X, sample_domain=task.domain)
    np.testing.assert_array_equal(mixed[task.target], as_phone[task.target])
    np.testing.assert_array_equal(mixed[~task.target], as_news[~task.target])


def test_general_share_and_gate(task):
    clf = fit(MegaClassifier("phone"), task)
    assert set(clf.general_share_) == {"news", "phone"}
    assert all(0 <= share <= 1 for share in clf.general_share_.values())
    general = clf.predict_domain_proba(task.X)
    assert general.shape == (len(task.y),)
    assert ((general >= 0) & (general <= 1)).all() and np.ptp(general) > 0


def test_a_share_held_at_the_ends_gives_the_plain_systems(task):
    def general(share):
        return fit(MegaClassifier("phone", pi="fixed", pi_init=share, tolerance=1e-7), task)

    mix = fit(MixClassifier("phone", tolerance=1e-7), task)
    np.testing.assert_allclose(
        general(1.0).predict_proba(task.X), mix.predict_proba(task.X), atol=1e-3
    )


def test_domains_may_have_any_labels(task):
    expected = fit(MegaClassifier("phone"), task).predict_proba(task.X)
    for news, phone in [(1, -2), (0.5, 1.5), (False, True), ("a b", "ü")]:
        domain = np.where(task.target, phone, news)
        clf = MegaClassifier(phone).fit(task.X, task.y, sample_domain=domain)
        np.testing.assert_allclose(clf.predict_proba(task.X), expected, atol=1e-4)
        assert set(clf.general_share_) == {news, phone}


def test_the_negative_domain_of_skada_is_the_target(task):
    signed = np.where(task.target, -2, 1)
    clf = OnlyTargetClassifier().fit(task.X, task.y, sample_domain=signed)
    assert clf.target_domain_ == -2
    own = OnlyTargetClassifier().fit(task.X[task.target], task.y[task.target])
    np.testing.assert_allclose(clf.predict_proba(task.X), own.predict_proba(task.X), atol=1e-6)


def test_source_and_target_given_apart(classifier, task):
    s, t = ~task.target, task.target
    classifier.target_domain = None
    classifier.fit_source_target(task.X[s], task.y[s], task.X[t], task.y[t])
    assert classifier.domains_.tolist() == ["source", "target"]
    apart = classifier.predict_proba(task.X)
    order = np.r_[np.flatnonzero(s), np.flatnonzero(t)]
    domain = np.where(task.target, "target", "source")[order]
    classifier.set_params(target_domain="target")
    classifier.fit(task.X[order], task.y[order], sample_domain=domain)
    np.testing.assert_array_equal(classifier.predict_proba(task.X), apart)


def test_weights_count_rows(task):
    twice = np.r_[np.arange(len(task.y)), np.arange(50)]
    weight = np.ones(len(task.y))
    weight[:50] = 2
    a = MixClassifier(tolerance=1e-8).fit(task.X, task.y, sample_weight=weight)
    b = MixClassifier(tolerance=1e-8).fit(task.X[twice], task.y[twice])
    np.testing.assert_allclose(a.predict_proba(task.X), b.predict_proba(task.X), atol=1e-4)


def test_groups_change_how_folds_are_cut(task):
    clf = megadapt.StackClassifier("phone", folds=3)
    groups = np.arange(len(task.y)) // 40
    alone = fit(clf, task).predict_proba(task.X)
    clf.fit(task.X, task.y, sample_domain=task.domain, groups=groups)
    assert np.abs(clf.predict_proba(task.X) - alone).max() > 0


def test_source_weight_is_mixw(task):
    balanced = fit(MixClassifier("phone", source_weight="balanced"), task)
    light = fit(MixClassifier("phone", source_weight=1e-6), task)
    only = fit(OnlyTargetClassifier("phone"), task)
    np.testing.assert_allclose(
        light.predict_proba(task.X), only.predict_proba(task.X), atol=1e-2
    )
    assert np.abs(balanced.predict_proba(task.X) - light.predict_proba(task.X)).max() > 0.05

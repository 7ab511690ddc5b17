"""Bad input is refused with the errors that scikit-learn users expect."""
import numpy as np
import pytest
from scipy import sparse

import megadapt
from megadapt import MegaClassifier, MixClassifier, OnlySourceClassifier, PriorClassifier


def expect(error, text, call):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_values_that_are_not_finite(task, bad, form):
    X = task.dense.copy()
    X[3, 4] = bad
    expect(ValueError, "NaN|infinity", lambda: MixClassifier().fit(form(X), task.y))
    clf = MixClassifier().fit(task.X, task.y)
    expect(ValueError, "NaN|infinity", lambda: clf.predict(form(X)))


def test_values_too_large_for_a_float():
    expect(ValueError, "too large", lambda: MixClassifier().fit([[1e300], [0.0]], [0, 1]))


def test_wrong_lengths(task):
    clf = MixClassifier()
    expect(ValueError, "inconsistent", lambda: clf.fit(task.X, task.y[:-1]))
    expect(ValueError, "inconsistent",
           lambda: clf.fit(task.X, task.y, sample_domain=task.domain[:-1]))
    expect(ValueError, "sample_weight",
           lambda: clf.fit(task.X, task.y, sample_weight=np.ones(3)))
    expect(ValueError, "inconsistent", lambda: clf.fit(task.X, task.y, groups=[1, 2]))


def test_a_target_that_is_no_domain(task):
    clf = MixClassifier("phon")
    with pytest.raises(ValueError) as caught:
        clf.fit(task.X, task.y, sample_domain=task.domain)
    assert str(caught.value) == (
        "the target 'phon' is not one of the domains\nfix: did you mean 'phone'?"
    )


def test_messages_use_the_words_of_python(task, tmp_path):
    domains = np.where(task.target, "phone", "news")
    with pytest.raises(ValueError, match="the rows are of .*; name one of them"):
        MixClassifier(target_domain="xyz").fit(task.X, task.y, sample_domain=domains)
    (tmp_path / "rows.csv").write_text("label,text\na,b\n")
    with pytest.raises(ValueError) as told:
        megadapt.load(tmp_path / "rows.csv")
    assert str(told.value).endswith("fix: give a file written by save() or by the command line")
    with pytest.warns(UserWarning, match="no feature in common") as warned:
        MixClassifier(target_domain=1).fit(np.eye(4), [0, 1, 0, 1], sample_domain=[0, 0, 1, 1])
    labels = [0, 1, 2, 3]
    with pytest.warns(UserWarning, match="give labels that mean the same one name"):
        MixClassifier(target_domain=1).fit(np.ones((4, 1)), labels, sample_domain=[0, 0, 1, 1])
    for warning in warned:
        assert "megadapt " not in str(warning.message)
        assert "file" not in str(warning.message)


def test_no_target_among_several_domains(task):
    expect(ValueError, "2 domains and no target_domain",
           lambda: MixClassifier().fit(task.X, task.y, sample_domain=task.domain))
    expect(ValueError, "no target_domain",
           lambda: MixClassifier().fit(task.X, task.y, sample_domain=np.where(task.target, -1, -2)))


def test_a_system_without_a_source(task):
    everything = np.repeat("phone", len(task.y))
    for clf in (OnlySourceClassifier("phone"), PriorClassifier("phone")):
        expect(ValueError, "needs rows of a domain other than the target",
               lambda clf=clf: clf.fit(task.X, task.y, sample_domain=everything))


def test_a_domain_that_fit_did_not_see(task):
    clf = MegaClassifier("phone").fit(task.X, task.y, sample_domain=task.domain)
    with pytest.warns(UserWarning, match="1 row is of a domain that the model does not know, "
                                         "such as 'web', predicted as 'phone'") as told:
        found = clf.predict_proba(task.X[:2], sample_domain=["web", "phone"])
    assert told[0].filename == __file__
    assert "sample_domain= names the one to take, megadapt.adapt()" in str(told[0].message)
    np.testing.assert_array_equal(found, clf.predict_proba(task.X[:2]))


def test_domains_with_holes(task):
    domain = task.domain.astype(object)
    domain[5] = None
    expect(ValueError, "None or NaN",
           lambda: MixClassifier("phone").fit(task.X, task.y, sample_domain=domain))
    expect(ValueError, "NaN",
           lambda: MixClassifier(1.0).fit([[1], [2]], [0, 1], sample_domain=[1.0, np.nan]))


def test_one_class(task):
    expect(ValueError, "one label, '7'",
           lambda: MixClassifier().fit(task.X, np.repeat(7, len(task.y))))


def test_weights_below_zero(task):
    expect(ValueError, "Negative values",
           lambda: MixClassifier().fit(task.X, task.y, sample_weight=-np.ones(len(task.y))))
    expect(ValueError, "every row has weight 0",
           lambda: MixClassifier().fit(task.X, task.y, sample_weight=np.zeros(len(task.y))))


def test_object_arrays():
    words = np.array([["a"], ["b"]], dtype=object)
    expect(ValueError, "could not convert", lambda: MixClassifier().fit(words, [0, 1]))
    numbers = np.array([[0], [1]], dtype=object)
    assert MixClassifier().fit(numbers, [0, 1]).predict(numbers).tolist() == [0, 1]


def test_an_empty_csr(task):
    expect(ValueError, "0 sample", lambda: MixClassifier().fit(sparse.csr_matrix((0, 3)), []))
    expect(ValueError, "0 feature",
           lambda: MixClassifier().fit(sparse.csr_matrix((2, 0)), [0, 1]))
    without_entries = sparse.csr_matrix((4, 3))
    clf = MixClassifier().fit(without_entries, [0, 1, 1, 1])
    assert clf.predict(without_entries).tolist() == [1, 1, 1, 1]


def test_other_features_than_in_fit(task):
    clf = MixClassifier().fit(task.X, task.y)
    wider = sparse.hstack([task.X, task.X], format="csr")
    expect(ValueError, "60 features", lambda: clf.predict(wider))


def test_a_damaged_csr(task):
    X = task.X.copy()
    X.indices = X.indices.copy()
    X.indices[7] = 1000
    X.has_canonical_format = True
    expect(ValueError, "column index", lambda: MixClassifier().fit(X, task.y))


def test_before_fit(task):
    from sklearn.exceptions import NotFittedError

    expect(NotFittedError, "not fitted", lambda: MixClassifier().predict(task.X))
    expect(NotFittedError, "not fitted", lambda: MixClassifier().save("never.mega"))


@pytest.mark.parametrize("options, text", [
    ({"variance": 0}, "variance=: '0' is not a number above 0"),
    ({"variance": "big"}, "variance=: 'big' is not a number above 0"),
    ({"tolerance": 2}, "tolerance=: '2' is not a number above 0 and below 1"),
    ({"optimizer": "sgd"}, "optimizer=: 'sgd' is not one of"),
    ({"precision": "half"}, "precision=: 'half' is not one of"),
    ({"max_passes": 0}, "max_passes=: '0' is not a whole number from 1 on"),
])
def test_options_out_of_range(task, options, text):
    expect(ValueError, text, lambda: MixClassifier(**options).fit(task.X, task.y))


@pytest.mark.parametrize("options, text", [
    ({"e_step": "twice"}, "e_step=: 'twice' is not training, loo or crossfit:K"),
    ({"gate": "soft"}, "gate=: 'soft' is not one of"),
    ({"beta": (0.5, 1)}, "beta=: '0.5' is not a number from 1 on"),
    ({"pi": "guess"}, "pi=: 'guess' is not one of"),
    ({"pi_init": {"web": 0.5}}, "unknown domain 'web'"),
    ({"rounds": 0}, "rounds=: '0' is not a whole number from 1 on"),
])
def test_mega_options_out_of_range(task, options, text):
    clf = MegaClassifier("phone", **options)
    expect(ValueError, text, lambda: clf.fit(task.X, task.y, sample_domain=task.domain))


def test_domain_probabilities_need_a_gate(task):
    clf = MixClassifier().fit(task.X, task.y)
    expect(ValueError, "a 'mix' model has no gate", lambda: clf.predict_domain_proba(task.X))
    assert not hasattr(clf, "general_share_")


def test_training_that_stops_early_warns(task):
    from sklearn.exceptions import ConvergenceWarning

    with pytest.warns(ConvergenceWarning, match="before the tolerance was reached"):
        MixClassifier(max_passes=2, tolerance=1e-9).fit(task.X, task.y)


def test_a_label_of_one_domain_warns(task):
    y = task.y.copy()
    y[np.flatnonzero(~task.target)[:3]] = 9
    with pytest.warns(UserWarning, match="only 'news' has rows of the label 9"):
        MegaClassifier("phone").fit(task.X, y, sample_domain=task.domain)


def test_a_file_that_is_no_model(tmp_path):
    path = tmp_path / "m.mega"
    path.write_text("not a model")
    expect(ValueError, "m.mega", lambda: megadapt.load(path))
    expect(ValueError, "cannot be read", lambda: megadapt.load(tmp_path / "absent.mega"))

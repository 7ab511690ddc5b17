"""TargetKFold and EasyAdaptTransformer."""
import numpy as np
import pytest
from scipy import sparse

from megadapt import EasyAdaptTransformer, TargetKFold


def test_every_target_row_is_tested_once_and_every_source_row_trained_on(task):
    tested = []
    for train, test in TargetKFold(4, target_domain="phone", random_state=0).split(
            task.X, task.y, groups=task.domain):
        assert set(np.flatnonzero(~task.target)) <= set(train)
        assert not set(train) & set(test)
        assert len(train) + len(test) == len(task.y)
        tested += test.tolist()
    assert sorted(tested) == np.flatnonzero(task.target).tolist()


def test_folds_are_stratified_and_depend_on_the_seed_alone(task):
    def tests(seed):
        cv = TargetKFold(3, target_domain="phone", random_state=seed)
        return [test.tolist() for _, test in cv.split(task.X, task.y, groups=task.domain)]

    assert tests(1) == tests(1) != tests(2)
    shares = [np.bincount(task.y[test], minlength=3) / len(test) for test in tests(1)]
    assert np.ptp(shares, axis=0).max() < 0.05


def test_the_negative_domain_is_the_target(task):
    signed = np.where(task.target, -1, 3)
    for _, test in TargetKFold(2).split(task.X, groups=signed):
        assert (signed[test] == -1).all()


def test_what_cannot_be_split(task):
    with pytest.raises(ValueError, match="groups"):
        next(TargetKFold(2).split(task.X))
    with pytest.raises(ValueError, match="1 rows, too few for 2 folds"):
        next(TargetKFold(2, target_domain="b").split([[1], [2]], groups=["a", "b"]))
    assert TargetKFold(7).get_n_splits() == 7
    assert repr(TargetKFold(2)) == (
        "TargetKFold(n_splits=2, target_domain=None, shuffle=True, random_state=None)")


def test_easy_adapt_copies_features(task):
    transformer = EasyAdaptTransformer("phone", scale=0.5)
    dense = transformer.fit_transform(task.dense, sample_domain=task.domain)
    assert dense.shape == (400, 180)
    np.testing.assert_array_equal(dense[:, :60], task.dense)
    np.testing.assert_array_equal(dense[task.target, 120:], 0.5 * task.dense[task.target])
    assert not dense[task.target, 60:120].any()
    rows = transformer.fit_transform(task.X, sample_domain=task.domain)
    assert sparse.issparse(rows)
    np.testing.assert_array_equal(rows.toarray(), dense)
    unknown = transformer.transform(task.X)  # as the target
    np.testing.assert_array_equal(unknown[:, 120:].toarray(), 0.5 * task.dense)
    assert transformer.get_feature_names_out()[[0, 60, 120]].tolist() == [
        "x0", "news:x0", "phone:x0"]

"""Use with scikit-learn's tools, which pass the domains on."""
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction import DictVectorizer
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score, learning_curve
from sklearn.pipeline import make_pipeline

from megadapt import EasyAdaptTransformer, MegaClassifier, MixClassifier, PriorClassifier, TargetKFold


def folds():
    return TargetKFold(3, target_domain="phone", random_state=1)


def test_grid_search(task):
    search = GridSearchCV(PriorClassifier("phone"), {"variance": [1e-4, 0.1, 1]}, cv=folds())
    search.fit(task.X, task.y, groups=task.domain, sample_domain=task.domain)
    assert search.best_params_["variance"] > 1e-4
    assert search.best_estimator_.domains_.tolist() == ["news", "phone"]


def test_cross_val_score(classifier, task):
    scores = cross_val_score(classifier, task.X, task.y, groups=task.domain, cv=folds(),
                             fit_params={"sample_domain": task.domain})
    assert scores.shape == (3,) and scores.min() > 0.3


def test_learning_curve(task):
    sizes, train, test = learning_curve(
        MegaClassifier("phone"), task.X, task.y, groups=task.domain, cv=folds(),
        train_sizes=[0.5, 1.0], fit_params={"sample_domain": task.domain}, shuffle=True,
        random_state=1)
    assert len(sizes) == 2 and test.shape == (2, 3) and np.isfinite(test).all()


def test_calibration(task):
    calibrated = CalibratedClassifierCV(MegaClassifier("phone"), cv=2)
    calibrated.fit(task.X, task.y, sample_domain=task.domain)
    np.testing.assert_allclose(calibrated.predict_proba(task.X).sum(axis=1), 1)


TEXTS = ["a moving story", "dull and long", "long battery life", "short life"] * 5
LABELS, DOMAINS = ["good", "bad"] * 10, ["books", "books", "phones", "phones"] * 5


@pytest.mark.parametrize("vectorizer", [CountVectorizer(), TfidfVectorizer()])
def test_pipeline_of_texts(vectorizer):
    pipe = make_pipeline(vectorizer, MegaClassifier("phones"))
    pipe.fit(TEXTS, LABELS, megaclassifier__sample_domain=DOMAINS)
    assert pipe.predict(["long battery"]).tolist() == ["good"]
    assert pipe.named_steps["megaclassifier"].predict_proba(
        vectorizer.transform(TEXTS)).shape == (20, 2)


def test_pipeline_of_dicts():
    rows = [{"word": text.split()[0], "length": len(text)} for text in TEXTS]
    pipe = make_pipeline(DictVectorizer(), MixClassifier("phones"))
    pipe.fit(rows, LABELS, mixclassifier__sample_domain=DOMAINS)
    assert pipe.predict(rows).tolist() == LABELS


def test_pipeline_with_easy_adapt(task):
    pipe = make_pipeline(EasyAdaptTransformer("phone"), MixClassifier())
    pipe.fit(task.X, task.y, easyadapttransformer__sample_domain=task.domain)
    from megadapt import EasyAdaptClassifier

    direct = EasyAdaptClassifier("phone").fit(task.X, task.y, sample_domain=task.domain)
    assert (pipe.predict(task.X) == direct.predict(task.X)).mean() > 0.97


def test_clone_and_repr(classifier, task):
    classifier.set_params(variance=0.25, n_jobs=2)
    copy = clone(classifier.fit(task.X, task.y, sample_domain=task.domain))
    assert copy.get_params() == classifier.get_params()
    assert not hasattr(copy, "classes_")
    name = type(classifier).__name__
    assert repr(copy) == f"{name}(n_jobs=2, target_domain='phone', variance=0.25)"


def test_data_frames_keep_their_names(task):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(task.dense, columns=[f"word{i}" for i in range(60)])
    clf = MixClassifier().fit(frame, task.y)
    assert clf.feature_names_in_.tolist() == frame.columns.tolist()
    with pytest.raises(ValueError, match="feature names"):
        clf.predict(frame[frame.columns[::-1]])

"""A small synthetic adaptation task, and all classifiers."""
import numpy as np
import pytest
from scipy import sparse

import megadapt

CLASSIFIERS = [
    megadapt.EasyAdaptClassifier,
    megadapt.FeatsClassifier,
    megadapt.LinearInterpolationClassifier,
    megadapt.MegaClassifier,
    megadapt.MixClassifier,
    megadapt.OnlySourceClassifier,
    megadapt.OnlyTargetClassifier,
    megadapt.PoolClassifier,
    megadapt.PriorClassifier,
    megadapt.StackClassifier,
]


class Task:
    """Rows of "news" and fewer of "phone"; some features have another meaning there."""

    def __init__(self, rows=400, features=60, classes=3, seed=0, values=False):
        rng = np.random.default_rng(seed)
        self.domain = np.where(rng.random(rows) < 0.75, "news", "phone")
        X = (rng.random((rows, features)) < 0.2).astype(float)
        if values:
            X *= rng.normal(size=X.shape)
        weights = {"news": rng.normal(size=(features, classes))}
        changed = rng.random(features) < 0.15
        weights["phone"] = np.where(changed[:, None], -weights["news"], weights["news"])
        scores = np.stack([x @ weights[d] for x, d in zip(X, self.domain)])
        self.y = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
        self.dense = X
        self.X = sparse.csr_matrix(X)
        self.target = self.domain == "phone"


@pytest.fixture(scope="session")
def task():
    return Task()


@pytest.fixture(params=CLASSIFIERS, ids=lambda c: c.__name__)
def classifier(request):
    return request.param("phone")

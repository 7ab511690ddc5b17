"""scikit-learn's own checks, all of them, for every estimator."""
from conftest import CLASSIFIERS
from sklearn.utils.estimator_checks import parametrize_with_checks

from megadapt import EasyAdaptTransformer, MegaClassifier


@parametrize_with_checks(
    [c() for c in CLASSIFIERS] + [MegaClassifier(system="megaloo"), EasyAdaptTransformer()]
)
def test_scikit_learn(estimator, check):
    check(estimator)

"""scikit-learn's own checks, all of them, for every estimator."""
from conftest import CLASSIFIERS
from sklearn.utils.estimator_checks import parametrize_with_checks

from megadapt import EasyAdaptTransformer


# Some checks compare probabilities to 1e-9, which single precision does not reach.
@parametrize_with_checks(
    [c(precision="double") for c in CLASSIFIERS]
    + [EasyAdaptTransformer()]
)
def test_scikit_learn(estimator, check):
    check(estimator)

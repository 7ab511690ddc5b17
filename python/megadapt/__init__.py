"""Classifiers for domains with few labelled rows, trained with the help of other domains.

For example::

    from megadapt import MegaClassifier
    clf = MegaClassifier(target_domain="phones").fit(X, y, sample_domain=domain)
    clf.predict_proba(X_new)
"""
from ._core import __version__
from .adaptation import adapt, diff
from .classifiers import (
    EasyAdaptClassifier,
    FeatsClassifier,
    LinearInterpolationClassifier,
    MegaClassifier,
    MixClassifier,
    OnlySourceClassifier,
    OnlyTargetClassifier,
    PoolClassifier,
    PriorClassifier,
    StackClassifier,
)
from .comparison import compare, learning_curve, relate, tune
from .easy_adapt import EasyAdaptTransformer
from .files import load
from .selection import next_rows
from .splits import TargetKFold
from .tagging import MemmTagger, Tagger  # noqa: F401 (MemmTagger is the old name)
from .text import TextClassifier

__all__ = [
    "EasyAdaptClassifier",
    "EasyAdaptTransformer",
    "FeatsClassifier",
    "LinearInterpolationClassifier",
    "MegaClassifier",
    "MixClassifier",
    "OnlySourceClassifier",
    "OnlyTargetClassifier",
    "PoolClassifier",
    "PriorClassifier",
    "StackClassifier",
    "Tagger",
    "TargetKFold",
    "TextClassifier",
    "__version__",
    "adapt",
    "compare",
    "diff",
    "learning_curve",
    "load",
    "next_rows",
    "relate",
    "tune",
]

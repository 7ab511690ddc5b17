"""Model files, which Python and the command line share."""
from __future__ import annotations

from typing import Any, Union

from . import _core
from ._base import DomainClassifier
from .classifiers import BY_SYSTEM
from .tagging import TAGGER, Tagger
from .text import TEXT, TextClassifier


def load(path: Any) -> Union[DomainClassifier, TextClassifier, Tagger]:
    """Loads a classifier or tagger from a model file of Python or of `megadapt train`.

    A model of a task becomes a `Tagger` of plain tokens, a model of text a `TextClassifier`,
    and any other the classifier of its system, with the parameters and the target domain that
    the model was trained with. For a classifier the columns of X are the model's features in
    the order of `feature_names_`. Classes are strings, unless Python saved the model: then they
    have their original type.

    Examples
    --------
    >>> import os, tempfile, megadapt
    >>> clf = megadapt.MixClassifier().fit([[0.0], [1.0]], [3, 5])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "m.mega")
    ...     clf.save(path)
    ...     megadapt.load(path).predict([[1.0]])
    array([5])
    """
    model = _core.Model.load(str(path))
    if model.task == "mention-type":
        raise ValueError(f"{path}: a model of the task '{model.task}' reads marked spans\n"
                         "fix: use the command line: megadapt predict")
    if model.task or TAGGER in dict(model.options):
        return Tagger()._adopt(model)
    if model.feature_columns:
        raise ValueError(f"{path}: the model also reads the columns "
                         f"{', '.join(model.feature_columns)}\n"
                         "fix: use the command line: megadapt predict")
    if model.reads_text or TEXT in dict(model.options):
        return TextClassifier()._adopt(model)
    if model.bins_values:
        raise ValueError(f"{path}: the model bins real values, which Python does not do\n"
                         "fix: use the command line, or train without --bin")
    return BY_SYSTEM[model.system]()._adopt(model)

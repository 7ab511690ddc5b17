"""A classifier of raw texts, which a model's own recipe turns into features."""
from __future__ import annotations

import json
import os
import tempfile
import textwrap
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._base import (
    DOMAINS,
    LinearWeights,
    label_types,
    members_of,
    recorded_members,
    refuse_target_alone,
    restored,
    seed_of,
    settings_of,
    unusual_options,
)
from ._domains import domain_labels, find_target, predicted_names
from ._pages import Explanation
from ._progress import ProgressBar
from .classifiers import BY_SYSTEM

#: Recorded in a model that Python trained on texts.
TEXT = "python-text"

_READING = ("word_ngrams", "char_ngrams", "lower_case", "text_weights", "min_count")
#: Parameters about files of words: training reads the files, the model keeps what it needs.
_WORDS = ("word_classes", "word_vectors", "vector_classes")
#: Further options that `reading` may have; `load` takes them from the model.
_FURTHER = ("hash-bits", "bias")


def checked_texts(X: Any) -> list[str]:
    if isinstance(X, (str, bytes)):
        raise ValueError("X is one text\nfix: give a list of texts")
    texts = list(X)
    for n, text in enumerate(texts):
        if not isinstance(text, str):
            raise ValueError(f"X[{n}] is {type(text).__name__}, not a text\n"
                             "fix: give a list of texts; columns of numbers need another class")
    return texts


def reading_settings(reading: dict[str, Any]) -> list[tuple[str, str]]:
    """Returns the options for reading texts, by their names on the command line."""
    return [("format", "jsonl"),
            *((name.replace("_", "-"),
               str(value).lower() if isinstance(value, (bool, np.bool_)) else str(value))
              for name, value in reading.items())]


def keywords_of_reading(reading: dict[str, Any]) -> dict[str, Any]:
    """Returns the options for reading texts as parameters of `TextClassifier`."""
    named = {name.replace("-", "_"): value for name, value in reading.items()}
    further = {name: value for name, value in named.items() if name not in _READING}
    if further.get("bias", True):
        further.pop("bias", None)
    own = {name: value for name, value in named.items() if name in _READING}
    return {**own, "reading": further} if further else own


@contextmanager
def text_file(
    texts: Sequence[str], y: np.ndarray, domains: np.ndarray, weight: np.ndarray, groups: Any
) -> Iterator[str]:
    """Writes rows as JSON Lines, which are read as on the command line."""
    if groups is not None:
        check_consistent_length(texts, groups)
        groups = np.asarray(groups)  # a Series is indexed by its labels
    file = tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False, encoding="utf-8")
    try:
        with file:
            for n, text in enumerate(texts):
                row = {"label": str(y[n]), "text": text, "domain": str(domains[n]),
                       "weight": float(weight[n])}
                if groups is not None:
                    row["group"] = str(groups[n])
                file.write(json.dumps(row) + "\n")
        yield file.name
    finally:
        os.unlink(file.name)


@contextmanager
def unlabelled_file(texts: Optional[Sequence[str]]) -> Iterator[str]:
    """Writes texts without labels as JSON Lines; "" if there are none."""
    if texts is None:
        yield ""
        return
    file = tempfile.NamedTemporaryFile("w", suffix=".jsonl", delete=False, encoding="utf-8")
    try:
        with file:
            for text in checked_texts(texts):
                file.write(json.dumps({"text": text}) + "\n")
        yield file.name
    finally:
        os.unlink(file.name)


@dataclass(eq=False, repr=False)
class TextClassifier(LinearWeights, ClassifierMixin, BaseEstimator):
    """Classifies texts with any of the systems.

    The model carries the recipe that makes features of a text. So its file gives the same
    answer here, on the command line and over HTTP.

    Parameters
    ----------
    target_domain : label, optional
        The domain to predict for, as in the other classifiers.
    system : str, default "pool"
        Any system of the command line. Without domains, `mix` takes its place.
    word_ngrams : int, default 1
        Words and sequences of up to this many words are features.
    char_ngrams : int, default 0
        Sequences of up to this many characters of a word are features, too.
    lower_case : bool, default True
    text_weights : {{weights}}, default "binary"
        The value of a word that occurs several times in a text.
    min_count : int, default 1
        Features that occur in fewer texts are dropped.
    word_classes : path, optional
        A table of words and classes (docs/words.md). The classes of words are features, too.
    word_vectors : path, optional
        A table of word vectors, whose words are grouped into classes.
    vector_classes : str, default "64,512"
        How many classes the words of `word_vectors` are grouped into.
    reading : dict, optional
        Further options for reading texts: "hash_bits" (replace the names of features by
        hashes of that many bits), "bias" (False: no constant feature).
    class_weight : "balanced", dict or ("balanced", dict), optional
        Weights of the classes; "balanced" gives all classes of a domain the same total weight.
    options : dict, optional
        Options of the system, such as {"variance": 0.3}, and "members" of a combination, as
        `tune` returns them. The systems' own classes describe them:
        {options}
    n_jobs, verbose, random_state
        As in the other classifiers.

    Attributes
    ----------
    classes_, domains_, target_domain_
        As in the other classifiers.
    feature_names_ : array of str
        The features, in the order of the columns of `coef_`.

    Examples
    --------
    >>> from megadapt import TextClassifier
    >>> texts = ["great film", "awful film", "great phone", "awful phone"] * 5
    >>> clf = TextClassifier("phones", system="mix")
    >>> clf.fit(texts, ["+", "-"] * 10, ["films", "films", "phones", "phones"] * 5)
    TextClassifier(system='mix', target_domain='phones')
    >>> clf.predict(["a great one"])
    array(['+'], dtype='<U1')
    """

    target_domain: Any = None
    system: str = "pool"
    word_ngrams: int = 1
    char_ngrams: int = 0
    lower_case: bool = True
    min_count: int = 1
    reading: Optional[dict[str, Any]] = None
    class_weight: Union[str, dict[Any, float], tuple[str, dict[Any, float]], None] = None
    options: Optional[dict[str, Any]] = None
    n_jobs: Optional[int] = None
    verbose: int = 0
    random_state: Any = None
    word_classes: Any = None
    word_vectors: Any = None
    vector_classes: Optional[str] = None
    text_weights: str = "binary"

    def fit(
        self,
        X: Sequence[str],
        y: Any,
        sample_domain: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
        unlabelled: Optional[Sequence[str]] = None,
    ) -> TextClassifier:
        """Trains on texts; the other arguments are those of the other classifiers."""
        texts = checked_texts(X)
        y = column_or_1d(np.asarray(y))
        check_consistent_length(texts, y)
        if sample_domain is None:
            refuse_target_alone(self.target_domain)
            labels = np.repeat("target", len(texts))
        else:
            labels = domain_labels(sample_domain, texts)
        domains = np.unique(labels)
        target = find_target(domains, self.target_domain)
        weight = _check_sample_weight(sample_weight, np.empty((len(texts), 1)),
                                      only_non_negative=True)
        with text_file(texts, y, labels, weight, groups) as path, \
                unlabelled_file(unlabelled) as more:
            self._train(path, np.unique(y), domains, str(target), sample_domain is None, more)
        return self._complete()

    def _train(self, path: str, classes: np.ndarray, domains: np.ndarray, target: str,
               alone: bool, unlabelled: str = "") -> None:
        known = BY_SYSTEM.get(self.system)  # the compiled part refuses another name
        system = "mix" if alone and known and known._needs_source else self.system
        settings = {**(self.options or {})}
        members = settings.pop("members", None)
        if self.class_weight is not None:
            settings["class_weight"] = self.class_weight
        reading = {**{name: getattr(self, name) for name in _READING},
                   **{name: getattr(self, name) for name in _WORDS
                      if getattr(self, name) is not None},
                   **(self.reading or {})}
        with ProgressBar() as bar:
            self._model = _core.fit_file(
                path,
                reading=reading_settings(reading),
                system=system,
                target=target,
                settings=settings_of(settings),
                seed=seed_of(self.random_state),
                recorded=[(TEXT, "yes"), *label_types(classes, domains, False)],
                members=members_of(members),
                unlabelled=unlabelled,
                threads=self._threads(),
                progress=bar if self.verbose else None,
            )

    def _complete(self) -> TextClassifier:
        """Takes over what the model knows about its classes and domains."""
        model, options = self._model, dict(self._model.options)
        labels = restored(model.labels, options.get("python-classes"))
        self._order = np.argsort(labels, kind="stable")  # the model's are in order of occurrence
        self.classes_ = labels[self._order]
        self.domains_ = restored(model.domains, options.get(DOMAINS))
        self.target_domain_ = self.domains_[model.domains.index(model.target)]
        self.feature_names_ = np.array(model.columns, dtype=object)
        return self

    def predict_proba(self, X: Sequence[str], sample_domain: Any = None) -> np.ndarray:
        """p(class | text), shape (n_texts, n_classes), in the order of `classes_`."""
        return self._predicted(X, sample_domain)[0][:, self._order]

    def predict_log_proba(self, X: Sequence[str], sample_domain: Any = None) -> np.ndarray:
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X, sample_domain))

    def predict(self, X: Sequence[str], sample_domain: Any = None) -> np.ndarray:
        """Returns the most probable class of every text."""
        probability = self.predict_proba(X, sample_domain)
        return self.classes_[probability.argmax(axis=1)]

    def predict_domain_proba(self, X: Sequence[str], sample_domain: Any = None) -> np.ndarray:
        """P(general | text) of a MEGA model, shape (n_texts,)."""
        general = self._predicted(X, sample_domain)[1]
        if not general and len(X):
            raise ValueError(f"a '{self._model.system}' model has no gate\n"
                             "fix: train a system with a general component, such as megam")
        return np.array(general)

    def explain(
        self,
        X: Sequence[str],
        sample_domain: Any = None,
        *,
        label: Any = None,
        against: Any = None,
        top: Optional[int] = None,
    ) -> list[Explanation]:
        """Returns what each feature of a text adds to its prediction, as in `MegaClassifier`."""
        check_is_fitted(self, "classes_")
        texts = checked_texts(X)
        ids = [None if c is None else self._class_id(c) for c in (label, against)]
        found = _core.explain_texts(
            self._model, texts, domains=predicted_names(sample_domain, self, texts),
            label=ids[0], against=ids[1], top=top)
        return [Explanation(json.loads(text)) for text in found]

    def save(self, path: Any) -> None:
        """Writes a model file, which the command line and `megadapt.load` read."""
        check_is_fitted(self, "classes_")
        self._model.save(str(path))

    def _adopt(self, model: _core.Model) -> TextClassifier:
        """Takes over a loaded model, as if fit had trained it."""
        self._model = model
        self._complete()
        self.system = model.system
        recorded = dict(model.options)
        for name in _READING:
            text = recorded.get(name.replace("_", "-"))
            if text is not None:
                kind = type(getattr(self, name))
                setattr(self, name, text == "true" if kind is bool else kind(text))
        for name in _WORDS:
            setattr(self, name, recorded.get(name.replace("_", "-")))
        usual = {option["name"]: option["default"] for option in _core.recipe_options()}
        further = {name.replace("-", "_"): recorded[name] for name in _FURTHER
                   if recorded.get(name, usual[name]) != usual[name]}
        self.reading = further or None
        others = unusual_options(model.options, model.system)
        self.class_weight = others.pop("class_weight", None)
        if members := recorded_members(model.options):
            others["members"] = members
        self.options = others or None
        if len(self.domains_) > 1:
            self.target_domain = self.target_domain_
        self.random_state = None if model.seed == 1 else model.seed
        return self

    def _predicted(self, X: Sequence[str], sample_domain: Any) -> tuple[np.ndarray, list[float]]:
        check_is_fitted(self, "classes_")
        texts = checked_texts(X)
        return _core.predict_texts(
            self._model, texts, domains=predicted_names(sample_domain, self, texts),
            threads=self._threads())

    def _class_id(self, label: Any) -> int:
        found = np.flatnonzero(self.classes_ == label)
        if len(found) == 0:
            known = ", ".join(map(str, self.classes_.tolist()))
            raise ValueError(f"the model knows no label '{label}'\nfix: use one of: {known}")
        return int(self._order[found[0]])

    def _threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))


def _named(names: Sequence[str]) -> str:
    return textwrap.fill(", ".join(names) + ".", 84).replace("\n", "\n        ")


TextClassifier.__doc__ = (TextClassifier.__doc__ or "").replace(
    "{options}", _named([option["keyword"] for option in _core.options()
                         if option["keyword"] != "class_weight"])
).replace(
    "{weights}", ", ".join(f'"{name}"' for option in _core.recipe_options()
                           if option["name"] == "text-weights" for name in option["choices"]))

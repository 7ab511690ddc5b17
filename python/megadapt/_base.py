"""The base of all classifiers: the scikit-learn interface to the compiled systems."""
from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import Any, ClassVar, Optional, Sequence

import numpy as np
from joblib import effective_n_jobs
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted

from . import _core
from ._compat import validate_data
from ._domains import domain_labels, find_target, predicted_ids, predicted_names
from ._pages import Explanation
from ._progress import ProgressBar
from ._rows import as_rows, check_same_width, group_ids, training_rows

#: Recorded in the model so that load() can restore the type of the classes of y.
_CLASSES = "python-classes"
DOMAINS = "python-domains"
NAMED = ("python-feature-names", "yes")  # if X had names in fit


def seed_of(random_state: Any) -> int:
    """Returns the seed: an integer as it is, the default of --seed (1) for None."""
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)) and random_state >= 0:
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def options_of(*systems: str) -> list[dict[str, Any]]:
    """Returns the options of the table that one of the systems reads."""
    return [option for option in _core.options() if set(systems) & set(option["systems"])]


def default_of(option: dict[str, Any]) -> Any:
    """Returns the default of an option in its Python type; None means the system's own."""
    text = option["default"]
    if text is None or option["type"] == "str":
        return text
    if option["type"].startswith("int"):
        return int(text) if text.lstrip("-").isdigit() else text  # rounds may be "auto"
    numbers = tuple(map(float, text.split(",")))
    return numbers if option["type"].startswith("tuple") else numbers[0]


#: The defaults of all options by keyword.
DEFAULTS = {option["keyword"]: default_of(option) for option in _core.options()}


def annotation_of(option: dict[str, Any]) -> str:
    """Returns the type of an option as an annotation."""
    types = option["type"].split(" or ")
    annotation = types[0] if len(types) == 1 else f"Union[{', '.join(types)}]"
    return f"Optional[{annotation}]" if option["default"] is None else annotation


def with_options(*systems: str) -> Any:
    """Makes a dataclass whose fields include the options of the table that the systems read.

    Without systems, these are the options that every system reads. Options that a base class
    has already, or that the class offers under another name (`_renamed`), are left out.
    """

    def extended(cls: type) -> type:
        every = {name for name, _ in _core.systems()}
        found = (options_of(*systems) if systems else
                 [option for option in _core.options() if every <= set(option["systems"])])
        known = {*getattr(cls, "__dataclass_fields__", ()), *cls._renamed}
        new = [option for option in found if option["keyword"] not in known]
        own = cls.__dict__.get("__annotations__", {})
        first = {name: own[name] for name in own if name == "target_domain"}
        cls.__annotations__ = {**first, **{o["keyword"]: annotation_of(o) for o in new}, **own}
        for option in new:
            setattr(cls, option["keyword"], default_of(option))
        return dataclass(eq=False, repr=False)(cls)

    return extended


def option_texts(value: Any) -> list[str]:
    """Returns a value as texts for the command line: none for None, several for a dict."""
    if value is None:
        return []
    if isinstance(value, dict):
        return [f"{name}={number}" for name, number in value.items()]
    if isinstance(value, (tuple, list)):
        if any(isinstance(part, dict) for part in value):  # ("balanced", {"spam": 2})
            return [text for part in value for text in option_texts(part)]
        return [",".join(map(str, value))]
    return [str(value)]


def settings_of(options: Optional[dict[str, Any]]) -> list[tuple[str, str]]:
    """Returns options by name; names may be those of the command line or of keywords."""
    return [(name.replace("_", "-"), text) for name, value in (options or {}).items()
            for text in option_texts(value)]


def typed(option: dict[str, Any], texts: Sequence[str]) -> Any:
    """Converts the texts of an option to its Python type."""
    types = option["type"].split(" or ")
    if option["repeats"]:
        named = {name: float(number)
                 for name, number in (text.rsplit("=", 1) for text in texts if "=" in text)}
        plain = [text if types[0] == "str" else float(text) for text in texts if "=" not in text]
        if named and plain:
            return (plain[0], named)
        return named or plain[0]
    return default_of({**option, "type": types[0], "default": texts[0]})


def keywords_of(settings: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Returns settings of the table as keyword arguments: {"source_variance": 0.3}."""
    texts: dict[str, list[str]] = {}
    for name, text in settings:
        texts.setdefault(name, []).append(text)
    return {option["keyword"]: typed(option, texts[option["name"]])
            for option in _core.options() if option["name"] in texts}


def unusual_options(settings: Sequence[tuple[str, str]], system: str) -> dict[str, Any]:
    """Returns the settings that differ from the system's defaults."""
    own = {option["keyword"]: typed(option, [option["system_defaults"][system]])
           for option in _core.options() if system in option["system_defaults"]}
    return {name: value for name, value in keywords_of(settings).items()
            if value != DEFAULTS[name] and value != own.get(name)}


#: The members of a combination for the compiled part: system, settings, weight.
Members = list[tuple[str, list[tuple[str, str]], Optional[float]]]


def members_of(members: Optional[dict[str, dict[str, Any]]]) -> Members:
    """Returns {"mix": {"variance": 0.1, "weight": 0.4}, ...} for the compiled part."""
    return [(name, settings_of({k: v for k, v in own.items() if k != "weight"}),
             own.get("weight")) for name, own in (members or {}).items()]


def member_keywords(members: Members) -> dict[str, dict[str, Any]]:
    """The reverse of `members_of`."""
    return {name: {**keywords_of(settings), **({} if weight is None else {"weight": weight})}
            for name, settings, weight in members}


def recorded_members(options: Sequence[tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Returns the members that a model has recorded: "mix weight=0.4 variance=0.1"."""
    members: Members = []
    for name, text in options:
        if name == "member":
            system, *pairs = text.split(" ")
            settings = [tuple(pair.split("=", 1)) for pair in pairs]
            weight = next((float(v) for k, v in settings if k == "weight"), None)
            members.append((system, [(k, v) for k, v in settings if k != "weight"], weight))
    return member_keywords(members)


def refuse_target_alone(target_domain: Any) -> None:
    """Raises an error for a target domain where no row has a domain."""
    if target_domain is not None:
        raise ValueError(
            f"target_domain={target_domain!r} is given, but the rows have no domains\n"
            "fix: give sample_domain=, the domain of every row, or leave target_domain out"
        )


def is_text(X: Any) -> bool:
    """Whether X consists of texts rather than rows of numbers."""
    if isinstance(X, (str, bytes)) or sparse.issparse(X) or getattr(X, "ndim", 1) != 1:
        return False
    first = next(iter(X), None) if hasattr(X, "__iter__") else None
    return isinstance(first, str)


def label_types(
    classes: np.ndarray, domains: np.ndarray, named: bool
) -> list[tuple[str, str]]:
    """Returns what a model records so that load() can restore labels and columns."""
    types = [(_CLASSES, classes.dtype.str), (DOMAINS, domains.dtype.str)]
    return types + [NAMED] if named else types


def restored(names: Sequence[str], dtype: Optional[str]) -> np.ndarray:
    """Restores the type of labels or domains whose names were read from a model file."""
    values = np.array(names)
    if dtype is None:
        return values
    return values == "True" if np.dtype(dtype).kind == "b" else values.astype(dtype)


class LinearWeights:
    """Weights and decision values, as scikit-learn's linear models have them."""

    _model: _core.Model
    classes_: np.ndarray
    target_domain_: Any

    def _linear(self) -> tuple[np.ndarray, np.ndarray]:
        check_is_fitted(self, "classes_")
        found = self._model.linear_weights(self._model.domain(str(self.target_domain_)))
        if found is None:
            raise AttributeError(
                f"a '{self._model.system}' model is not linear and has no weights of its columns")
        coef, intercept = found
        order = getattr(self, "_order", slice(None))  # of the classes among the model's labels
        coef, intercept = coef[order], intercept[order]
        if len(self.classes_) == 2:
            return coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        return coef - coef.mean(axis=0), intercept - intercept.mean()

    @property
    def coef_(self) -> np.ndarray:
        """Weights for rows of the target, shape (n_classes, n_features) or (1, n_features).

        With two classes they are those of `classes_[1]` against `classes_[0]`; otherwise they
        sum to 0 over the classes. Models that are not linear, such as MEGA's, have none.
        """
        return self._linear()[0]

    @property
    def intercept_(self) -> np.ndarray:
        """The weights of the bias, shape (n_classes,) or (1,)."""
        return self._linear()[1]

    def decision_function(self, X: Any, sample_domain: Any = None) -> np.ndarray:
        """Log-odds of `classes_[1]`; with more than two classes, log p(class) minus its mean.

        For a linear model and rows of the target it is ``X @ coef_.T + intercept_``.
        """
        smallest = np.finfo(float).tiny
        log_p = np.log(np.maximum(self.predict_proba(X, sample_domain), smallest))  # type: ignore
        if log_p.shape[1] == 2:
            return log_p[:, 1] - log_p[:, 0]
        return log_p - log_p.mean(axis=1, keepdims=True)


@with_options()
class DomainClassifier(LinearWeights, ClassifierMixin, BaseEstimator):
    """The base of all classifiers, with the parameters that every system has."""

    target_domain: Any = None
    bias: bool = True
    n_jobs: Optional[int] = None
    verbose: int = 0
    random_state: Any = None

    _needs_source: ClassVar[bool] = False
    _renamed: ClassVar[dict[str, str]] = {}  # keywords of the table -> own parameters

    def _system(self) -> str:
        raise NotImplementedError

    def _value(self, option: dict[str, Any]) -> Any:
        """Returns the parameter for an option; None keeps the option's default."""
        return getattr(self, option["keyword"])

    # Fitting ---------------------------------------------------------------------------

    def fit(
        self,
        X: Any,
        y: Any,
        sample_domain: Any = None,
        sample_weight: Any = None,
        groups: Any = None,
        unlabelled: Any = None,
    ) -> DomainClassifier:
        """Trains on the rows of all domains for the target domain.

        Parameters
        ----------
        X : CSR matrix or array of shape (n_samples, n_features)
            A CSR matrix is not copied. The gate counts a feature as present if its value
            is above 0.
        y : array of shape (n_samples,)
            Any labels.
        sample_domain : array of shape (n_samples,), optional
            The domain of every row; any labels. Without it every row is from the target,
            and every classifier is plain multinomial logistic regression.
        sample_weight : array of shape (n_samples,), optional
        groups : array of shape (n_samples,), optional
            Rows of one group, such as a document, stay together when a system makes folds.
        unlabelled : CSR matrix or array of shape (n_unlabelled, n_features), optional
            Rows of the target without labels, to learn from by self-training. The parameters
            `unlabelled_weight` and `sharpen` say how.
        """
        X, y = validate_data(self, X, y, accept_sparse="csr", multi_output=False)
        if sample_domain is None:
            refuse_target_alone(self.target_domain)
            name = "target"
            domain, domains = np.zeros(len(y), dtype=np.uint32), np.array([name])
            # No domains are given, so a missing source is not an error.
            system = "mix" if self._needs_source else self._system()
            return self._fit(X, y, domain, domains, name, system, sample_weight, groups,
                             unlabelled)
        domains, domain = np.unique(domain_labels(sample_domain, X), return_inverse=True)
        target = find_target(domains, self.target_domain)
        return self._fit(X, y, domain, domains, target, self._system(), sample_weight, groups,
                         unlabelled)

    def fit_source_target(self, Xs: Any, ys: Any, Xt: Any, yt: Any) -> DomainClassifier:
        """Trains on separate source and target rows, as ADAPT's estimators do.

        The domains are called "source" and, unless `target_domain` names it, "target".
        """
        Xs, ys = validate_data(self, Xs, ys, accept_sparse="csr")
        Xt, yt = validate_data(self, Xt, yt, accept_sparse="csr")
        check_same_width(Xs, Xt)
        any_sparse = sparse.issparse(Xs) or sparse.issparse(Xt)
        X = sparse.vstack([Xs, Xt], format="csr") if any_sparse else np.vstack([Xs, Xt])
        target = "target" if self.target_domain is None else self.target_domain
        domain = np.repeat(np.array([0, 1], dtype=np.uint32), [len(ys), len(yt)])
        domains = np.array(["source", target])
        return self._fit(X, np.concatenate([ys, yt]), domain, domains, target, self._system())

    def _fit(
        self,
        X: Any,
        y: np.ndarray,
        domain: np.ndarray,
        domains: np.ndarray,
        target: Any,
        system: str,
        sample_weight: Any = None,
        groups: Any = None,
        unlabelled: Any = None,
    ) -> DomainClassifier:
        check_classification_targets(y)
        classes, label = np.unique(y, return_inverse=True)
        if len(classes) < 2:
            raise ValueError(
                f"all rows have one label, '{classes[0]}'\n"
                "fix: training needs rows of at least two labels, not of one class"
            )
        weight = _check_sample_weight(sample_weight, X, only_non_negative=True)
        rows = training_rows(
            X, self.bias, (label, classes), (domain, domains), weight, group_ids(groups, X)
        )
        if unlabelled is not None:
            more = validate_data(self, unlabelled, accept_sparse="csr", reset=False)
            rows.set_unlabelled(as_rows(more))
        types = label_types(classes, domains, hasattr(self, "feature_names_in_"))
        self._model, figures = self._train(rows, str(target), system, types)
        self.classes_ = classes
        self.domains_ = domains
        self.target_domain_ = target
        self._take_shares()
        self._take_figures(figures)
        return self

    def _train(
        self,
        rows: _core.TrainingRows,
        target: str,
        system: str,
        types: list[tuple[str, str]],
    ) -> tuple[_core.Model, dict[str, Any]]:
        arguments: dict[str, Any] = dict(
            system=system,
            target=target,
            settings=self._settings(system),
            seed=seed_of(self.random_state),
            recorded=types,
            members=members_of(getattr(self, "members", None)),
            threads=self._threads(),
        )
        if not self.verbose:
            return _core.fit(rows, **arguments)
        with ProgressBar() as bar:
            return _core.fit(rows, progress=bar, **arguments)

    def _take_shares(self) -> None:
        shares = self._model.general_share
        self.__dict__.pop("general_share_", None)  # from an earlier fit
        if shares:
            self.general_share_ = {d: shares[str(d)] for d in self.domains_.tolist()}

    def _take_figures(self, figures: dict[str, Any]) -> None:
        self.n_iter_ = max(1, figures["passes"])
        self.objective_ = figures["objective"]
        if not figures["converged"]:
            warnings.warn(
                "stopped before the tolerance was reached (estimated gap "
                f"{figures['gap']:.2g})\nfix: raise max_passes or tolerance",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _settings(self, system: str) -> list[tuple[str, str]]:
        """Returns the options that the system reads, as texts for the table."""
        return [(option["name"], text) for option in options_of(system)
                for text in option_texts(self._value(option))]

    def _threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))

    # Prediction ------------------------------------------------------------------------

    def _rows_and_domains(self, X: Any, sample_domain: Any) -> tuple[_core.Csr, Any]:
        check_is_fitted(self, "classes_")
        X = validate_data(self, X, accept_sparse="csr", reset=False)
        if sample_domain is None:
            return as_rows(X), None
        return as_rows(X), predicted_ids(sample_domain, self, X)

    def predict_proba(self, X: Any, sample_domain: Any = None) -> np.ndarray:
        """p(class | row), shape (n_samples, n_classes), in the order of `classes_`.

        Rows are from the target domain unless `sample_domain` says otherwise.
        """
        if is_text(X):
            return self._predict_texts(X, sample_domain)[0]
        rows, domain = self._rows_and_domains(X, sample_domain)
        return self._model.predict(rows, domain, self._threads())

    def _predict_texts(self, X: Any, sample_domain: Any) -> tuple[np.ndarray, list[float]]:
        """Predicts texts by the recipe of a model of the command line."""
        check_is_fitted(self, "classes_")
        if _CLASSES in dict(self._model.options):
            raise ValueError("X is text, but the model was trained on columns of numbers\n"
                             "fix: turn the texts into columns as for fit, or use TextClassifier")
        return _core.predict_texts(self._model, [str(text) for text in X],
                                   domains=predicted_names(sample_domain, self, X),
                                   threads=self._threads())

    def predict_log_proba(self, X: Any, sample_domain: Any = None) -> np.ndarray:
        """The logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X, sample_domain))

    def predict(self, X: Any, sample_domain: Any = None) -> np.ndarray:
        """Returns the most probable class of every row."""
        probability = self.predict_proba(X, sample_domain)
        return self.classes_[probability.argmax(axis=1)]

    def predict_domain_proba(self, X: Any, sample_domain: Any = None) -> np.ndarray:
        """P(general | row), shape (n_samples,): how likely a row comes from the general component.

        Raises ValueError if the system has no general component; only MegaClassifier has one.
        """
        rows, domain = self._rows_and_domains(X, sample_domain)
        return self._model.general(rows, domain, self._threads())

    def explain(
        self,
        X: Any,
        sample_domain: Any = None,
        *,
        label: Any = None,
        against: Any = None,
        top: Optional[int] = None,
        feature_names: Optional[Sequence[str]] = None,
    ) -> list[Explanation]:
        """Returns what each feature of a row adds to its prediction.

        The label (by default the predicted one) is explained against another (by default
        the runner-up). Their log-odds are a sum over the row's features. For MegaClassifier
        the log-odds of the gate are such a sum, too.

        Parameters
        ----------
        X, sample_domain
            As in `predict`.
        label, against : class, optional
        top : int, optional
            Keep only the strongest contributions of each sum; the rest are added up.
        feature_names : optional
            As in `save`.

        Returns
        -------
        list of Explanation
            For each row a dict, the result that `megadapt explain --json` prints (docs/explain.md).
        """
        rows, domain = self._rows_and_domains(X, sample_domain)
        names = self._column_names(feature_names)
        ids = [None if c is None else self._class_id(c) for c in (label, against)]
        return [Explanation(json.loads(text))
                for text in self._model.explain(rows, domain, ids[0], ids[1], top, names)]

    def _class_id(self, label: Any) -> int:
        found = np.flatnonzero(self.classes_ == label)
        if len(found) == 0:
            known = ", ".join(map(str, self.classes_.tolist()))
            raise ValueError(f"the model knows no label '{label}'\nfix: use one of: {known}")
        return int(found[0])

    # Files -----------------------------------------------------------------------------

    def save(self, path: Any, feature_names: Optional[Sequence[str]] = None) -> None:
        """Writes a model file, which the command line can read.

        `feature_names` names the columns as in rows of the command line, for example
        `vectorizer.get_feature_names_out()`. The default is the names that X had in fit, or
        else x0, x1, ...
        """
        check_is_fitted(self, "classes_")
        self._model.save(str(path), self._column_names(feature_names))

    def _column_names(self, feature_names: Optional[Sequence[str]]) -> list[str]:
        """Returns names for the columns; an empty list if the model's own names fit."""
        if feature_names is None:
            feature_names = getattr(self, "feature_names_in_", [])
        names = [str(name) for name in feature_names]
        if names and len(names) != self.n_features_in_:
            raise ValueError(
                f"there are {len(names)} feature names for {self.n_features_in_} features"
            )
        return names

    def _take_parameters(self, model: _core.Model) -> None:
        """Sets the parameters to those that the model was trained with."""
        known = self.get_params(deep=False)
        for keyword, value in keywords_of(model.options).items():
            keyword = self._renamed.get(keyword, keyword)
            if keyword in known:
                setattr(self, keyword, value)
        if "members" in known:
            self.members = recorded_members(model.options) or None  # type: ignore[attr-defined]
        self.bias = model.has_bias
        self.random_state = None if model.seed == 1 else model.seed

    def _adopt(self, model: _core.Model) -> DomainClassifier:
        """Takes over a loaded model, as if fit had trained it."""
        options = dict(model.options)
        columns = model.columns
        self._model = model
        self._take_parameters(model)
        self.classes_ = restored(model.labels, options.get(_CLASSES))
        self.domains_ = restored(model.domains, options.get(DOMAINS))
        self.target_domain_ = self.domains_[model.domains.index(model.target)]
        if len(self.domains_) > 1:
            self.target_domain = self.target_domain_
        self.n_features_in_ = len(columns)
        self.feature_names_ = np.array(columns, dtype=object)
        if NAMED[0] in options:
            self.feature_names_in_ = self.feature_names_
        self._take_shares()
        return self

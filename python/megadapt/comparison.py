"""Compares systems that are tuned, trained and tested on the same rows."""
from __future__ import annotations

import json
import os
from typing import Any, Optional, Sequence, Union

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_array, check_consistent_length, check_X_y, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight

from . import _core
from ._base import (
    NAMED,
    is_text,
    keywords_of,
    label_types,
    member_keywords,
    refuse_target_alone,
    seed_of,
    settings_of,
)
from ._domains import domain_labels, find_target
from ._pages import Relatedness, frames
from ._progress import ProgressBar, is_wanted
from ._rows import as_rows, check_same_width, group_ids, training_rows
from .classifiers import BY_SYSTEM
from .text import (
    TEXT,
    checked_texts,
    keywords_of_reading,
    reading_settings,
    text_file,
    unlabelled_file,
)


class _Problem:
    """Checked training and test rows of several domains."""

    def __init__(
        self,
        X: Any,
        y: Any,
        sample_domain: Any,
        target_domain: Any,
        X_test: Any,
        y_test: Any,
        sample_weight: Any,
        groups: Any,
        bias: bool,
        names: Sequence[str],
        reading: Optional[dict[str, Any]] = None,
        n_jobs: Optional[int] = None,
        unlabelled: Any = None,
    ) -> None:
        self.n_jobs = n_jobs
        self.unlabelled = unlabelled
        self.of_text = is_text(X)
        if self.of_text:
            X, y = checked_texts(X), column_or_1d(np.asarray(y))
            check_consistent_length(X, y)
        elif reading is not None:
            raise ValueError("reading= is for texts, and X is a matrix\nfix: leave it out")
        else:
            X, y = check_X_y(X, y, accept_sparse="csr", dtype=None)
        check_classification_targets(y)
        if sample_domain is None:
            refuse_target_alone(target_domain)
            sample_domain = np.repeat("target", len(y))
        labels = domain_labels(sample_domain, X)
        self.domains, domain = np.unique(labels, return_inverse=True)
        self.target = find_target(self.domains, target_domain)
        self.classes, label = np.unique(y, return_inverse=True)
        weight = _check_sample_weight(sample_weight, np.empty((len(y), 1)),
                                      only_non_negative=True)
        self.recorded = label_types(self.classes, self.domains, False)
        if self.of_text:
            self._read(X, y, labels, weight, groups, {"bias": bias, **(reading or {})})
            self.test = None if X_test is None else self._read_test(X_test, y_test)
            return
        self.train = training_rows(
            X, bias, (label, self.classes), (domain, self.domains), weight, group_ids(groups, X),
            names
        )
        if unlabelled is not None:
            more = check_array(unlabelled, accept_sparse="csr", dtype=None)
            check_same_width(X, more)
            self.train.set_unlabelled(as_rows(more))
        self.test = None if X_test is None else self._test_rows(X, X_test, y_test, bias, names)

    def keywords(self, system: str, found: dict[str, Any]) -> dict[str, Any]:
        """Returns the result of tuning as parameters of a classifier of such rows."""
        if not self.of_text:
            return tuned_keywords(system, found)
        options = keywords_of(found["tuned"])
        if found["members"]:
            options = {"members": member_keywords(found["members"])}
        options.update(later_choices(found))
        return {"system": system, **self.reading, "options": options}

    def _read(self, X: list[str], y: np.ndarray, labels: np.ndarray, weight: np.ndarray,
              groups: Any, reading: dict[str, Any]) -> None:
        """Reads texts as `TextClassifier` and the command line do."""
        self.reading = keywords_of_reading(reading)
        with text_file(X, y, labels, weight, groups) as path, \
                unlabelled_file(self.unlabelled) as more:
            self.train, recorded = _core.file_rows(
                path, reading=reading_settings(reading), target=str(self.target),
                unlabelled=more, threads=int(effective_n_jobs(self.n_jobs)))
        self.recorded += [(TEXT, "yes"), *recorded]

    def _read_test(self, X_test: Any, y_test: Any) -> _core.TrainingRows:
        texts, y = checked_texts(X_test), column_or_1d(np.asarray(y_test))
        check_consistent_length(texts, y)
        labels = np.repeat(str(self.target), len(y))
        with text_file(texts, y, labels, np.ones(len(y)), None) as path:
            return _core.file_test_rows(path, self.train, target=str(self.target))

    def _test_rows(
        self, X: Any, X_test: Any, y_test: Any, bias: bool, names: Sequence[str]
    ) -> _core.TrainingRows:
        X_test, y_test = check_X_y(X_test, y_test, accept_sparse="csr", dtype=None)
        check_same_width(X, X_test)
        place = {c: i for i, c in enumerate(self.classes.tolist())}
        for label in np.unique(y_test).tolist():  # labels that training lacks come last
            place.setdefault(label, len(place))
        ids = np.array([place[label] for label in y_test.tolist()])
        target = np.flatnonzero(self.domains == self.target)
        domain = np.repeat(target if len(target) else 0, len(ids))
        return training_rows(
            X_test, bias, (ids, list(place)), (domain, self.domains), np.ones(len(ids)), None,
            names
        )


def _column_names(X: Any, feature_names: Optional[Sequence[str]], shown: bool) -> list[str]:
    """Returns names for the columns if a report or a model shows them, otherwise an empty list."""
    if is_text(X):
        return []
    if feature_names is None:
        feature_names = getattr(X, "columns", []) if shown else []  # of a data frame
    names = [str(name) for name in feature_names]
    if names and len(names) != np.shape(X)[1]:
        raise ValueError(f"there are {len(names)} feature names for {np.shape(X)[1]} features")
    return names


class _Page:
    """The file of a report; it is written completely or not at all.

    It is opened before the work begins, so that an unwritable path is reported at once.
    """

    def __init__(self, path: Any) -> None:
        self._path = None if path is None else os.fspath(path)
        self._file: Any = None

    def __enter__(self) -> _Page:
        if self._path is not None:
            self._file = open(f"{self._path}.part", "w", encoding="utf-8")
        return self

    @property
    def wanted(self) -> bool:
        return self._file is not None

    def write(self, html: str) -> None:
        if self._file is None:
            return
        self._file.write(html)
        self._file.close()
        os.replace(self._file.name, self._path)

    def __exit__(self, *_: Any) -> None:
        if self._file is None:
            return
        self._file.close()
        if os.path.exists(self._file.name):
            os.unlink(self._file.name)


def _pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError("compare() and learning_curve() return pandas data frames\n"
                          "fix: install python3-pandas") from error
    return pandas


def compare(
    X: Any,
    y: Any,
    sample_domain: Any = None,
    *,
    target_domain: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    systems: Union[str, Sequence[str]] = "all",
    tune: bool = True,
    criterion: Optional[str] = None,
    rank: Optional[str] = None,
    folds: int = 5,
    tune_folds: int = 5,
    dev_fraction: Optional[float] = None,
    effort: str = "normal",
    time: Union[str, float, None] = None,
    passes: Optional[float] = None,
    calibrate: str = "auto",
    options: Optional[dict[str, Any]] = None,
    bias: bool = True,
    reading: Optional[dict[str, Any]] = None,
    sample_weight: Any = None,
    groups: Any = None,
    unlabelled: Any = None,
    report: Any = None,
    output: Any = None,
    keep: Any = None,
    feature_names: Optional[Sequence[str]] = None,
    n_jobs: Optional[int] = None,
    random_state: Any = None,
    verbose: Optional[int] = None,
) -> Any:
    """Tunes, trains and tests systems on the same rows, as `megadapt compare` does.

    Parameters
    ----------
    X, y, sample_domain, sample_weight, groups, unlabelled
        As in `fit` of the classifiers. X may be texts, such as a column of a data frame. With
        `unlabelled` rows the table has a column "unlabelled_gain": the accuracy of the
        system minus its accuracy with the same settings without these rows.
    reading : dict, optional
        How texts are read, as parameters of `TextClassifier`: {"word_ngrams": 2}.
    target_domain : label, optional
    X_test, y_test : optional
        Rows of the target to test on. Without them the target's rows are split into `folds`.
    systems : "all", or names of the command line such as ["mix", "megam"]
    tune : bool, default True
        Whether options are tuned, by `criterion`, on held-out target rows.
    tune_folds : int, default 5
        Folds of the cross-validation for tuning.
    dev_fraction : float, optional
        Tune on this random share of the target's rows instead.
    effort : {"quick", "normal", "thorough"}, default "normal"
        How hard to search. "thorough" uses all rows of the source and all folds; the others
        use a sample of the source and drop settings that are clearly worse on the first folds.
    time : str or float, optional
        Fit the work into about this time, such as "5m", or 300 for seconds: searches become
        shorter, and then systems are left out.
    passes : float, optional
        Fit the work into this many passes over the rows instead. `attrs["plan"]["limit"]` of a
        run with `time` has the number that repeats its result on any machine.
    calibrate : {"auto", "none"}, default "auto"
        Fit a temperature of the probabilities to held-out rows, and keep it if it lowers the
        log loss of others.
    options : dict, optional
        Options that are not tuned, by name: {"variance": 0.1, "gate": "psi"}.
    rank : {"log-loss", "accuracy", "f1"}, default "accuracy"
        The score by which systems are ranked.
    criterion : {"log-loss", "accuracy", "f1"}, optional
        The score by which settings are chosen; by default that of `rank`, if it is given, else
        "log-loss", even though systems are then ranked by accuracy.
    report : path, optional
        Also writes the result as a web page, one file that opens offline.
    output : path, optional
        Also saves the model of the best system, trained on all rows with the settings that
        were chosen. `megadapt.load(path)` returns it as a classifier.
    keep : path, optional
        A folder that gets such a model of each system, `SYSTEM.mega`.
    feature_names : optional
        Names of the columns for the page and the models, for example
        `vectorizer.get_feature_names_out()`. The default is the columns of a data frame, or
        else x0, x1, ...
    verbose : int, optional
        Whether to show a progress bar; by default in terminals and notebooks.

    Returns
    -------
    pandas.DataFrame
        One row per system: system, accuracy, its 95% interval low and high, log_loss, f1,
        tuned, seconds, and left_out, which says why a system could not run. `tuned` has the
        parameters of the system's classifier: `PriorClassifier("phones", **tuned)`, or, for
        texts, of `TextClassifier("phones", **tuned)`. In a notebook the verdict is shown above
        the table. `frame.attrs` has "best", "verdict", "evidence", "pairs" (McNemar's test for
        every pair of systems) and, with a limit, "plan".

    Examples
    --------
    >>> import numpy as np
    >>> from megadapt import compare
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (200, 6))
    >>> domain = np.where(rng.random(200) < 0.7, "books", "phones")
    >>> table = compare(X, X[:, 0], domain, target_domain="phones", tune=False, folds=3,
    ...                 systems=["onlyi", "mix"])
    >>> table[["system", "accuracy"]]
      system  accuracy
    0  onlyi       1.0
    1    mix       1.0
    """
    _pandas()
    names = _column_names(X, feature_names, any(p is not None for p in (report, output, keep)))
    problem = _Problem(
        X, y, sample_domain, target_domain, X_test, y_test, sample_weight, groups, bias, names,
        reading, n_jobs, unlabelled
    )
    named = bool(names) and feature_names is None  # as fit() takes a data frame
    with _Page(report) as page:
        result = _with_bar(
            verbose,
            _core.compare,
            problem.train,
            target=str(problem.target),
            test=problem.test,
            systems=systems if isinstance(systems, str) else ",".join(systems),
            tune=bool(tune),
            criterion=criterion or rank or "log-loss",
            rank=rank or "accuracy",
            folds=folds,
            tune_folds=tune_folds,
            dev_fraction=dev_fraction,
            effort=effort,
            time="" if time is None else str(time),
            passes=passes,
            calibrate=calibrated(calibrate),
            settings=settings_of(options),
            seed=seed_of(random_state),
            threads=int(effective_n_jobs(n_jobs)),
            report=page.wanted,
            output="" if output is None else os.fspath(output),
            keep="" if keep is None else os.fspath(keep),
            recorded=problem.recorded + ([NAMED] if named else []),
        )
        page.write(result.pop("page"))
    columns = ["system", "accuracy", "low", "high", "log_loss", "f1", "tuned", "seconds",
               "left_out"]
    if unlabelled is not None:
        columns.insert(-2, "unlabelled_gain")
    frame = frames()[0](result["systems"], columns=columns)
    frame["tuned"] = [{} if row["left_out"] else problem.keywords(row["system"], row)
                      for row in result["systems"]]
    attrs = ("best", "verdict", "evidence", "pairs", "plan")
    frame.attrs = {key: result[key] for key in attrs if key in result}
    return frame


def learning_curve(
    X: Any,
    y: Any,
    sample_domain: Any = None,
    *,
    target_domain: Any = None,
    X_test: Any = None,
    y_test: Any = None,
    systems: Union[str, Sequence[str]] = "",
    sizes: Sequence[int] = (),
    repeats: int = 5,
    folds: int = 5,
    tune: str = "once",
    criterion: str = "log-loss",
    tune_folds: int = 5,
    dev_fraction: Optional[float] = None,
    effort: str = "normal",
    options: Optional[dict[str, Any]] = None,
    bias: bool = True,
    reading: Optional[dict[str, Any]] = None,
    sample_weight: Any = None,
    groups: Any = None,
    unlabelled: Any = None,
    report: Any = None,
    feature_names: Optional[Sequence[str]] = None,
    n_jobs: Optional[int] = None,
    random_state: Any = None,
    verbose: Optional[int] = None,
) -> Any:
    """Scores of systems over the number of labelled target rows, as `megadapt curve` shows.

    All source rows are always used. Each repeat shuffles the target's rows and takes the
    first ones; without X_test it holds out one of `folds` to test on.

    Parameters
    ----------
    X, y, sample_domain, target_domain, X_test, y_test, sample_weight, groups
        As in `compare`.
    systems : names, optional
        By default those of `megadapt curve`.
    sizes : numbers of target rows, optional
        By default halved repeatedly from all rows. All rows are always the last size.
    repeats : int, default 5
    tune : {"none", "once", "each"}
        Whether options are tuned: once on all rows of a repeat, or again on every sample.
    tune_folds, dev_fraction, effort
        As in `compare`.
    options : dict, optional
        As in `compare`.
    report, feature_names : optional
        As in `compare`.

    Returns
    -------
    pandas.DataFrame
        One row per system and size: system, examples, and accuracy, f1 and log_loss as means
        over the repeats, plus and minus one standard deviation (accuracy_low,
        accuracy_high, ...). `frame.attrs` has "best", "enough", "verdict", "evidence" and
        "left_out".

    Examples
    --------
    >>> import numpy as np
    >>> from megadapt import learning_curve
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (200, 6))
    >>> domain = np.where(rng.random(200) < 0.7, "books", "phones")
    >>> curve = learning_curve(X, X[:, 0], domain, target_domain="phones", tune="none",
    ...                        systems=["mix"], sizes=[10, 20], repeats=2)
    >>> sorted(set(curve["system"]))
    ['mix', 'onlyi']
    """
    _pandas()
    problem = _Problem(
        X, y, sample_domain, target_domain, X_test, y_test, sample_weight, groups, bias,
        _column_names(X, feature_names, report is not None), reading, n_jobs, unlabelled
    )
    with _Page(report) as page:
        result = _with_bar(
            verbose,
            _core.learning_curve,
            problem.train,
            target=str(problem.target),
            test=problem.test,
            systems=systems if isinstance(systems, str) else ",".join(systems),
            sizes=[int(size) for size in sizes],
            repeats=repeats,
            folds=folds,
            tune=tune,
            criterion=criterion,
            tune_folds=tune_folds,
            dev_fraction=dev_fraction,
            effort=effort,
            settings=settings_of(options),
            seed=seed_of(random_state),
            threads=int(effective_n_jobs(n_jobs)),
            report=page.wanted,
        )
        page.write(result.pop("page"))
    frame = frames()[1](result.pop("points"))
    frame.attrs = result
    return frame


def calibrated(how: str) -> bool:
    """Returns whether to calibrate; `how` is "auto" or "none"."""
    if how not in ("auto", "none"):
        raise ValueError(f"calibrate={how!r} is not \"auto\" or \"none\"")
    return how == "auto"


def tuned_keywords(system: str, found: dict[str, Any]) -> dict[str, Any]:
    """Returns the result of tuning as parameters of the system's classifier."""
    keywords = keywords_of(found["tuned"])
    if found["members"]:
        keywords = {"members": member_keywords(found["members"])}
    renamed = BY_SYSTEM[system]._renamed
    keywords = {renamed.get(name, name): value for name, value in keywords.items()}
    return {**keywords, **later_choices(found)}


def later_choices(found: dict[str, Any]) -> dict[str, Any]:
    """Returns what tuning chooses after the settings: the temperature, and unlabelled rows."""
    return {name: found[name] for name in ("calibration", "unlabelled_weight", "sharpen")
            if found[name] is not None}


def tune(
    X: Any,
    y: Any,
    sample_domain: Any = None,
    *,
    target_domain: Any = None,
    system: str = "pool",
    criterion: str = "log-loss",
    folds: int = 5,
    dev_fraction: Optional[float] = None,
    effort: str = "normal",
    calibrate: str = "auto",
    options: Optional[dict[str, Any]] = None,
    bias: bool = True,
    reading: Optional[dict[str, Any]] = None,
    sample_weight: Any = None,
    groups: Any = None,
    unlabelled: Any = None,
    n_jobs: Optional[int] = None,
    random_state: Any = None,
    verbose: Optional[int] = None,
) -> dict[str, Any]:
    """Chooses the parameters of a system on held-out target rows, as `megadapt tune` does.

    Parameters are those of `compare`, with the same folds and the same result.

    Returns
    -------
    dict
        The parameters that were chosen, for the system's classifier:
        `PriorClassifier("phones", **tune(X, y, domain, target_domain="phones",
        system="prior"))`. For texts they are those of `TextClassifier`, with the system.

    Examples
    --------
    >>> import numpy as np
    >>> from megadapt import PriorClassifier, tune
    >>> rng = np.random.default_rng(0)
    >>> X = rng.integers(0, 2, (200, 6))
    >>> domain = np.where(rng.random(200) < 0.7, "books", "phones")
    >>> tuned = tune(X, X[:, 0], domain, target_domain="phones", system="prior")
    >>> PriorClassifier("phones", **tuned).fit(X, X[:, 0], domain).predict([[1, 0, 0, 0, 0, 0]])
    array([1])
    """
    problem = _Problem(
        X, y, sample_domain, target_domain, None, None, sample_weight, groups, bias, [], reading,
        n_jobs, unlabelled
    )
    found = _with_bar(
        verbose,
        _core.tune,
        problem.train,
        target=str(problem.target),
        system=system,
        criterion=criterion,
        folds=folds,
        dev_fraction=dev_fraction,
        effort=effort,
        calibrate=calibrated(calibrate),
        settings=settings_of(options),
        seed=seed_of(random_state),
        threads=int(effective_n_jobs(n_jobs)),
    )
    return problem.keywords(system, found)


def relate(
    X: Any,
    y: Any,
    sample_domain: Any,
    *,
    smoothing: float = 0.1,
    folds: int = 5,
    variance: float = 1.0,
    rounds: int = 5,
    top: int = 10,
    bias: bool = True,
    reading: Optional[dict[str, Any]] = None,
    sample_weight: Any = None,
    groups: Any = None,
    feature_names: Optional[Sequence[str]] = None,
    n_jobs: Optional[int] = None,
    random_state: Any = None,
    verbose: Optional[int] = None,
) -> dict[str, Any]:
    """Measures how similar domains are, as `megadapt relate` does (docs/relate.md).

    Returns
    -------
    dict
        What `megadapt relate --json` prints: "domains" with the general share of each, "kl",
        "jensen_shannon" and "auc" of each pair, and "separators", the features that tell two
        domains apart.

    Examples
    --------
    >>> from megadapt import relate
    >>> X = [[1, 0, 1], [1, 0, 0], [0, 1, 1], [0, 1, 0]] * 5
    >>> how = relate(X, [1, 0] * 10, ["books", "books", "phones", "phones"] * 5)
    >>> how["separators"][0]["features"][0]["feature"] in ("x0", "x1")
    True
    """
    domains = np.unique(domain_labels(sample_domain, X))
    problem = _Problem(X, y, sample_domain, domains[0], None, None, sample_weight, groups, bias,
                       _column_names(X, feature_names, True), reading, n_jobs)
    text = _with_bar(
        verbose,
        _core.relate,
        problem.train,
        smoothing=smoothing,
        folds=folds,
        variance=variance,
        rounds=rounds,
        top=top,
        seed=seed_of(random_state),
        threads=int(effective_n_jobs(n_jobs)),
    )
    return Relatedness(json.loads(text))


def _with_bar(verbose: Optional[int], work: Any, *arguments: Any, **options: Any) -> Any:
    if not is_wanted(verbose):
        return work(*arguments, **options)
    with ProgressBar() as bar:
        return work(*arguments, progress=bar, **options)

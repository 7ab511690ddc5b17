"""The systems of Daumé & Marcu (2006) and their kin as scikit-learn classifiers."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Optional, Union

from ._base import DomainClassifier

_PARAMETERS = """
    Parameters
    ----------
    target_domain : label, optional
        The domain to serve, one of those in `sample_domain`. Not needed where there is one
        domain, or where domains are signed integers as in SKADA: the negative one is it.
    variance : float, default 1.0
        Prior variance of every weight; scikit-learn's C.
    bias : bool, default True
        Whether every row gets a constant feature, regularised like the others.
    tolerance : float, default 1e-4
        Estimated relative distance to the optimal objective at which training stops.
    optimizer : {"newton-cg", "lbfgs"}
    max_passes : int, default 1000
        Most passes over the data.
    precision : {"auto", "single", "double"}
        Of the inner loops; "auto" is double for small data.
    n_jobs : int, optional
        Threads; the result has the same bits for any number. -1 is one per core.
    verbose : int, default 0
        Above 0 a progress bar is shown.
    random_state : int, RandomState or None
        Deals rows into folds where a system does.
"""

_ATTRIBUTES = """
    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    domains_, target_domain_
        All domains, sorted, and the one that prediction serves.
    n_iter_ : int
        Passes over the data.
    objective_ : float
        Negative log posterior of the last fit.
"""


def _document(cls: type) -> type:
    """Puts the common parameters where the class says so."""
    text = cls.__doc__ or ""
    text = text.replace("    {parameters}\n", _PARAMETERS.strip("\n") + "\n")
    cls.__doc__ = text.replace("    {attributes}\n", _ATTRIBUTES.strip("\n") + "\n")
    return cls


@_document
@dataclass(eq=False, repr=False)
class MixClassifier(DomainClassifier):
    """Multinomial logistic regression on the rows of all domains.

    {parameters}
    source_weight : float or "balanced", default 1.0
        Weight of a source row; "balanced" makes the source count as much as the target
        where it has more rows (the command line's `mixw`).

    {attributes}

    Examples
    --------
    >>> from megadapt import MixClassifier
    >>> X = [[1, 0], [1, 1], [0, 1], [0, 0]]
    >>> clf = MixClassifier(target_domain="b").fit(X, [1, 1, 0, 0], sample_domain=list("aabb"))
    >>> clf.predict([[1, 0], [0, 1]])
    array([1, 0])
    """

    source_weight: Union[float, str] = 1.0

    _needs_source: ClassVar[bool] = True  # where its rows have another weight

    def _system(self) -> str:
        return "mix" if self.source_weight == 1 else "mixw"

    def _settings(self) -> dict[str, Any]:
        if self.source_weight == "balanced":
            return {"out-weight": 0}
        return {} if self.source_weight == 1 else {"out-weight": self.source_weight}


@_document
@dataclass(eq=False, repr=False)
class OnlyTargetClassifier(DomainClassifier):
    """Multinomial logistic regression on the target's rows alone.

    {parameters}
    {attributes}

    Examples
    --------
    >>> from megadapt import OnlyTargetClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = OnlyTargetClassifier("b").fit(X, [1, 0, 1, 0], sample_domain=list("aabb"))
    >>> clf.predict([[1, 0]])  # as in b, not as in a
    array([0])
    """

    def _system(self) -> str:
        return "onlyi"


@_document
@dataclass(eq=False, repr=False)
class OnlySourceClassifier(DomainClassifier):
    """Multinomial logistic regression on the rows of all domains but the target.

    {parameters}
    {attributes}

    Examples
    --------
    >>> from megadapt import OnlySourceClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = OnlySourceClassifier("b").fit(X, [1, 0, 1, 0], sample_domain=list("aabb"))
    >>> clf.predict([[1, 0]])
    array([1])
    """

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "onlyo"


@_document
@dataclass(eq=False, repr=False)
class LinearInterpolationClassifier(DomainClassifier):
    """A model of each domain on its own, their probabilities interpolated.

    {parameters}
    interpolation : float, optional
        Weight of the target's own model; else found by cross-validation.
    source_variance : float, optional
        Prior variance of the source models; else `variance`.
    folds : int, default 5
        Of that cross-validation.

    {attributes}

    Examples
    --------
    >>> from megadapt import LinearInterpolationClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = LinearInterpolationClassifier("b", interpolation=1.0)
    >>> clf.fit(X, [1, 0, 1, 0], sample_domain=list("aabb")).predict([[1, 0]])
    array([0])
    """

    interpolation: Optional[float] = None
    source_variance: Optional[float] = None
    folds: int = 5

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "lini"

    def _settings(self) -> dict[str, Any]:
        return {
            "interpolation": self.interpolation,
            "source-variance": self.source_variance,
            "folds": self.folds,
        }


@_document
@dataclass(eq=False, repr=False)
class FeatsClassifier(DomainClassifier):
    """Target rows, with what source models predict for them as further features.

    {parameters}
    source_features : {"both", "labels", "probabilities"}
        Which of the source models' predictions become features.
    source_variance : float, optional
        Prior variance of the source models; else `variance`.

    {attributes}

    Examples
    --------
    >>> from megadapt import FeatsClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = FeatsClassifier("b").fit(X, [1, 0, 0, 1], sample_domain=list("aabb"))
    >>> clf.predict([[1, 0]])
    array([1])
    """

    source_features: str = "both"
    source_variance: Optional[float] = None

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "feats"

    def _settings(self) -> dict[str, Any]:
        return {
            "source-features": self.source_features,
            "source-variance": self.source_variance,
        }


@_document
@dataclass(eq=False, repr=False)
class PriorClassifier(DomainClassifier):
    """Target rows, under a prior centred on the weights that the source rows give.

    {parameters}
    source_variance : float, optional
        Prior variance of the source model; else `variance`.

    {attributes}

    Examples
    --------
    >>> from megadapt import PriorClassifier
    >>> X = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> clf = PriorClassifier("b").fit(X, [1, 0, 1, 0], sample_domain=list("abab"))
    >>> clf.predict_proba([[1, 0]]).shape
    (1, 2)
    """

    source_variance: Optional[float] = None

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "prior"

    def _settings(self) -> dict[str, Any]:
        return {"source-variance": self.source_variance}


@_document
@dataclass(eq=False, repr=False)
class EasyAdaptClassifier(DomainClassifier):
    """Shared weights plus each domain's own, fitted together (Daumé 2007).

    {parameters}
    specific_variance : float, default 1.0
        Prior variance of the domains' own weights.

    {attributes}

    Examples
    --------
    >>> from megadapt import EasyAdaptClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = EasyAdaptClassifier("b").fit(X, [1, 0, 1, 0], sample_domain=list("aabb"))
    >>> clf.predict([[1, 0]], sample_domain=["a"]), clf.predict([[1, 0]])
    (array([1]), array([0]))
    """

    specific_variance: float = 1.0

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "easyadapt"

    def _settings(self) -> dict[str, Any]:
        return {"specific-variance": self.specific_variance}


@_document
@dataclass(eq=False, repr=False)
class StackClassifier(DomainClassifier):
    """A convex combination of the other systems, weighted by cross-validation.

    {parameters}
    folds : int, default 5
        Of the target's rows.

    {attributes}

    Examples
    --------
    >>> from megadapt import StackClassifier
    >>> X = [[1, 0], [0, 1]] * 8
    >>> clf = StackClassifier("b").fit(X, [1, 0] * 8, sample_domain=list("aabb") * 4)
    >>> clf.predict([[1, 0]])
    array([1])
    """

    folds: int = 5

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "stack"

    def _settings(self) -> dict[str, Any]:
        return {"folds": self.folds}


@_document
@dataclass(eq=False, repr=False)
class MegaClassifier(DomainClassifier):
    """A mixture of what all domains share and what each has of its own (Daumé & Marcu 2006).

    Every row is explained by a general expert or by its domain's; a gate says how far. Both
    experts are multinomial logistic regressions, trained by conditional EM.

    {parameters}
    system : {"megam", "megaloo"}
        The paper's model, or ours: experts fitted to whole rows, mixed by what they say of rows
        that they have not seen. What follows is None where the system's own default is meant.
    rounds : int, default 5
        Of conditional EM.
    pi : {"learn", "fixed"}
        Whether the share of a domain that is general is learnt.
    pi_init : float or dict from domain to float, optional
        That share to begin with.
    beta : (float, float), default (2, 2)
        Prior of the gate's presence probabilities.
    e_step : {"training", "loo", "crossfit:K"}, optional
        Predictions that posteriors are judged by.
    centre : {"zero", "general", "others"}, optional
        Prior mean of the specific experts: zero, the general expert, or the general expert of
        the other domains' rows.
    gate : {"psi", "logistic"}, optional
        megam: how P(general | row) is modelled, by the presence of features or by a logistic
        regression. A feature is present where its value is above 0.
    gate_features : int, default 0
        Only the features most telling about the domain; 0 is all.
    gate_variance : float, default 1.0
        Prior variance of the logistic gate.
    anneal : float, default 1.0
        Temperature of the first round's posteriors.
    psi_sweeps : int, default 3
        Sweeps over the presence probabilities in each round.
    psi_step : {"sweep", "lbfgs"}, optional
        How they are maximised: feature by feature, or all together.

    {attributes}
    general_share_ : dict
        pi: the share of each domain that is general.

    Examples
    --------
    >>> from megadapt import MegaClassifier
    >>> X = [[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1]] * 5
    >>> domain = (["news"] * 2 + ["phone"] * 2) * 5
    >>> clf = MegaClassifier(target_domain="phone").fit(X, [1, 0] * 10, sample_domain=domain)
    >>> clf.predict([[0, 0, 1]])
    array([1])
    >>> sorted(clf.general_share_)
    ['news', 'phone']
    """

    system: str = "megam"
    rounds: int = 5
    pi: str = "learn"
    pi_init: Union[float, dict[Any, float], None] = None
    beta: tuple[float, float] = (2.0, 2.0)
    e_step: Optional[str] = None
    centre: Optional[str] = None
    specific_variance: Optional[float] = None
    prior_exponent: Optional[float] = None
    gate: Optional[str] = None
    gate_features: int = 0
    gate_variance: float = 1.0
    anneal: float = 1.0
    psi_sweeps: int = 3
    psi_step: Optional[str] = None

    def _system(self) -> str:
        if self.system not in ("megam", "megaloo"):
            raise ValueError(f"system: '{self.system}' is unknown\nfix: use megam or megaloo")
        return self.system

    def _settings(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "pi": self.pi,
            "beta": ",".join(map(str, self.beta)),
            "e-step": self.e_step,
            "centre": self.centre,
            "specific-variance": self.specific_variance,
            "prior-exponent": self.prior_exponent,
            "gate": self.gate,
            "gate-features": self.gate_features,
            "gate-variance": self.gate_variance,
            "anneal": self.anneal,
            "psi-sweeps": self.psi_sweeps,
            "psi-step": self.psi_step,
        }

    def _repeated_settings(self) -> list[tuple[str, Any]]:
        if self.pi_init is None:
            return []
        if isinstance(self.pi_init, dict):
            return [("pi-init", f"{name}={share}") for name, share in self.pi_init.items()]
        return [("pi-init", self.pi_init)]


#: The class of each system of a model file.
BY_SYSTEM: dict[str, type[DomainClassifier]] = {
    "mix": MixClassifier,
    "mixw": MixClassifier,
    "onlyi": OnlyTargetClassifier,
    "onlyo": OnlySourceClassifier,
    "lini": LinearInterpolationClassifier,
    "feats": FeatsClassifier,
    "prior": PriorClassifier,
    "easyadapt": EasyAdaptClassifier,
    "stack": StackClassifier,
    "megam": MegaClassifier,
    "megaloo": MegaClassifier,
}

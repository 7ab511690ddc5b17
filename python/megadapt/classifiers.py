"""The systems of Daumé & Marcu (2006) and related ones as scikit-learn classifiers."""
from __future__ import annotations

import re
import textwrap
from typing import Any, ClassVar, Optional, Union  # noqa: F401 (inherited annotations)

from ._base import DomainClassifier, options_of, with_options

_FIRST = """
    Parameters
    ----------
    target_domain : label, optional
        The domain to predict for, one of those in `sample_domain`. Not needed if there is one
        domain, or if domains are signed integers as in SKADA: then it is the negative one.
    bias : bool, default True
        Whether every row gets a constant feature, regularised like the others.
    n_jobs : int, optional
        Threads; -1 is one per core. The result has the same bits for any number.
    verbose : int, default 0
        Above 0, a progress bar is shown.
    random_state : int, RandomState or None
        The seed for systems that deal rows into folds.
"""

_ATTRIBUTES = """
    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.
    domains_, target_domain_
        All domains, sorted, and the one to predict for.
    n_iter_ : int
        Passes over the data.
    objective_ : float
        Negative log posterior of the last fit.
"""


def _described(option: dict[str, Any]) -> str:
    """Returns the docstring of a parameter that is an option of the table."""
    choices = ", ".join(f'"{name}"' for name in option["choices"])
    kind = f"{{{choices}}}" if choices else option["type"]
    default = option["default"]
    usual = "optional" if default is None else f"default {default}"
    help = re.sub("--([a-z-]+)", lambda found: f"`{found[1].replace('-', '_')}`", option["help"])
    text = textwrap.fill(help + ".", 92, initial_indent=" " * 8, subsequent_indent=" " * 8)
    return f"    {option['keyword']} : {kind}, {usual}\n{text}\n"


def _system_class(*systems: str) -> Any:
    """Gives a class the parameters of its systems, with their docstring."""

    def documented(cls: type) -> type:
        cls = with_options(*systems)(cls)
        options = [o for o in options_of(*systems) if o["keyword"] in cls.__dataclass_fields__]
        parameters = _FIRST.strip("\n") + "\n" + "".join(map(_described, options))
        text = (cls.__doc__ or "").replace("    {parameters}\n", parameters)
        cls.__doc__ = text.replace("    {attributes}\n", _ATTRIBUTES.strip("\n") + "\n")
        return cls

    return documented


@_system_class("mix", "mixw")
class MixClassifier(DomainClassifier):
    """Multinomial logistic regression on the rows of all domains.

    {parameters}
    source_weight : float or "balanced", default 1.0
        Weight of a source row. "balanced" makes the source count as much as the target if
        it has more rows (`mixw` on the command line).

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

    _needs_source: ClassVar[bool] = True  # only if its rows have another weight
    _renamed: ClassVar[dict[str, str]] = {"out_weight": "source_weight"}

    def _system(self) -> str:
        return "mix" if self.source_weight == 1 else "mixw"

    def _value(self, option: dict[str, Any]) -> Any:
        if option["keyword"] not in self._renamed:
            return super()._value(option)
        return None if self.source_weight == "balanced" else self.source_weight

    def _train(self, *arguments: Any) -> Any:
        try:
            return super()._train(*arguments)
        except ValueError as error:  # the table has another name for it
            raise ValueError(str(error).replace("out_weight=", "source_weight=")) from None


@_system_class("onlyi")
class OnlyTargetClassifier(DomainClassifier):
    """Multinomial logistic regression on the target's rows only.

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


@_system_class("onlyo")
class OnlySourceClassifier(DomainClassifier):
    """Multinomial logistic regression on the rows of all domains except the target.

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


@_system_class("lini")
class LinearInterpolationClassifier(DomainClassifier):
    """A separate model for each domain; their probabilities are interpolated.

    {parameters}
    {attributes}

    Examples
    --------
    >>> from megadapt import LinearInterpolationClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = LinearInterpolationClassifier("b", interpolation=1.0)
    >>> clf.fit(X, [1, 0, 1, 0], sample_domain=list("aabb")).predict([[1, 0]])
    array([0])
    """

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "lini"


@_system_class("feats")
class FeatsClassifier(DomainClassifier):
    """Logistic regression on target rows with the predictions of source models as features.

    {parameters}
    {attributes}

    Examples
    --------
    >>> from megadapt import FeatsClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = FeatsClassifier("b").fit(X, [1, 0, 0, 1], sample_domain=list("aabb"))
    >>> clf.predict([[1, 0]])
    array([1])
    """

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "feats"


@_system_class("prior")
class PriorClassifier(DomainClassifier):
    """Logistic regression on target rows with a prior centred on the source model's weights.

    {parameters}
    {attributes}

    Examples
    --------
    >>> from megadapt import PriorClassifier
    >>> X = [[1, 0], [1, 0], [0, 1], [0, 1]]
    >>> clf = PriorClassifier("b").fit(X, [1, 0, 1, 0], sample_domain=list("abab"))
    >>> clf.predict_proba([[1, 0]]).shape
    (1, 2)
    """

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "prior"


@_system_class("easyadapt")
class EasyAdaptClassifier(DomainClassifier):
    """Shared weights plus separate weights for each domain, fitted together (Daumé 2007).

    {parameters}
    {attributes}

    Examples
    --------
    >>> from megadapt import EasyAdaptClassifier
    >>> X = [[1, 0], [0, 1], [0, 1], [1, 0]]
    >>> clf = EasyAdaptClassifier("b").fit(X, [1, 0, 1, 0], sample_domain=list("aabb"))
    >>> clf.predict([[1, 0]], sample_domain=["a"]), clf.predict([[1, 0]])
    (array([1]), array([0]))
    """

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "easyadapt"


@_system_class("stack")
class StackClassifier(DomainClassifier):
    """A convex combination of the other systems, weighted by cross-validation.

    {parameters}
    members : dict, optional
        Settings of each member as `tune` and `compare` find them, and its "weight":
        {"mix": {"variance": 0.3, "weight": 0.4}, ...}. Every member needs a weight.

    {attributes}

    Examples
    --------
    >>> from megadapt import StackClassifier
    >>> X = [[1, 0], [0, 1]] * 8
    >>> clf = StackClassifier("b").fit(X, [1, 0] * 8, sample_domain=list("aabb") * 4)
    >>> clf.predict([[1, 0]])
    array([1])
    """

    members: Optional[dict[str, dict[str, Any]]] = None

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "stack"


@_system_class("pool")
class PoolClassifier(DomainClassifier):
    """Mix, Prior and EasyAdapt, pooled into one linear model.

    The model's weights are a weighted sum of the three models' weights. The weights of the
    three maximise the likelihood of target rows that they were not trained on.

    {parameters}
    members : dict, optional
        Settings of each member as `tune` and `compare` find them, and its "weight":
        {"mix": {"variance": 0.3, "weight": 0.4}, ...}. Members without a weight get one by
        cross-validation.

    {attributes}

    Examples
    --------
    >>> from megadapt import PoolClassifier
    >>> X = [[1, 0], [0, 1]] * 8
    >>> clf = PoolClassifier("b").fit(X, [1, 0] * 8, sample_domain=list("aabb") * 4)
    >>> clf.predict([[1, 0]])
    array([1])
    """

    members: Optional[dict[str, dict[str, Any]]] = None

    _needs_source: ClassVar[bool] = True

    def _system(self) -> str:
        return "pool"


@_system_class("megam")
class MegaClassifier(DomainClassifier):
    """A mixture of a general component and one for each domain (Daumé & Marcu 2006).

    Every row comes from the general expert or from its domain's; a gate gives the probability
    of each. The experts are multinomial logistic regressions, trained by conditional EM.

    {parameters}
    {attributes}
    general_share_ : dict
        pi: the share of general rows in each domain.

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

    def _system(self) -> str:
        return "megam"


#: The class for each system in a model file.
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
    "megaloo": MegaClassifier,  # of version 0.1
    "pool": PoolClassifier,
}

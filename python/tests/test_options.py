"""Parameters, defaults, docstrings and provenance come from the library's table of options."""
import ast
import inspect
import pathlib
import pickle

import pytest
from sklearn.base import clone

from megadapt import Tagger, MixClassifier, _core, compare, learning_curve
from megadapt._base import option_texts, options_of
from megadapt.classifiers import BY_SYSTEM

OPTIONS = {option["name"]: option for option in _core.options()}

#: A value for every option that is not its default.
OTHER = {
    "variance": 0.1 + 0.2, "tolerance": 1e-5, "optimizer": "lbfgs", "max-passes": 77,
    "precision": "double", "out-weight": 0.25, "source-variance": 3.0, "interpolation": 0.0,
    "source-features": "labels", "folds": 3, "rounds": 2, "beta": (1.0, 2.5),
    "gate-features": 7, "pi": "fixed", "pi-init": {"phone": 0.95}, "e-step": "crossfit:3",
    "centre": "general", "specific-variance": 0.7,
    "prior-exponent": 0.25, "gate": "logistic", "gate-variance": 2.0, "anneal": 1.5,
    "psi-sweeps": 4, "psi-step": "lbfgs", "refresh": "round",
    "class-weight": {"1": 2.5}, "calibration": 1.5,
    "unlabelled-weight": 0.0, "sharpen": 1.5,  # any other weight needs unlabelled rows
}


def keyword_of(cls, option):
    if cls is MixClassifier and option["name"] == "out-weight":
        return "source_weight"  # mix has weight 1
    return option["keyword"]


def parsed(text):
    """Returns numbers as numbers, so that 1 and 1.0 are the same."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        return text


@pytest.mark.parametrize("system", BY_SYSTEM)
def test_signatures_are_those_of_the_table(system):
    cls = BY_SYSTEM[system]
    parameters = inspect.signature(cls).parameters
    for option in options_of(system):
        keyword = keyword_of(cls, option)
        assert keyword in parameters, option["name"]
        if keyword == "source_weight":
            continue
        default = [parsed(text) for text in option_texts(parameters[keyword].default)]
        wanted = [] if option["default"] is None else [parsed(option["default"])]
        assert default == wanted, option["name"]
        assert f"    {keyword} : " in cls.__doc__, option["name"]


def test_every_option_is_a_parameter_of_some_estimator():
    assert set(OTHER) == set(OPTIONS)
    for option in OPTIONS.values():
        assert option["systems"], option["name"]


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_taken_and_recorded(task, name):
    option = OPTIONS[name]
    system = next(s for s in option["systems"] if s != "stack")
    cls = BY_SYSTEM[system]
    arguments = {keyword_of(cls, option): OTHER[name]}
    model = cls("phone", **arguments).fit(task.X, task.y, sample_domain=task.domain)._model
    assert model.system == system
    recorded = [parsed(value) for key, value in model.options if key == name]
    for text in option_texts(OTHER[name]):
        assert parsed(text) in recorded


def refused_values(option):
    """Returns values that no option of this kind accepts; -1 is below every range."""
    if option["choices"] or option["name"] == "e-step":
        return ["1e999", "crossfit:1"]
    if option["name"] == "beta":
        return [(0.5, 2), (2, -1), "1e999"]
    assert option["accepts"], option["name"]
    values = [-1, "1e999", "nan", "many"]
    return values + [{"phone": -1}, {"1": -1}] if option["repeats"] else values


@pytest.mark.parametrize("name", OPTIONS)
def test_values_out_of_range_are_refused_in_the_words_of_python(task, name):
    option = OPTIONS[name]
    for system in option["systems"]:
        cls = BY_SYSTEM[system]
        keyword = keyword_of(cls, option)
        for value in refused_values(option):
            clf = cls("phone", **{keyword: value})
            with pytest.raises(ValueError) as refused:
                clf.fit(task.X, task.y, sample_domain=task.domain)
            message = str(refused.value)
            assert message.startswith(f"{keyword}=: '"), message
            assert "--" not in message and "fix: " in message


def test_taggers_and_comparisons_speak_python_too(task):
    with pytest.raises(ValueError, match="^prior_exponent=: '2' is not a number from 0 to 1"):
        Tagger(options={"prior_exponent": 2}).fit([[["a"]], [["b"]]], [["X"], ["Y"]])
    with pytest.raises(ValueError, match="^prior_exponent=: '2' is not a number from 0 to 1"):
        compare(task.X, task.y, task.domain, target_domain="phone",
                options={"prior_exponent": 2})


@pytest.mark.parametrize("function", [compare, learning_curve])
def test_tuning_is_by_five_folds_as_on_the_command_line(function):
    parameters = inspect.signature(function).parameters
    assert parameters["tune_folds"].default == 5
    assert parameters["dev_fraction"].default is None


def test_options_of_a_comparison_are_not_tuned(task):
    frame = compare(task.X, task.y, task.domain, target_domain="phone", systems=["prior"],
                    folds=2, tune_folds=2, options={"source_variance": 0.5})
    assert set(frame["tuned"][0]) - {"calibration"} == {"prior_exponent", "variance"}


@pytest.mark.parametrize("cls", dict.fromkeys(BY_SYSTEM.values()))
def test_the_stub_has_every_parameter_of_the_table(cls):
    """The stub is written when the package is built."""
    path = pathlib.Path(_core.__file__).with_name("classifiers.pyi")
    tree = ast.parse(path.read_text())
    stub = next(node for node in tree.body
                if isinstance(node, ast.ClassDef) and node.name == cls.__name__)
    init = next(node for node in stub.body if isinstance(node, ast.FunctionDef))
    assert [a.arg for a in init.args.args[1:]] == list(inspect.signature(cls).parameters)


@pytest.mark.parametrize("cls", dict.fromkeys(BY_SYSTEM.values()))
def test_parameters_from_the_table_are_parameters_for_scikit_learn(cls):
    estimator = cls("phone", variance=0.25)
    assert estimator.get_params()["variance"] == 0.25
    assert clone(estimator).get_params() == estimator.get_params()
    assert pickle.loads(pickle.dumps(estimator)).get_params() == estimator.get_params()
    assert set(estimator.get_params()) == set(inspect.signature(cls).parameters)

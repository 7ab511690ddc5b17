"""Pickles and model files: the same model in Python and on the command line, bit for bit."""
import copy
import os
import pickle
import struct
import subprocess

import joblib
import numpy as np
import pytest
from conftest import Task

import megadapt
from megadapt import MegaClassifier, MixClassifier

PROGRAM = os.environ.get("MEGADAPT_PROGRAM", "megadapt")


def program(*arguments, text=None):
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=text, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def lines(X, names, labels=None, values=False):
    """Returns rows as the command line reads them, with features in the order of columns."""
    out = []
    for n in range(X.shape[0]):
        row = X[n]
        words = [f"{names[f]} {v!r}" if values else names[f]
                 for f, v in zip(row.indices, row.data.tolist())]
        out.append(" ".join(([] if labels is None else [labels[n]]) + words))
    return "\n".join(out) + "\n"


def probabilities(path, X, names, values):
    """Returns predictions of the command line, as JSON, which keeps every bit of a double."""
    import json

    form = "megam-fvals" if values else "megam"
    out = program("predict", path, "-", "--unlabelled", "--json", "--format", form,
                  text=lines(X, names, values=values))
    return [json.loads(line)["probabilities"] for line in out.splitlines()]


def test_pickle_and_joblib(classifier, task, tmp_path):
    classifier.fit(task.X, task.y, sample_domain=task.domain)
    expected = classifier.predict_proba(task.X)
    joblib.dump(classifier, tmp_path / "model.joblib")
    for again in (pickle.loads(pickle.dumps(classifier)), copy.deepcopy(classifier),
                  joblib.load(tmp_path / "model.joblib")):
        np.testing.assert_array_equal(again.predict_proba(task.X), expected)
        assert again.get_params() == classifier.get_params()


def test_a_damaged_pickle_is_refused(task):
    clf = MixClassifier().fit(task.X, task.y)
    data = bytearray(pickle.dumps(clf))
    data[len(data) // 2] ^= 0xFF
    with pytest.raises(Exception):
        pickle.loads(bytes(data)).predict(task.X)


def test_save_and_load(classifier, task, tmp_path):
    classifier.fit(task.X, task.y, sample_domain=task.domain)
    classifier.save(tmp_path / "m.mega")
    again = megadapt.load(tmp_path / "m.mega")
    assert type(again) is type(classifier)
    assert again.classes_.dtype == classifier.classes_.dtype
    assert again.domains_.tolist() == classifier.domains_.tolist()
    assert again.target_domain_ == "phone" and again.n_features_in_ == 60
    np.testing.assert_array_equal(again.predict_proba(task.X), classifier.predict_proba(task.X))
    np.testing.assert_array_equal(again.predict(task.X), classifier.predict(task.X))


@pytest.mark.parametrize("labels", [[True, False], [1.0, 2.0], ["a", "b"], [-1, 1]])
def test_classes_come_back_as_they_were(labels, tmp_path):
    y = np.array(labels * 3)
    MixClassifier().fit([[0], [1]] * 3, y).save(tmp_path / "m.mega")
    again = megadapt.load(tmp_path / "m.mega")
    assert again.classes_.tolist() == sorted(labels)
    assert again.predict([[0], [1]]).tolist() == labels


@pytest.mark.parametrize("values", [False, True])
def test_trained_in_python_used_on_the_command_line(classifier, tmp_path, values):
    task = Task(rows=200, values=values)
    if values:
        task.X = task.X.astype(np.float32).astype(np.float64)
    classifier.fit(task.X, task.y, sample_domain=task.domain)
    names = [f"f{i}" for i in range(60)]
    classifier.save(tmp_path / "m.mega", feature_names=names)
    ours = classifier.predict_proba(task.X)
    theirs = probabilities(tmp_path / "m.mega", task.X, names, values)
    for mine, other in zip(ours, theirs):
        assert [struct.pack("d", p) for p in mine] == [
            struct.pack("d", other[str(label)]) for label in (0, 1, 2)]


@pytest.mark.parametrize("system", ["mix", "prior", "feats", "easyadapt", "megam", "pool"])
def test_trained_on_the_command_line_used_in_python(task, tmp_path, system):
    names = [f"f{i}" for i in range(60)]
    labels = [f"label{y}" for y in task.y]
    for domain in ("news", "phone"):
        own = np.flatnonzero(task.domain == domain)
        (tmp_path / f"{domain}.txt").write_text(
            lines(task.X[own], names, [labels[n] for n in own]))
    program("train", "--system", system, "--domain", f"news={tmp_path}/news.txt", "--domain",
            f"phone={tmp_path}/phone.txt", "--target", "phone", "-o", tmp_path / "m.mega",
            "--quiet")
    clf = megadapt.load(tmp_path / "m.mega")
    assert sorted(clf.feature_names_) == sorted(names)
    X = task.X[:, [int(name[1:]) for name in clf.feature_names_]]
    X.sort_indices()
    in_order = [clf.feature_names_[f] for f in range(60)]
    ours = clf.predict_proba(X)
    theirs = probabilities(tmp_path / "m.mega", X, in_order, False)
    for mine, other in zip(ours, theirs):
        assert mine.tolist() == [other[label] for label in clf.classes_]
    clf.save(tmp_path / "again.mega")
    assert (tmp_path / "again.mega").read_bytes() == (tmp_path / "m.mega").read_bytes()


def test_names_of_columns(task, tmp_path):
    clf = MixClassifier().fit(task.X, task.y)
    with pytest.raises(ValueError, match="59 feature names for 60 features"):
        clf.save(tmp_path / "m.mega", feature_names=["a"] * 59)
    with pytest.raises(ValueError, match="two columns are named 'a'"):
        clf.save(tmp_path / "m.mega", feature_names=["a"] * 60)
    with pytest.raises(ValueError, match="a column has no name"):
        clf.save(tmp_path / "m.mega", feature_names=[""] * 60)
    with pytest.raises(ValueError, match="cannot write"):
        clf.save(tmp_path / "absent" / "m.mega")


def test_model_info_tells_how_it_was_trained(task, tmp_path):
    import json

    clf = MegaClassifier("phone", variance=0.5, random_state=7)
    clf.fit(task.X, task.y, sample_domain=task.domain).save(tmp_path / "m.mega")
    info = json.loads(program("model", "info", tmp_path / "m.mega", "--json"))
    assert info["system"] == "megam"
    assert info["options"]["variance"] == "0.5"
    assert info["domains"]["phone"]["examples"] == int(task.target.sum())
    assert info["domains"]["phone"]["general_share"] == clf.general_share_["phone"]

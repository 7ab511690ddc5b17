"""compare() and learning_curve() return data frames."""
import numpy as np
import pytest

import megadapt

pandas = pytest.importorskip("pandas")


def compare(task, **options):
    return megadapt.compare(task.X, task.y, task.domain, target_domain="phone", **options)


def test_a_row_per_system_and_a_verdict(task):
    table = compare(task, systems=["onlyi", "mix", "prior"], tune=False, folds=3)
    assert table["system"].tolist() == ["onlyi", "mix", "prior"]
    assert table["accuracy"].between(0.3, 1).all()
    assert (table["low"] <= table["accuracy"]).all() and (table["accuracy"] <= table["high"]).all()
    assert table.attrs["best"] in table["system"].tolist() and table.attrs["verdict"]
    assert len(table.attrs["pairs"]) == 3
    assert pandas.DataFrame(table.attrs["pairs"])["p_holm"].between(0, 1).all()


def test_tuning_and_test_rows(task):
    own = np.flatnonzero(task.target)
    train = np.r_[np.flatnonzero(~task.target), own[:60]]
    table = megadapt.compare(
        task.X[train], task.y[train], task.domain[train], target_domain="phone",
        X_test=task.X[own[60:]], y_test=task.y[own[60:]], systems="onlyi,mix")
    assert all("variance" in tuned for tuned in table["tuned"])
    clf = megadapt.OnlyTargetClassifier(
        "phone", variance=float(table["tuned"][0]["variance"]))
    clf.fit(task.X[train], task.y[train], sample_domain=task.domain[train])
    score = clf.score(task.X[own[60:]], task.y[own[60:]])
    assert abs(score - table["accuracy"][0]) < 0.03


def test_settings_are_chosen_by_what_systems_are_ranked_by(task):
    by_f1 = compare(task, systems="prior", tune_folds=2, folds=2, rank="f1")
    chosen = compare(task, systems="prior", tune_folds=2, folds=2, criterion="f1")
    assert by_f1["tuned"].tolist() == chosen["tuned"].tolist()
    plain = compare(task, systems="prior", tune_folds=2, folds=2)
    assert plain["tuned"].tolist() != chosen["tuned"].tolist()


def test_a_limit_shortens_searches_and_can_be_repeated(task):
    systems = ["onlyi", "mix", "easyadapt"]
    table = compare(task, systems=systems, tune_folds=2, folds=2, passes=60)
    plan = table.attrs["plan"]
    assert plan["limit"] == 60 and plan["left_out"]
    assert set(table["system"][table["left_out"] != ""]) == set(plan["left_out"])
    again = compare(task, systems=systems, tune_folds=2, folds=2, passes=60, n_jobs=2)
    assert again["tuned"].tolist() == table["tuned"].tolist()
    assert compare(task, systems="mix", tune_folds=2, folds=2, time="1h").attrs["plan"]["limit"] > 60
    assert "plan" not in compare(task, systems="mix", tune=False, folds=2).attrs
    with pytest.raises(ValueError, match="'soon' is not a time"):
        compare(task, systems="mix", time="soon")


def test_the_best_model_is_kept(task, tmp_path):
    own = np.flatnonzero(task.target)
    train = np.r_[np.flatnonzero(~task.target), own[:60]]
    test = task.X[own[60:]], task.y[own[60:]]
    table = megadapt.compare(
        task.X[train], task.y[train], task.domain[train], target_domain="phone",
        X_test=test[0], y_test=test[1], systems="onlyi,mix,stack", tune_folds=2,
        output=tmp_path / "best.mega", keep=tmp_path / "models")
    for system, accuracy in zip(table["system"], table["accuracy"]):
        clf = megadapt.load(tmp_path / "models" / f"{system}.mega")
        assert clf.score(*test) == accuracy
        assert clf.classes_.dtype == task.y.dtype and clf.target_domain_ == "phone"
    best = megadapt.load(tmp_path / "best.mega")
    kept = megadapt.load(tmp_path / "models" / f"{table.attrs['best']}.mega")
    assert np.array_equal(best.predict_proba(task.X), kept.predict_proba(task.X))
    with pytest.raises(ValueError, match="cannot write"):
        compare(task, systems="mix", output=tmp_path)


def test_dense_rows_and_threads_agree(task):
    options = dict(systems=["mix", "easyadapt"], tune=False, folds=2)
    one = compare(task, **options)
    two = megadapt.compare(task.dense, task.y, task.domain, target_domain="phone", n_jobs=2,
                           **options)
    same = ["system", "accuracy", "log_loss", "f1"]
    pandas.testing.assert_frame_equal(one[same], two[same])


def test_systems_that_cannot_run_say_why():
    rng = np.random.default_rng(0)
    X, y = rng.random((40, 3)), rng.integers(0, 2, 40)
    table = megadapt.compare(X, y, ["only"] * 40, systems="mix,prior", tune=False, folds=2)
    assert table["left_out"][0] == "" and "other than the target" in table["left_out"][1]


def test_what_makes_no_sense(task):
    with pytest.raises(ValueError, match="did you mean 'mix'"):
        compare(task, systems="mixx")
    with pytest.raises(ValueError, match="not one of the domains"):
        megadapt.compare(task.X, task.y, task.domain, target_domain="web")
    with pytest.raises(ValueError, match="features"):
        compare(task, X_test=task.X[:, :3], y_test=task.y)


def test_a_row_per_system_and_size(task):
    curve = megadapt.learning_curve(
        task.X, task.y, task.domain, target_domain="phone", systems=["mix", "prior"],
        sizes=[20, 60], repeats=2, tune="none")
    assert set(curve["system"]) == {"onlyi", "mix", "prior"}
    assert (curve.groupby("system").size() == 3).all()  # all rows, too
    assert curve["accuracy"].between(0, 1).all()
    assert (curve["accuracy_low"] <= curve["accuracy"]).all()
    assert curve.attrs["verdict"] and curve.attrs["left_out"] == {}
    own = curve[curve["system"] == "onlyi"].sort_values("examples")["accuracy"].tolist()
    assert own[-1] > own[0]


def test_curves_that_make_no_sense(task):
    with pytest.raises(ValueError, match="tune: 'often' is unknown"):
        megadapt.learning_curve(task.X, task.y, task.domain, target_domain="phone", tune="often")
    with pytest.raises(ValueError, match="not one of the domains"):
        megadapt.learning_curve(task.X, task.y, task.domain, target_domain="web")


def page_of(make, path):
    make(path)
    return path.read_text(encoding="utf-8")


def test_a_report_beside_the_frame(task, tmp_path):
    names = [f"word<{i}>" for i in range(task.X.shape[1])]
    page = page_of(
        lambda path: compare(task, systems="onlyi,megam", tune=False, folds=2, report=path,
                             feature_names=names), tmp_path / "report.html")
    assert page.startswith("<!doctype html>")
    assert '"word\\u003c3>"' in page and '"relatedness"' in page
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_a_report_of_curves_names_the_columns_of_a_frame(task, tmp_path):
    X = pandas.DataFrame(task.dense, columns=[f"c{i}" for i in range(task.dense.shape[1])])
    page = page_of(
        lambda path: megadapt.learning_curve(
            X, task.y, task.domain, target_domain="phone", systems="mix", sizes=[20], repeats=2,
            tune="none", report=path), tmp_path / "curve.html")
    assert '"curves"' in page and '"feature":"c' in page


def test_reports_that_cannot_be_written(task, tmp_path):
    with pytest.raises(OSError):
        compare(task, systems="mix", report=tmp_path / "no" / "such.html")
    with pytest.raises(ValueError, match="2 feature names for 60 features"):
        compare(task, systems="mix", feature_names=["a", "b"])
    with pytest.raises(ValueError, match="did you mean"):
        compare(task, systems="mixx", report=tmp_path / "report.html")
    assert list(tmp_path.iterdir()) == []

"""TextClassifier, and models of the command line that read text."""
import json
import os
import pickle
import subprocess

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import megadapt
from megadapt import TextClassifier

PROGRAM = os.environ.get("MEGADAPT_PROGRAM", "megadapt")
TEXTS = ["Great film, truly great", "An awful film", "A great phone!", "Awful phone; awful",
         "The screen is great", "This screen is awful"] * 4
LABELS = ["good", "bad"] * 12
DOMAINS = ["films", "films", "phones", "phones", "phones", "phones"] * 4


def fitted(**options):
    return TextClassifier("phones", **options).fit(TEXTS, LABELS, DOMAINS)


def program(*arguments, text=None):
    done = subprocess.run([PROGRAM, *map(str, arguments)], input=text, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("system", ["mix", "prior", "pool", "megam"])
def test_texts_are_classified_saved_loaded_and_pickled(system, tmp_path):
    clf = fitted(system=system, word_ngrams=2, char_ngrams=3)
    new = ["great", "what an awful one", "Screen"]
    assert clf.predict(new[:2]).tolist() == ["good", "bad"]
    expected = clf.predict_proba(new)
    clf.save(tmp_path / "m.mega")
    again = megadapt.load(tmp_path / "m.mega")
    assert type(again) is TextClassifier
    members = again.get_params()["options"]  # a pool records the settings of its members
    assert {**again.get_params(), "options": None} == clf.get_params()
    assert (members is not None) == (system == "pool")
    for other in (again, pickle.loads(pickle.dumps(clf)),
                  clone(again).fit(TEXTS, LABELS, DOMAINS)):
        np.testing.assert_array_equal(other.predict_proba(new), expected)


def test_the_command_line_gives_the_same_answers(tmp_path):
    clf = fitted(word_ngrams=2)
    clf.save(tmp_path / "m.mega")
    rows = "".join(json.dumps({"text": text}) + "\n" for text in TEXTS[:6])
    found = program("predict", tmp_path / "m.mega", "-", "-u", "--format", "jsonl", "--json",
                    text=rows)
    theirs = [json.loads(line)["probabilities"] for line in found.splitlines()]
    ours = clf.predict_proba(TEXTS[:6])
    assert [[p[c] for c in clf.classes_] for p in theirs] == ours.tolist()


def test_a_table_trained_on_the_command_line_reads_text(tmp_path):
    with open(tmp_path / "all.csv", "w") as file:
        file.write("label,text\n")
        file.writelines(f'{label},"{text}"\n' for label, text in zip(LABELS, TEXTS))
    program("train", "--system", "mix", "--format", "csv", "-d", f"all={tmp_path}/all.csv", "-o",
            tmp_path / "m.mega", "--word-ngrams", "2", "--variance", "0.5")
    clf = megadapt.load(tmp_path / "m.mega")
    assert type(clf) is TextClassifier
    assert clf.word_ngrams == 2 and clf.options == {"variance": 0.5}
    assert clf.predict(TEXTS).tolist() == LABELS


DOCUMENTS = ["Great film, great cast!", 'I don\'t like C++; C# is "fine"', "C is fine", "Awful 😀",
             "l’école était AWFUL", "我喜欢猫", "", "good great phone", "3,000.50 € or $ 17"]


def as_files(documents):
    """Every format of the command line that holds the documents."""
    quoted = ['"' + text.replace('"', '""') + '"' for text in documents]
    return {"raw text": "".join(text + "\n" for text in documents),
            "CSV": "text\n" + "".join(text + "\n" for text in quoted),
            "TSV": "id\ttext\n" + "".join(f"1\t{text}\n" for text in documents),
            "JSON Lines": "".join(json.dumps({"text": text}) + "\n" for text in documents)}


@pytest.mark.parametrize("weights", ["binary", "tfidf"])
def test_a_document_has_one_answer_in_every_format(weights, tmp_path):
    table = "label,text\n" + "".join(f'{label},"{text}"\n' for label, text in zip(LABELS, TEXTS))
    (tmp_path / "all.csv").write_text(table + 'good,"C++ is great, C# is fine 😀"\nbad,"C €"\n')
    model = tmp_path / "m.mega"
    program("train", "-q", "--system", "mix", "-d", f"all={tmp_path}/all.csv", "-o", model,
            "--word-ngrams", "2", "--text-weights", weights)
    clf = megadapt.load(model)  # the format was guessed, and still it is a model of text
    assert type(clf) is TextClassifier
    assert (clf.text_weights, clf.reading) == (weights, None)
    assert clone(clf).text_weights == weights
    ours = clf.predict_proba(DOCUMENTS).tolist()
    for name, text in as_files(DOCUMENTS).items():
        lines = program("predict", model, "-", "-u", "--json", text=text).splitlines()
        theirs = [json.loads(line)["probabilities"] for line in lines]
        assert [[p[c] for c in clf.classes_] for p in theirs] == ours, name


def test_weights_and_explanations_agree():
    clf = fitted(system="mix")
    text = "an awful screen"
    contributions = clf.explain([text])[0]["model"]["contributions"]
    weights = dict(zip(clf.feature_names_, clf.coef_[0]))
    for term in contributions:
        if term["feature"] != "(bias)":
            assert abs(term["contribution"]) == pytest.approx(abs(weights[term["feature"]]))
    odds = clf.decision_function([text])[0]
    assert odds == pytest.approx(-clf.explain([text])[0]["model"]["log_odds"])


def test_class_weights_move_the_answer():
    unsure = ["of the"]
    plain = fitted(system="mix").predict_proba(unsure)[0]
    weighted = fitted(system="mix", class_weight={"good": 20}).predict_proba(unsure)[0]
    assert weighted[1] > plain[1] + 0.1


def test_mistakes_are_told():
    with pytest.raises(NotFittedError):
        TextClassifier().predict(["a"])
    with pytest.raises(ValueError, match="fix: give a list of texts"):
        TextClassifier().fit("one text", ["a"])
    with pytest.raises(ValueError, match=r"X\[0\] is int, not a text"):
        TextClassifier().fit([1, 2], ["a", "b"])
    with pytest.raises(ValueError, match="target_domain='phones' is given"):
        TextClassifier("phones").fit(TEXTS, LABELS)
    with pytest.warns(UserWarning, match="such as 'web', predicted as 'phones'"):
        fitted(system="mix").predict(["a"], sample_domain=["web"])
    with pytest.raises(ValueError, match="there is no system 'pol'\nfix: did you mean 'pool'"):
        fitted(system="pol")
    with pytest.raises(ValueError, match="choose one of onlyo, onlyi"):
        megadapt.tune(TEXTS, LABELS, DOMAINS, target_domain="phones", system="xxxxxxxxxx")


def test_the_library_warns_of_odd_texts():
    with pytest.warns(UserWarning, match="all 16 rows of the target 'phones'") as told:
        TextClassifier("phones", system="mix").fit(
            TEXTS, ["good" if d == "phones" else l for d, l in zip(DOMAINS, LABELS)], DOMAINS)
    assert told[0].filename == __file__


def test_options_are_documented():
    for word in ("prior_exponent", "source_variance", "text_weights", '"tfidf"', "hash_bits"):
        assert word in TextClassifier.__doc__


def test_balanced_and_own_class_weights_together(tmp_path):
    both = fitted(system="mix", class_weight=("balanced", {"good": 3.0}))
    assert "class_weight" not in str(both.options)
    plain = fitted(system="mix", class_weight={"good": 3.0})
    assert not np.array_equal(
        TextClassifier("phones", system="mix", class_weight=("balanced", {"good": 3.0})).fit(
            TEXTS[:-1], LABELS[:-1], DOMAINS[:-1]).predict_proba(["great"]),
        TextClassifier("phones", system="mix", class_weight={"good": 3.0}).fit(
            TEXTS[:-1], LABELS[:-1], DOMAINS[:-1]).predict_proba(["great"]))
    both.save(tmp_path / "m.mega")
    assert megadapt.load(tmp_path / "m.mega").class_weight == ("balanced", {"good": 3.0})
    assert plain.class_weight == {"good": 3.0}


def test_tune_takes_texts_as_the_command_line_does(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"text": TEXTS, "label": LABELS, "domain": DOMAINS})
    frame.to_csv(tmp_path / "all.csv", index=False)
    options = dict(target_domain="phones", system="prior", folds=2, random_state=3)
    tuned = megadapt.tune(frame["text"], frame["label"], frame["domain"], **options)
    printed = json.loads(program("tune", "-d", f"phones={tmp_path}/all.csv", "-t", "phones",
                                 "-s", "prior", "--folds", "2", "--seed", "3", "--json", "-q"))
    theirs = {name.replace("-", "_"): float(value) for name, value in printed["tuned"].items()}
    assert {name: value for name, value in tuned["options"].items() if name in theirs} == theirs
    assert tuned["system"] == "prior"
    clf = TextClassifier("phones", **tuned).fit(TEXTS, LABELS, DOMAINS)
    assert clf.predict(["a great one"]).tolist() == ["good"]


def test_compare_and_relate_take_texts(tmp_path):
    table = megadapt.compare(
        TEXTS, LABELS, DOMAINS, target_domain="phones", systems=["mix", "pool"], folds=2,
        tune_folds=2, tune=False, reading={"word_ngrams": 2}, output=tmp_path / "best.mega",
        report=tmp_path / "r.html", X_test=["a great phone", "awful"], y_test=["good", "bad"])
    assert table.attrs["verdict"].startswith("Ship ")
    best = megadapt.load(tmp_path / "best.mega")
    assert type(best) is TextClassifier and best.word_ngrams == 2
    assert best.predict(["great"]).tolist() == ["good"]
    tuned = table["tuned"][0]
    assert TextClassifier("phones", **tuned).word_ngrams == 2
    assert "a great phone" in (tmp_path / "r.html").read_text(encoding="utf-8")
    how = megadapt.relate(TEXTS, LABELS, DOMAINS)
    assert how["separators"][0]["features"][0]["feature"] in ("film", "phone", "screen")
    assert "<table>" in how._repr_html_()
    with pytest.raises(ValueError, match="reading= is for texts"):
        megadapt.tune([[1.0], [0.0]], [1, 0], reading={"word_ngrams": 2})


def test_without_domains_it_is_plain_logistic_regression():
    clf = TextClassifier().fit(TEXTS, [True, False] * 12)
    assert clf.classes_.tolist() == [False, True]
    assert clf.score(TEXTS, [True, False] * 12) == 1


def test_a_model_is_adapted_and_compared_with_the_old_one(tmp_path):
    old = TextClassifier().fit(TEXTS[:2] * 12, LABELS)
    old.save(tmp_path / "old.mega")
    new = megadapt.adapt(tmp_path / "old.mega", TEXTS, LABELS, "phones", verbose=0)
    assert type(new) is TextClassifier and new.target_domain_ == "phones"
    assert new.adaptation_["keep_old"] in (True, False)
    assert {"former", "onlyi"} <= set(new.adaptation_["scores"])
    found = megadapt.diff(old, new, TEXTS, LABELS)
    right = [(clf.predict(TEXTS) == LABELS).astype(int) for clf in (old, new)]
    assert found["rows"] == 24
    assert found["won"] == int(((right[1] - right[0]) == 1).sum())
    assert found["lost"] == int(((right[1] - right[0]) == -1).sum())
    assert megadapt.diff(old, old, TEXTS, LABELS)["won"] == 0


def test_a_model_of_columns_is_adapted(task):
    source = ~task.target
    old = megadapt.MixClassifier().fit(task.X[source], task.y[source])
    new = megadapt.adapt(old, task.X[task.target], task.y[task.target], "phone", verbose=0)
    assert new.classes_.tolist() == [0, 1, 2]
    found = megadapt.diff(old, new, task.X[task.target], task.y[task.target])
    assert found["accuracy"][1] > found["accuracy"][0]


def test_rounds_until_settled_are_loaded(tmp_path):
    fitted(system="megam", options={"rounds": "auto"}).save(tmp_path / "m.mega")
    assert megadapt.load(tmp_path / "m.mega").options["rounds"] == "auto"


def test_a_model_of_more_columns_is_refused(tmp_path):
    rows = "".join(f"{y},{t.split()[0]},{len(t)}\n" for t, y in zip(TEXTS, LABELS))
    (tmp_path / "all.csv").write_text("label,text,size\n" + rows)
    program("train", "-q", "--system", "mix", "--number-columns", "size", "-d",
            f"all={tmp_path}/all.csv", "-o", tmp_path / "m.mega")
    with pytest.raises(ValueError, match="also reads the columns size"):
        megadapt.load(tmp_path / "m.mega")


def test_rows_must_be_of_the_models_kind():
    matrix = megadapt.MixClassifier().fit([[0.0], [1.0]], ["bad", "good"])
    with pytest.raises(ValueError, match="X is text, and the model reads a matrix"):
        megadapt.diff(matrix, matrix, TEXTS, LABELS)


def test_a_stack_needs_the_weights_of_its_members():
    stack = megadapt.StackClassifier("phone", members={"mix": {"variance": 0.3}})
    X, y, domain = [[0.0], [1.0]] * 8, ["bad", "good"] * 8, ["book"] * 8 + ["phone"] * 8
    with pytest.raises(ValueError, match="'mix' of stack has no weight"):
        stack.fit(X, y, sample_domain=domain)


def test_word_classes_are_features(tmp_path):
    table = tmp_path / "classes.tsv"
    table.write_text("word\tclass2\nmonday\tA0\nfriday\tA0\nsunday\tA0\nred\tA1\ngreen\tA1\n")
    classifier = TextClassifier(system="mix", word_classes=table)
    classifier.fit(["monday", "red", "friday", "red"], ["day", "colour", "day", "colour"])
    table.unlink()
    assert "class2=A0" in classifier.feature_names_
    assert classifier.predict(["Sunday", "green"]).tolist() == ["day", "colour"]


def test_vector_classes_says_how_many(tmp_path):
    table = tmp_path / "vectors.txt"
    table.write_text("monday 1 0\nfriday 1 .1\nsunday 2 .1\nred 0 1\nblue .1 1\ngreen 0 2\n")
    texts, y = ["monday", "red", "friday", "blue"], ["day", "colour", "day", "colour"]
    classifier = TextClassifier(system="mix", word_vectors=table, vector_classes="2")
    classifier.fit(texts, y)
    assert classifier.predict(["sunday", "green"]).tolist() == ["day", "colour"]
    classifier.save(tmp_path / "m.mega")
    assert megadapt.load(tmp_path / "m.mega").vector_classes == "2"


def test_n_jobs_is_for_reading_too(tmp_path, monkeypatch):
    table = tmp_path / "vectors.txt"
    table.write_text("monday 1 0\nfriday 1 .1\nred 0 1\nblue .1 1\n")
    texts, y = ["monday", "red", "friday", "blue"], ["day", "colour", "day", "colour"]
    read, threads = megadapt._core.file_rows, []

    def counted(*args, **keywords):
        threads.append(keywords["threads"])
        return read(*args, **keywords)

    monkeypatch.setattr(megadapt._core, "file_rows", counted)
    megadapt.tune(texts * 3, y * 3, system="mix", folds=2, n_jobs=2,
                  reading={"word_vectors": table, "vector_classes": "2"})
    assert threads == [2]

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
    assert again.get_params() == clf.get_params()
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
    assert clf.reading == (None if weights == "binary" else {"text_weights": "tfidf"})
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
    with pytest.raises(ValueError, match="knows no domain 'web'"):
        fitted(system="mix").predict(["a"], sample_domain=["web"])


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

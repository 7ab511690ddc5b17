"""megadapt.next_rows: the rows to label next."""
import json
import os
import subprocess

import numpy as np
import pytest

import megadapt

TEXTS = ["good pan", "great knife", "fine pot", "bad lid", "broken pan", "awful pot"]
LABELS = ["+", "+", "+", "-", "-", "-"]


def text_classifier():
    return megadapt.TextClassifier().fit(TEXTS, LABELS)


def test_unsure_rows_come_first_and_copies_once():
    rows = ["great pan", "good but broken", "awful lid", "good but broken"]
    found = megadapt.next_rows(text_classifier(), rows, budget=10)
    assert len(found) == 3
    assert found[0]["row"] == 1
    assert found[0]["text"] == "good but broken"
    assert found[0]["reasons"][0].startswith("unsure: ")
    assert "like 1 other row" in found[0]["reasons"]
    assert found[0]["score"] > found[1]["score"]


def test_the_command_line_chooses_the_same_rows(tmp_path):
    program = os.environ.get("MEGADAPT_PROGRAM", "megadapt")
    model = text_classifier()
    model.save(tmp_path / "m.mega")
    rows = ["great pan", "good but broken", "awful lid", "new words here"]
    (tmp_path / "rows.txt").write_text("\n".join(rows) + "\n", encoding="utf-8")
    printed = subprocess.run([program, "next", tmp_path / "m.mega", tmp_path / "rows.txt", "-q"],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
    lines = [json.loads(line) for line in printed.splitlines()]
    found = megadapt.next_rows(model, rows)
    assert [row["row"] + 1 for row in found] == [line["row"] for line in lines]
    assert [row["score"] for row in found] == [line["score"] for line in lines]
    assert [row["reasons"] for row in found] == [line["reasons"] for line in lines]


def test_threads_do_not_matter():
    rng = np.random.default_rng(0)
    rows = [" ".join(rng.choice(["good", "bad", "pan", "pot", "odd", "red"], 4)) for _ in range(300)]
    model = text_classifier()
    assert megadapt.next_rows(model, rows, n_jobs=1) == megadapt.next_rows(model, rows, n_jobs=3)


def test_rows_of_a_matrix():
    X = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1]])
    model = megadapt.MixClassifier().fit(X, [0, 0, 1, 1])
    found = megadapt.next_rows(model, [[1.0, 0], [1, 1], [0, 1]], budget=1)
    assert [row["row"] for row in found] == [1]


def test_sentences_of_a_tagger():
    sentences = [["the", "dog", "runs"], ["a", "cat", "sat"]]
    tagger = megadapt.Tagger(features="pos").fit(sentences, [["D", "N", "V"], ["D", "N", "V"]])
    found = megadapt.next_rows(tagger, ["the dog runs", "zebras gnaw"], budget=1)
    assert [row["text"] for row in found] == ["zebras gnaw"]


def test_bad_input():
    with pytest.raises(ValueError, match="budget"):
        megadapt.next_rows(text_classifier(), ["a"], budget=0)
    assert megadapt.next_rows(text_classifier(), []) == []

"""Tagger: kinds of input, domains, well-formed spans."""
import pickle
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import megadapt
from megadapt import Tagger, _core

WORDS = {"DET": ["the", "a"], "NOUN": ["dog", "cat", "run"], "VERB": ["sees", "run", "bites"]}


def corpus(count, seed):
    """Sentences DET NOUN VERB DET NOUN; "run" is a noun or a verb by its position."""
    rng = np.random.default_rng(seed)
    tags = ["DET", "NOUN", "VERB", "DET", "NOUN"]
    words = [[str(rng.choice(WORDS[tag])) for tag in tags] for _ in range(count)]
    return words, [tags] * count


def dicts(sentences):
    return [[{"word": w, "short": len(w) < 4, "length": len(w) / 10} for w in s]
            for s in sentences]


def names(sentences):
    return [[[f"word={w}", f"end={w[-1]}"] for w in s] for s in sentences]


@pytest.mark.parametrize("form", [dicts, names])
def test_features_given_by_the_caller(form):
    X, y = corpus(40, 1)
    tagger = Tagger(system="mix", variance=10).fit(form(X), y)
    test, gold = corpus(20, 2)
    assert tagger.predict(form(test)) == gold  # only the previous tag tells what "run" is
    assert tagger.score(form(test), gold) == 1
    assert sorted(tagger.classes_) == ["DET", "NOUN", "VERB"]


@pytest.mark.parametrize("features", ["pos", "w\nw[-1]\ntag[-1]\n"])
def test_templates(features):
    X, y = corpus(40, 1)
    tagger = Tagger(system="mix", features=features, variance=10).fit(X, y)
    test, gold = corpus(20, 2)
    assert tagger.predict(test) == gold


@pytest.mark.parametrize("system", ["megam", "prior", "easyadapt"])
def test_domains(system):
    X, y = corpus(30, 1)
    other, other_y = corpus(60, 3)
    domain = ["target"] * 30 + ["source"] * 60
    tagger = Tagger("target", system=system, features="pos")
    tagger.fit(X + other, y + other_y, sample_domain=domain)
    test, gold = corpus(20, 2)
    assert tagger.score(test, gold) > 0.9
    assert tagger.score(test, gold, sample_domain=["source"] * 20) > 0.9
    with pytest.warns(UserWarning, match="such as 'web', predicted as 'target'"):
        assert tagger.predict(test, sample_domain=["web"] * 20) == tagger.predict(test)


def test_taggers_are_adapted_and_compared(tmp_path):
    X, y = corpus(40, 1)
    old = Tagger(system="mix", features="pos").fit(X[:20], y[:20])
    new = megadapt.adapt(old, X[20:], y[20:], "mail", random_state=1)
    assert type(new) is Tagger and "mail" in new.domains_
    assert set(new.adaptation_["scores"]) >= {"former", "onlyi"}
    test, gold = corpus(10, 2)
    found = megadapt.diff(old, new, test, gold)
    assert found["rows"] == sum(map(len, test))
    assert found["accuracy"] == pytest.approx((old.score(test, gold), new.score(test, gold)))
    assert "<table>" in found._repr_html_()
    new.save(tmp_path / "m.mega")
    assert megadapt.load(tmp_path / "m.mega").predict(test) == new.predict(test)
    with pytest.raises(ValueError, match="sentence 0 has"):
        megadapt.diff(old, new, [["a", "b"]], [["X"]])
    dicts = Tagger(system="mix").fit([[{"w": "a"}, {"w": "b"}]] * 2, [["A", "B"]] * 2)
    with pytest.raises(ValueError, match="train it with a template"):
        megadapt.diff(dicts, dicts, test, gold)


def test_the_library_warns_of_odd_tags():
    with pytest.warns(UserWarning, match="only 'source' has rows of the label") as told:
        Tagger("target", system="mix", features="pos").fit(
            [["a", "b"], ["a", "c"], ["b", "c"]], [["A", "B"], ["A", "C"], ["A", "B"]],
            ["target", "source", "target"])
    assert told[0].filename == __file__


def test_text_is_split_and_given_back():
    X, y = corpus(40, 1)
    tagger = Tagger(system="mix", features="pos", variance=10).fit(X, y)
    words = X[0]
    text = " ".join(words) + ",\n  (" + " ".join(words) + "). "
    sentences = tagger.tag_text(text)
    joined = "".join(
        "".join(a + b for a, b in zip(spaces, tokens + [""])) for tokens, _, spaces in sentences
    )
    assert joined == text
    for tokens, tags, _ in sentences:
        assert tagger.predict([tokens]) == [tags]
    tags = [tag for _, own, _ in sentences for tag in own]
    assert tagger.predict([text, words]) == [tags, y[0]]
    assert tagger.predict_marginals([text])[0].shape == (len(tags), 3)
    assert tagger.tag_text(" ".join(words)) == [
        (words, y[0], [""] + [" "] * (len(words) - 1) + [""])
    ]
    with pytest.raises(ValueError, match="recap"):
        tagger.recase_text(text)


def test_marginals_are_probabilities():
    X, y = corpus(30, 1)
    tagger = Tagger(system="mix", features="pos").fit(X, y)
    for sentence, marginal in zip(X, tagger.predict_marginals(X)):
        assert marginal.shape == (len(sentence), 3)
        np.testing.assert_allclose(marginal.sum(axis=1), 1, atol=1e-9)


def test_spans_are_well_formed():
    rng = np.random.default_rng(0)
    X = [[{"w": str(w)} for w in rng.integers(0, 5, 8)] for _ in range(60)]
    y = [[str(t) for t in rng.choice(["O", "B-X", "I-X"], 8)] for _ in range(60)]
    for tags in Tagger(system="mix", scheme="iob2").fit(X, y).predict(X):
        for before, tag in zip(["O", *tags], tags):
            assert tag != "I-X" or before in ("B-X", "I-X")


def test_threads_pickles_and_clones():
    X, y = corpus(200, 1)
    tagger = Tagger(system="mix", features="pos", n_jobs=2).fit(X, y)
    expected = tagger.predict(X)
    assert pickle.loads(pickle.dumps(tagger)).predict(X) == expected
    assert clone(tagger).get_params() == tagger.get_params()
    assert tagger.set_params(n_jobs=1).predict(X) == expected


def test_bad_input():
    X, y = corpus(4, 1)
    with pytest.raises(ValueError, match="sentence 0 has 5 tokens and 4 tags"):
        Tagger(features="pos").fit(X, [tags[1:] for tags in y])
    with pytest.raises(ValueError, match="4 sentences and tags for 3"):
        Tagger(features="pos").fit(X, y[1:])
    with pytest.raises(ValueError, match="no template"):
        Tagger().fit(X, y)
    with pytest.raises(ValueError, match="list of lists"):
        Tagger().fit(["the dog"], [["DET", "NOUN"]])
    with pytest.raises(ValueError, match="NaN"):
        Tagger().fit([[{"a": float("nan")}]], [["X"]])
    with pytest.raises(ValueError, match="did you mean 'mix'"):
        Tagger(system="mixx", features="pos").fit(X, y)


def iob1_sentences():
    """Spans begin with I, except right after another span."""
    X, y = [], []
    for n in range(30):
        X.append(["the", "old", f"mayor{n % 3}", "spoke"])
        y.append(["I", "I", "I", "O"])
        X.append(["he", "the", "saw", "a", "town"])
        y.append(["I", "B", "O", "I", "I"])
    return X, y


@pytest.mark.parametrize("features", [None, "w lower tag[-1]"])
def test_the_scheme_is_found_in_the_data(features):
    X, y = iob1_sentences()
    form = X if features else [[{"w": word} for word in sentence] for sentence in X]
    tagger = Tagger(system="mix", features=features, variance=10).fit(form, y)
    assert tagger.predict(form) == y
    again = pickle.loads(pickle.dumps(tagger))
    assert again.predict(form) == y
    forced = Tagger(system="mix", features=features, scheme="iob2", variance=10).fit(form, y)
    assert forced.predict(form) != y


@pytest.mark.parametrize("features", ["pos", "mention", "chunk"])
def test_every_built_in_set_of_tokens_can_be_named(features):
    X, y = iob1_sentences()
    tagger = Tagger(system="mix", features=features, variance=10).fit(X, y)
    assert tagger.score(X, y) == 1


@pytest.mark.parametrize("features, what", [("mention-type", "marked spans"), ("recap", "text")])
def test_sets_for_other_input_are_refused(features, what):
    X, y = iob1_sentences()
    with pytest.raises(ValueError, match=f"'{features}' is a set for {what}"):
        Tagger(features=features).fit(X, y)


@pytest.mark.parametrize("features", [None, "pos", "w lower tag[-1]"])
def test_save_and_load(features, tmp_path):
    X, y = iob1_sentences()
    form = X if features else dicts(X)
    domains = [7 if n % 3 else 5 for n in range(len(X))]
    tagger = Tagger(5, features=features, variance=3).fit(form, y, domains)
    tagger.save(tmp_path / "m.mega")
    again = megadapt.load(tmp_path / "m.mega")
    assert again.features == features and again.system == "megam"
    assert again.classes_.tolist() == tagger.classes_.tolist()
    assert again.domains_.tolist() == [5, 7] and again.target_domain_ == 5
    assert again.predict(form) == tagger.predict(form)
    assert again.predict(form, domains) == tagger.predict(form, domains)
    for ours, theirs in zip(again.predict_marginals(form), tagger.predict_marginals(form)):
        np.testing.assert_array_equal(ours, theirs)


def test_load_says_what_python_cannot_read(tmp_path):
    folder = Path(__file__).resolve().parents[2] / "tests" / "compat" / "models"
    with pytest.raises(ValueError, match="marked spans"):
        megadapt.load(next(folder.glob("*mention-type*.mega")))


def test_empty_sentences_have_no_tags():
    X, y = corpus(10, 1)
    for form, features in ((X, "pos"), (dicts(X), None)):
        tagger = Tagger(system="mix", features=features).fit([*form, []], [*y, []])
        assert tagger.predict([[], form[0], []]) == [[], y[0], []]
        assert tagger.predict_marginals([[]])[0].shape == (0, 3)
        with pytest.raises(ValueError, match="not of the kind"):
            tagger.set_params(features=None if features else "pos").predict(
                dicts(X) if features else X)


@pytest.mark.parametrize("features", [None, "w tag[-1] tag[-1]|w"])
@pytest.mark.parametrize("gate", ["psi", "logistic"])
def test_the_gate_sees_no_tag(features, gate):
    X, y = iob1_sentences()
    form = X if features else [[{"w": word} for word in sentence] for sentence in X]
    domains = ["a" if n % 3 else "b" for n in range(len(X))]
    tagger = Tagger("b", system="megam", features=features, options={"gate": gate})
    model = tagger.fit(form, y, domains)._model
    names = model.columns
    tags = [f for f, name in enumerate(names) if name.startswith("tag[-1]")]
    assert tags
    word = names.index("w=the")
    row_of = lambda columns: _core.Csr(  # noqa: E731
        np.array([0, len(columns)]), np.array(columns), None, len(names))
    plain = model.general(row_of([word]), None, 1)
    for tag in tags:
        assert model.general(row_of([word, tag]), None, 1) == plain


def test_the_former_name_warns_and_works():
    X, y = corpus(6, 1)
    with pytest.warns(FutureWarning, match="megadapt.Tagger"):
        tagger = megadapt.MemmTagger(system="mix", features="pos").fit(X, y)
    assert tagger.predict(X) == Tagger(system="mix", features="pos").fit(X, y).predict(X)


def test_sentences_may_be_text_split_at_spaces():
    X, y = corpus(6, 1)
    tagger = Tagger(system="mix", features="pos").fit(X, y)
    assert tagger.predict([" ".join(tokens) for tokens in X]) == tagger.predict(X)


def test_a_loaded_tagger_has_its_parameters(tmp_path):
    X, y = corpus(12, 1)
    domains = ["a", "b"] * 6
    tagger = Tagger("b", system="mix", features="pos", variance=3, options={"prior_exponent": 0.3})
    tagger.fit(X, y, domains).save(tmp_path / "m.mega")
    again = megadapt.load(tmp_path / "m.mega")
    assert type(again) is Tagger
    for name in ("target_domain", "system", "features", "variance", "options"):
        assert getattr(again, name) == getattr(tagger, name), name
    assert clone(again).fit(X, y, domains).predict(X) == tagger.predict(X)
    with pytest.raises(ValueError, match="target_domain='b' is given"):
        Tagger("b", features="pos").fit(X, y)


def test_spans_have_probabilities():
    X = [["John", "Smith", "sleeps"], ["dogs", "see", "Mary"]] * 10
    y = [["B-PER", "I-PER", "O"], ["O", "O", "B-PER"]] * 10
    tagger = Tagger(system="mix", features="mention", variance=10).fit(X, y)
    first, second = tagger.predict_spans(X[:2])
    assert [(s.begin, s.end, s.type) for s in first + second] == [(0, 2, "PER"), (2, 3, "PER")]
    marginals = tagger.predict_marginals(X[:2])
    tags = tagger.classes_.tolist()
    # The last token has no successor, so its span is as probable as its tag.
    assert second[0].probability == pytest.approx(marginals[1][2][tags.index("B-PER")])
    assert 0 < first[0].probability <= marginals[0][1][tags.index("I-PER")] + 1e-12


CLASSES = ("word\tclass2\nmonday\tA0\nfriday\tA0\nsunday\tA0\nred\tA1\nblue\tA1\ngreen\tA1\n")


def test_word_classes_are_stored_in_the_model(tmp_path):
    table = tmp_path / "classes.tsv"
    table.write_text(CLASSES)
    X, y = [["monday"], ["red"], ["friday"], ["blue"]], [["N"], ["A"], ["N"], ["A"]]
    tagger = Tagger(system="mix", features="w class2", word_classes=table).fit(X, y)
    table.unlink()
    assert tagger.predict([["Sunday"], ["green"]]) == [["N"], ["A"]]
    tagger.save(tmp_path / "m.mega")
    again = megadapt.load(tmp_path / "m.mega")
    assert again.predict([["Sunday"], ["green"]]) == [["N"], ["A"]]
    assert again.word_classes == str(table)
    assert pickle.loads(pickle.dumps(tagger)).predict([["green"]]) == [["A"]]


def test_built_in_sets_use_classes_of_vectors(tmp_path):
    table = tmp_path / "vectors.txt"
    table.write_text("".join(f"{word} {x} {y}\n" for word, x, y in [
        ("monday", 1, 0), ("friday", 1, .1), ("sunday", 2, .1),
        *((f"w{n}", 0, 1 + n) for n in range(600))]))
    X, y = [["monday"], ["w1"], ["friday"], ["w2"]], [["N"], ["A"], ["N"], ["A"]]
    tagger = Tagger(system="mix", features="pos", variance=10, word_vectors=table).fit(X, y)
    assert tagger.predict([["sunday"]]) == [["N"]]


def test_vector_classes_says_how_many(tmp_path):
    table = tmp_path / "vectors.txt"
    table.write_text("monday 1 0\nfriday 1 .1\nsunday 2 .1\nred 0 1\nblue .1 1\ngreen 0 2\n")
    X, y = [["monday"], ["red"], ["friday"], ["blue"]], [["N"], ["A"], ["N"], ["A"]]
    tagger = Tagger(system="mix", features="pos", variance=10, word_vectors=table)
    with pytest.raises(ValueError, match="6 vectors are too few for 512 classes"):
        tagger.fit(X, y)
    tagger.set_params(vector_classes="2").fit(X, y)
    assert tagger.predict([["sunday"], ["green"]]) == [["N"], ["A"]]
    tagger.save(tmp_path / "m.mega")
    assert megadapt.load(tmp_path / "m.mega").vector_classes == "2"


def test_word_classes_need_a_template(tmp_path):
    with pytest.raises(ValueError, match="needs a template"):
        Tagger(system="mix", word_classes="c.tsv").fit([[{"w": "a"}]], [["X"]])

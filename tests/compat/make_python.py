"""Writes the models that the Python package of version 0.1 made. Called by `make`."""
import json
import pickle
from pathlib import Path

from sklearn.feature_extraction.text import CountVectorizer

import megadapt

FOLDER = Path(__file__).resolve().parent


def reviews(*names):
    """Words, labels and domain of the rows in data/NAME.txt; row weights are left out."""
    texts, labels, domains = [], [], []
    for name in names:
        for line in (FOLDER / f"data/{name}.txt").read_text(encoding="utf-8").splitlines():
            label, words = line.split("\t")
            texts.append(words.replace("$$$WEIGHT 2 ", ""))
            labels.append(label)
            domains.append(name.split(".")[0])
    return texts, labels, domains


def tagged(*names):
    """Tokens, tags and domain of the sentences in data/pos.NAME.conll."""
    sentences, tags, domains = [], [], []
    for name in names:
        text = (FOLDER / f"data/pos.{name}.conll").read_text(encoding="utf-8")
        for block in text.split("\n\n"):
            lines = [line.split("\t") for line in block.strip().splitlines() if line[0] != "#"]
            if lines:
                sentences.append([line[0] for line in lines])
                tags.append([line[1] for line in lines])
                domains.append(name)
    return sentences, tags, domains


def as_features(sentences):
    """Tokens as dicts with a word, a truth value and a number, as CRF wrappers take them."""
    return [[{"word": token.lower(), "capital": token[0].isupper(), "length": len(token) / 4}
             for token in sentence] for sentence in sentences]


def store(name, model, expected):
    (FOLDER / f"models/python-{name}.pickle").write_bytes(pickle.dumps(model, protocol=4))
    (FOLDER / f"expected/python-{name}.json").write_text(json.dumps(expected) + "\n",
                                                        encoding="utf-8")


def make_classifiers():
    texts, labels, domains = reviews("books", "phones")
    test = reviews("phones.test")[0]
    words = CountVectorizer(binary=True, token_pattern=r"\S+").fit(texts)
    X, X_test = words.transform(texts), words.transform(test)
    numbers = [5 if label == "good" else 1 for label in labels]
    for name, classifier, y in (("mix", megadapt.MixClassifier("phones"), labels),
                                ("mega", megadapt.MegaClassifier("phones"), numbers)):
        classifier.fit(X, y, sample_domain=domains)
        classifier.save(FOLDER / f"models/python-{name}.mega",
                        feature_names=words.get_feature_names_out())
        store(f"classifier-{name}", classifier, {"X": X_test.toarray().tolist(),
                                 "classes": classifier.classes_.tolist(),
                                 "probabilities": classifier.predict_proba(X_test).tolist()})


def make_taggers():
    sentences, tags, domains = tagged("news", "mail")
    test = tagged("test")[0]
    template = (FOLDER / "data/small.templates").read_text(encoding="utf-8")
    for name, tagger, encode in (
            ("tagger-template", megadapt.MemmTagger("mail", system="megam", features=template),
             list),
            ("tagger-dicts", megadapt.MemmTagger("mail", system="mix"), as_features)):
        tagger.fit(encode(sentences), tags, sample_domain=domains)
        X = encode(test)
        marginals = tagger.predict_marginals(X)
        store(name, tagger, {"X": X, "classes": tagger.classes_.tolist(),
                             "tags": tagger.predict(X),
                             "marginals": [m.tolist() for m in marginals]})


if __name__ == "__main__":
    make_classifiers()
    make_taggers()

"""A sentence tagger: any of the systems over tokens, with Viterbi decoding."""
from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Mapping, NamedTuple, Optional, Sequence

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import (
    DEFAULTS,
    DOMAINS,
    keywords_of,
    refuse_target_alone,
    restored,
    seed_of,
    settings_of,
    unusual_options,
)
from ._domains import domain_labels, find_target, predicted_ids
from ._progress import ProgressBar

#: Recorded in a model whose rows are the tokens of sentences.
TAGGER = "python-tagger"


def _named_values(token: Any) -> list[tuple[str, float]]:
    """Converts a token, in the form that CRF wrappers take, to names with values.

    In a dict, {"word": "dog"} is the feature word=dog, True means present, False means absent,
    and a number is a value. Otherwise a token is a list of the names of its features.
    """
    if not isinstance(token, Mapping):
        return [(str(name), 1.0) for name in token]
    named = []
    for name, value in token.items():
        if isinstance(value, str):
            named.append((f"{name}={value}", 1.0))
        elif isinstance(value, (bool, np.bool_)):
            if value:
                named.append((str(name), 1.0))
        else:
            named.append((str(name), float(value)))
    if not np.isfinite([value for _, value in named]).all():
        raise ValueError("a feature's value is NaN or infinity")
    return named


class Span(NamedTuple):
    """Tokens [begin, end) of a sentence, and the probability that they are a span."""

    begin: int
    end: int
    type: str
    probability: float


@dataclass(eq=False, repr=False)
class Tagger(BaseEstimator):
    """A maximum entropy Markov model over several domains (Daumé & Marcu 2006, §3.3).

    Every token is a row whose features include the previous tag. The best sequence is found
    exactly. Tags that mark spans (B-PER, I-PER, O) are always well-formed.

    Parameters
    ----------
    target_domain : label, optional
        The domain to predict for, as in the classifiers.
    system : str, default "megam"
        Any system of the command line.
    features : str, optional
        For sentences of plain tokens: the name of a built-in set, such as "pos" or "mention",
        or the text of a template (docs/templates.md). Without it, tokens are dicts of features
        or lists of their names.
    language : str, default "english"
        The language of the stemmer that templates use.
    word_classes : path, optional
        A table of words and classes for templates (docs/words.md). Built-in sets use it too.
    word_vectors : path, optional
        A table of word vectors. Its words are grouped into classes, which the model stores.
    vector_classes : str, default "64,512"
        How many classes the words of `word_vectors` are grouped into.
    scheme : {"none", "iob2", "iobes"}, optional
        How tags mark spans. The default is what the training tags use; the model keeps it.
    variance : float, default 1.0
        Prior variance of every weight.
    tolerance : float, default 1e-4
    options : dict, optional
        Further options by their names on the command line: {"rounds": 3}.
    n_jobs, verbose, random_state
        As in the classifiers.

    Attributes
    ----------
    classes_ : array of str
        The tags.
    domains_, target_domain_
        As in the classifiers.

    Examples
    --------
    Feature dicts, as for a CRF wrapper:

    >>> from megadapt import Tagger
    >>> X = [[{"word": "the"}, {"word": "dog"}], [{"word": "dogs"}, {"word": "bark"}]]
    >>> y = [["DET", "NOUN"], ["NOUN", "VERB"]]
    >>> Tagger(system="mix", variance=10).fit(X, y).predict([[{"word": "the"}, {"word": "cat"}]])
    [['DET', 'NOUN']]

    Plain tokens, with a built-in template:

    >>> tagger = Tagger(system="mix", features="pos", variance=10)
    >>> tagger.fit([["the", "dog"], ["dogs", "bark"]], y).predict([["the", "cat"]])
    [['DET', 'NOUN']]
    """

    target_domain: Any = None
    system: str = "megam"
    features: Optional[str] = None
    language: str = "english"
    scheme: Optional[str] = None
    variance: float = DEFAULTS["variance"]
    tolerance: float = DEFAULTS["tolerance"]
    options: Optional[dict[str, Any]] = None
    n_jobs: Optional[int] = None
    verbose: int = 0
    random_state: Any = None
    word_classes: Any = None
    word_vectors: Any = None
    vector_classes: Optional[str] = None

    def fit(
        self, X: Sequence[Any], y: Sequence[Sequence[str]], sample_domain: Any = None,
        unlabelled: Optional[Sequence[Any]] = None,
    ) -> Tagger:
        """Trains on tagged sentences; `sample_domain` has a domain for every sentence.

        `unlabelled` are sentences of the target without tags, to learn from by self-training.
        """
        X = [sentence.split() if isinstance(sentence, str) and self.features else sentence
             for sentence in X]
        sentences = self._encode(X)
        lengths = [len(sentence) for sentence in X]
        tags = [[str(tag) for tag in sentence] for sentence in y]
        if len(tags) != len(lengths):
            raise ValueError(f"there are {len(lengths)} sentences and tags for {len(tags)}")
        for n, (tokens, own) in enumerate(zip(lengths, tags)):
            if tokens != len(own):
                raise ValueError(f"sentence {n} has {tokens} tokens and {len(own)} tags")
        if sample_domain is None:
            refuse_target_alone(self.target_domain)
            domains, domain, target = np.array(["target"]), np.zeros(len(tags), dtype=int), "target"
        else:
            labels = domain_labels(sample_domain, X)
            domains, domain = np.unique(labels, return_inverse=True)
            target = find_target(domains, self.target_domain)
        with ProgressBar() as bar:
            self._model = _core.fit_tagger(
                sentences,
                **self._reading(),
                words=self._words(),
                tags=tags,
                domain=domain.tolist(),
                domains=[str(d) for d in domains.tolist()],
                system=self.system,
                target=str(target),
                settings=self._settings(),
                seed=seed_of(self.random_state),
                recorded=[(TAGGER, "yes"), (DOMAINS, domains.dtype.str)],
                unlabelled=None if unlabelled is None else self._encode(
                    [s.split() if isinstance(s, str) and self.features else s
                     for s in unlabelled]),
                threads=self._threads(),
                progress=bar if self.verbose else None,
            )
        self.classes_ = np.array(self._model.labels)
        self.domains_ = domains
        self.target_domain_ = target
        return self

    def predict(self, X: Sequence[Any], sample_domain: Any = None) -> list[list[str]]:
        """Returns the most probable tags of every sentence.

        With `features`, a sentence may be a text (str). It is split as `tag_text` splits it, and
        its tags are those of all its tokens.
        """
        found = self._decode(_core.tag, X, sample_domain)
        return [[tag for _, tags in sentences for tag in tags] for sentences in found]

    def predict_spans(self, X: Sequence[Any], sample_domain: Any = None) -> list[list[Span]]:
        """Returns the spans that the predicted tags mark, with their probabilities.

        A span is (begin, end, type, probability); tokens begin to end - 1 belong to it.
        """
        all_spans = []
        for sentences in self._decode(_core.tag_spans, X, sample_domain):
            spans, before = [], 0
            for tokens, found in sentences:
                spans += [Span(begin + before, end + before, *rest) for begin, end, *rest in found]
                before += tokens
            all_spans.append(spans)
        return all_spans

    def predict_marginals(self, X: Sequence[Any], sample_domain: Any = None) -> list[np.ndarray]:
        """Returns P(tag | sentence) of every token; for each sentence shape (tokens, tags)."""
        found = self._decode(_core.tag_marginals, X, sample_domain)
        tables = [[p for _, numbers in sentences for p in numbers] for sentences in found]
        return [np.array(numbers).reshape(-1, len(self.classes_)) for numbers in tables]

    def score(self, X: Sequence[Any], y: Sequence[Sequence[str]], sample_domain: Any = None) -> float:
        """Returns the share of correctly tagged tokens."""
        right = [a == str(b) for found, gold in zip(self.predict(X, sample_domain), y)
                 for a, b in zip(found, gold)]
        return float(np.mean(right))

    def tag_text(
        self, text: str, domain: Any = None, format: Optional[str] = None
    ) -> list[tuple[list[str], list[str], list[str]]]:
        """Returns (tokens, tags, spaces) of each sentence of a text.

        The text is split as `megadapt tag` splits a file: `format` is "prose" (running text) or
        "text" (a sentence a line, spaces between tokens); None guesses. `spaces` has the
        text before the first token, between tokens and after the last. Needs `features`.
        """
        return _core.tag_text(
            self._fitted(), text, domain="" if domain is None else str(domain), format=format or ""
        )

    def recase_text(self, text: str, domain: Any = None, format: Optional[str] = None) -> str:
        """Returns a text with the case that a model of the task `recap` predicts."""
        return _core.recase_text(
            self._fitted(), text, domain="" if domain is None else str(domain), format=format or ""
        )

    def save(self, path: Any) -> None:
        """Writes a model file, which `megadapt.load` reads.

        With a template it is also a model for `megadapt tag`, `predict` and `eval`.
        """
        self._fitted().save(str(path))

    def _adopt(self, model: _core.Model) -> Tagger:
        """Takes over a loaded model, as if fit had trained it."""
        self._model = model
        self.system = model.system
        self.features = model.template
        self.language = model.language or "english"
        self.word_classes = dict(model.options).get("word-classes")
        self.word_vectors = dict(model.options).get("word-vectors")
        self.vector_classes = dict(model.options).get("vector-classes")
        self._take_options(model)
        self.classes_ = np.array(model.labels)
        self.domains_ = restored(model.domains, dict(model.options).get(DOMAINS))
        self.target_domain_ = self.domains_[model.domains.index(model.target)]
        if len(self.domains_) > 1:
            self.target_domain = self.target_domain_
        self.random_state = None if model.seed == 1 else model.seed
        return self

    def _take_options(self, model: _core.Model) -> None:
        found = keywords_of(model.options)
        self.variance = found.get("variance", self.variance)
        self.tolerance = found.get("tolerance", self.tolerance)
        others = {name: value
                  for name, value in unusual_options(model.options, model.system).items()
                  if name not in ("variance", "tolerance")}
        self.options = others or None

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if hasattr(self, "_model"):
            _core.complete_tagger(self._model, **self._reading())

    def _fitted(self) -> _core.Model:
        check_is_fitted(self, "classes_")
        return self._model

    def _decode(self, decode: Any, X: Sequence[Any], sample_domain: Any) -> list[list[Any]]:
        """Calls `decode` for all sentences. Returns, for every item of X, (number of tokens, what
        was found) of each of its sentences: one, or those of a text."""
        model = self._fitted()
        if isinstance(X, str):
            raise ValueError("X is one text, not a list of sentences\nfix: give a list")
        split = [
            _core.split_text(model, item) if isinstance(item, str) and self.features else [item]
            for item in X
        ]
        sentences = [sentence for own in split for sentence in own]
        options = self._decoding(X, sample_domain)
        options["domain"] = [d for d, own in zip(options["domain"], split) for _ in own]
        found = iter(zip(map(len, sentences), decode(model, self._encode(sentences), **options)))
        return [[next(found) for _ in own] for own in split]

    def _decoding(self, X: Sequence[Any], sample_domain: Any) -> dict[str, Any]:
        if sample_domain is None:
            target = self._model.domain(str(self.target_domain_))
            domain = [target] * len(X)
        else:
            domain = predicted_ids(sample_domain, self, X).tolist()
        return {"domain": domain, "threads": self._threads()}

    def _words(self) -> list[tuple[str, str]]:
        given = {"word-classes": self.word_classes, "word-vectors": self.word_vectors,
                 "vector-classes": self.vector_classes}
        words = [(name, str(value)) for name, value in given.items() if value is not None]
        if words and self.features is None:
            raise ValueError(f"{words[0][0].replace('-', '_')} needs a template of features\n"
                             'fix: give features="pos" or another template')
        return words

    def _reading(self) -> dict[str, str]:
        return {
            "features": self.features or "",
            "language": self.language,
            "scheme": self.scheme or "",
        }

    def _encode(self, X: Sequence[Any]) -> _core.TaggerSentences:
        if isinstance(X, str):
            raise ValueError("X is one text, not a list of sentences\nfix: give a list")
        if any(isinstance(sentence, str) for sentence in X):
            raise ValueError("X is text, not sentences of tokens\nfix: give a list of lists")
        plain = any(isinstance(token, str) for sentence in X for token in sentence)
        if self.features is not None:
            return _core.plain_sentences([[str(token) for token in sentence] for sentence in X])
        if plain:
            raise ValueError("tokens are plain strings and there is no template\n"
                             'fix: give features="pos" or another template, or dicts')
        return _core.named_sentences([[_named_values(t) for t in sentence] for sentence in X])

    def _settings(self) -> list[tuple[str, str]]:
        return settings_of({"variance": self.variance, "tolerance": self.tolerance,
                            **(self.options or {})})

    def _threads(self) -> int:
        return int(effective_n_jobs(self.n_jobs))


@dataclass(eq=False, repr=False)
class MemmTagger(Tagger):
    """The name of `Tagger` in version 0.1; use that."""

    def __post_init__(self) -> None:
        warnings.warn("MemmTagger is called Tagger now\nfix: write megadapt.Tagger",
                      FutureWarning, stacklevel=3)

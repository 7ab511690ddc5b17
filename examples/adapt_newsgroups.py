"""Adapt a text pipeline from one family of newsgroups to another.

    .venv/bin/python examples/adapt_newsgroups.py
    .venv/bin/python examples/adapt_newsgroups.py --folder 20news-bydate-train

This is a classic task on the 20 newsgroups: tell `rec` from `sci`. The classifier is trained on
some groups of each (cars, cryptography) and used on others (hockey, medicine). With --folder the
posts are read from a copy of the collection, one folder per group. Without it the script makes up
a few hundred posts of the same shape, so that it runs anywhere.
"""
import argparse
import pathlib

import matplotlib
import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline

import megadapt

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Which groups belong to which domain; the class is the part before the dot.
DOMAIN = {
    "rec.autos": "source", "rec.motorcycles": "source",
    "sci.crypt": "source", "sci.electronics": "source",
    "rec.sport.hockey": "target", "sci.med": "target",
}


def read_posts(folder):
    for group in DOMAIN:
        for path in sorted((pathlib.Path(folder) / group).iterdir()):
            text = path.read_text(encoding="latin-1")
            yield group, text.partition("\n\n")[2]  # the header would give the label away


def make_posts(rng, per_group=120):
    """Yields posts whose words come from the class, from the group, and from a common stock."""
    for group in DOMAIN:
        topic, name = group.split(".")[0], group.replace(".", "")
        for _ in range(per_group):
            words = [f"{topic}{i}" for i in rng.geometric(0.05, 4)]
            words += [f"{name}{i}" for i in rng.geometric(0.05, 12)]
            words += [f"common{i}" for i in rng.geometric(0.01, 60)]
            if rng.random() < 0.2:  # an off-topic remark
                words += [f"{rng.choice(['rec', 'sci'])}{i}" for i in rng.geometric(0.05, 4)]
            yield group, " ".join(words)


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--folder", help="a copy of the 20 newsgroups, one folder per group")
parser.add_argument("--output", default="adapt_newsgroups.png", help="the plot")
arguments = parser.parse_args()
rng = np.random.default_rng(0)
posts = list(read_posts(arguments.folder) if arguments.folder else make_posts(rng))
groups = np.array([group for group, _ in posts])
texts = np.array([text for _, text in posts], dtype=object)
y = np.array([group.split(".")[0] for group in groups])
domain = np.array([DOMAIN[group] for group in groups])

# Every source post is labelled, and 30 of the target; the other target posts are the test.
target = rng.permutation(np.flatnonzero(domain == "target"))
train, test = np.r_[np.flatnonzero(domain == "source"), target[:30]], target[30:]


def pipeline(classifier):
    return Pipeline([("words", TfidfVectorizer(sublinear_tf=True)), ("classifier", classifier)])


results = {}
for name, classifier in {
    "target alone": megadapt.OnlyTargetClassifier("target"),
    "source alone": megadapt.OnlySourceClassifier("target"),
    "pooled": megadapt.MixClassifier("target"),
    "EasyAdapt": megadapt.EasyAdaptClassifier("target"),
    "prior": megadapt.PriorClassifier("target"),
    "pool": megadapt.PoolClassifier("target"),
}.items():
    # Folds split the target's posts; all source posts are in every training part.
    search = GridSearchCV(
        pipeline(classifier), {"classifier__variance": [1, 10, 100]}, scoring="neg_log_loss",
        cv=megadapt.TargetKFold(3, target_domain="target", random_state=0))
    search.fit(texts[train], y[train], groups=domain[train],
               classifier__sample_domain=domain[train])
    results[name] = (search.best_estimator_.predict(texts[test]) == y[test]).mean()
    print(f"{name:<13} variance {search.best_params_['classifier__variance']:>4}"
          f"   accuracy {results[name]:.3f}")

figure, axes = plt.subplots(figsize=(6, 3))
axes.barh(list(results)[::-1], list(results.values())[::-1], color="tab:blue")
axes.set(xlabel="accuracy on unseen posts of the target", xlim=(0.4, 1))
figure.savefig(arguments.output, dpi=120, bbox_inches="tight")
print(f"plot: {arguments.output}")

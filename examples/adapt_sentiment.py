"""Classify phone reviews with few labelled phone reviews and many book reviews.

    .venv/bin/python examples/adapt_sentiment.py --output curve.png

The reviews are made up, so nothing is downloaded. Most opinion words mean the same in both
domains ("good" is good), some mean the opposite ("unpredictable": praise for a plot, not for
a phone), and each domain has words of its own.
"""
import argparse

import matplotlib
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

import megadapt

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (after the choice of a backend)


# %% 1. The data: texts, labels and, for every text, its domain.

def make_reviews(rng, domain, count):
    """Returns reviews of 12 opinion words and some filler, and their labels.

    The probability of "good" depends on the sum of the opinions of the words.
    """
    shared = np.random.default_rng(1).normal(size=200)
    shared[:40] *= -1 if domain == "phones" else 1  # these words mean the opposite for phones
    own = np.random.default_rng(len(domain)).normal(size=100)
    words = [f"word{i}" for i in range(200)] + [f"{domain}{i}" for i in range(100)]
    opinion = np.r_[shared, own]
    texts, labels = [], []
    for _ in range(count):
        chosen = rng.choice(300, 12, replace=False)
        filler = [f"the{i}" for i in rng.integers(0, 500, 10)]
        texts.append(" ".join([words[i] for i in chosen] + filler))
        score = 1.5 * opinion[chosen].sum()
        labels.append("good" if rng.random() < 1 / (1 + np.exp(-score)) else "bad")
    return texts, labels


rng = np.random.default_rng(0)
books, book_labels = make_reviews(rng, "books", 2000)
phones, phone_labels = make_reviews(rng, "phones", 400)
test, test_labels = make_reviews(rng, "phones", 2000)


# %% 2. Words become columns of a sparse matrix, as for any scikit-learn classifier.

vectorizer = CountVectorizer(binary=True).fit(books + phones)
X_test = vectorizer.transform(test)


def training_set(phone_reviews):
    """All book reviews and some phone reviews."""
    X = vectorizer.transform(books + phones[:phone_reviews])
    y = book_labels + phone_labels[:phone_reviews]
    domain = ["books"] * len(books) + ["phones"] * phone_reviews
    return X, y, domain


# %% 3. Train. Only `sample_domain` is new. `target_domain` is the domain to predict for.

X, y, domain = training_set(400)
clf = megadapt.MegaClassifier(target_domain="phones")
clf.fit(X, y, sample_domain=domain)
print(f"accuracy on unseen phone reviews: {clf.score(X_test, test_labels):.3f}")
for name, share in clf.general_share_.items():
    print(f"{100 * share:.0f}% of the {name} reviews are explained by what both domains share")


# %% 4. How much does the source help, and how many phone reviews is it worth?

CLASSIFIERS = {
    "phones alone": megadapt.OnlyTargetClassifier("phones"),
    "books alone": megadapt.OnlySourceClassifier("phones"),
    "both, pooled": megadapt.MixClassifier("phones"),
    "prior from books": megadapt.PriorClassifier("phones"),
    "pool of three": megadapt.PoolClassifier("phones"),
}
SIZES = [25, 50, 100, 200, 400]

figure, axes = plt.subplots(figsize=(7, 4.5))
print("\nphone reviews        " + "".join(f"{size:>7}" for size in SIZES))
for name, classifier in CLASSIFIERS.items():
    accuracy = []
    for size in SIZES:
        X, y, domain = training_set(size)
        classifier.fit(X, y, sample_domain=domain)
        accuracy.append(classifier.score(X_test, test_labels))
    print(f"{name:<21}" + "".join(f"{a:7.3f}" for a in accuracy))
    axes.plot(SIZES, accuracy, marker="o", label=name)
axes.set(xscale="log", xlabel="labelled phone reviews", ylabel="accuracy on phone reviews",
         title="Book reviews help to judge phones")
axes.set_xticks(SIZES, SIZES)
axes.minorticks_off()
axes.legend()
axes.grid(alpha=0.3)


# %% 5. Save the plot, and the model for the command line.

parser = argparse.ArgumentParser()
parser.add_argument("--output", default="adapt_sentiment.png", help="the plot")
arguments = parser.parse_args()
figure.savefig(arguments.output, dpi=120, bbox_inches="tight")
clf.save("phones.mega", feature_names=vectorizer.get_feature_names_out())
print(f"\nplot: {arguments.output}; model: phones.mega, for `megadapt predict phones.mega FILE`")

"""NLTK as a client of megam-megadapt: which names are female?

    nltk_test.py PROGRAM

Trains NLTK's MaxentClassifier with algorithm='megam' and with NLTK's own IIS and GIS, and compares
their accuracy on names that none of them saw. Prints accuracy and processor time of each.
"""
import json
import os
import random
import resource
import subprocess
import sys
import unittest
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]
PACKAGES = TREE / "web/node_modules/@stdlib"
PROGRAM = None
TRAINING = 3000  # the other 5003 names are for testing


def names():
    """Names that occur in only one of the two lists, shuffled, with their list."""
    lists = {}
    for kind in ("female", "male"):
        file = PACKAGES / f"datasets-{kind}-first-names-en/data/names.json"
        lists[kind] = set(json.loads(file.read_text(encoding="utf-8")))
    labelled = [(name, kind) for kind in lists for name in sorted(lists[kind])
                if sum(name in other for other in lists.values()) == 1]
    random.Random(25).shuffle(labelled)
    return labelled


def features(name):
    lower = name.lower()
    return {"last": lower[-1], "last two": lower[-2:], "last three": lower[-3:],
            "first": lower[0], "first two": lower[:2], "length": len(lower)}


def processor_seconds():
    return sum(resource.getrusage(who).ru_utime + resource.getrusage(who).ru_stime
               for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


class Names(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import nltk
        except ImportError:
            raise unittest.SkipTest("python3-nltk is not installed: scripts/setup all")
        if not PACKAGES.is_dir():
            subprocess.run(["node", str(TREE / "web/packages.mjs")], check=True)
        cls.nltk = nltk
        nltk.classify.megam.config_megam(PROGRAM)
        rows = [(features(name), kind) for name, kind in names()]
        cls.training, cls.testing = rows[:TRAINING], rows[TRAINING:]

    def train(self, algorithm, **options):
        """The classifier with its accuracy on the test rows and its processor time."""
        before = processor_seconds()
        classifier = self.nltk.MaxentClassifier.train(self.training, algorithm, trace=0, **options)
        seconds = processor_seconds() - before
        accuracy = self.nltk.classify.accuracy(classifier, self.testing)
        print(f"{algorithm} {options}: accuracy {accuracy:.4f}, {seconds:.1f} s", file=sys.stderr)
        return classifier, accuracy, seconds

    def test_is_as_good_as_iis_and_gis_in_a_fraction_of_the_time(self):
        """IIS and GIS as NLTK runs them by default, that is for up to 100 iterations."""
        _, accuracy, seconds = self.train("megam", gaussian_prior_sigma=1)
        for algorithm in ("iis", "gis"):
            _, other, longer = self.train(algorithm)
            self.assertGreaterEqual(accuracy, other, algorithm)
            self.assertLess(seconds, longer / 4, algorithm)

    def test_takes_the_options_that_nltk_sends(self):
        for options in ({}, {"max_iter": 30}, {"bernoulli": False, "gaussian_prior_sigma": 2}):
            _, accuracy, _ = self.train("megam", **options)
            self.assertGreater(accuracy, 0.75, options)
        early = self.nltk.classify.maxent.train_maxent_classifier_with_megam(
            self.training, trace=0, ll_delta=0.01)
        self.assertGreater(self.nltk.classify.accuracy(early, self.testing), 0.75)

    def test_weights_are_those_that_nltk_reads(self):
        """With a prior, NLTK's conditional likelihood has its optimum at the weights."""
        classifier, _, _ = self.train("megam", gaussian_prior_sigma=1, max_iter=1000)
        encoding = classifier._encoding
        gradient = list(classifier.weights() / self.nltk.classify.maxent.numpy.log2(2.718281828459045))
        for row, label in self.training:
            chances = classifier.prob_classify(row)
            for other in encoding.labels():
                residual = chances.prob(other) - (other == label)
                for feature, value in encoding.encode(row, other):
                    gradient[feature] += residual * value
        self.assertLess(max(abs(g) for g in gradient), 0.01)

    def test_costs_are_refused(self):
        encoding = self.nltk.classify.maxent.BinaryMaxentFeatureEncoding.train(
            self.training[:50], alwayson_features=True)
        encoding.cost = lambda row, label, other: int(label != other)
        with self.assertRaises(OSError):
            self.nltk.MaxentClassifier.train(self.training[:50], "megam", trace=0,
                                             encoding=encoding)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()

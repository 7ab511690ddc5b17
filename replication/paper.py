"""The figures of Daumé & Marcu (2006), for comparison with ours."""

SYSTEMS = ["onlyo", "onlyi", "lini", "mix", "mixw", "feats", "prior", "megam"]
BASELINES = SYSTEMS[:-1]

# Their table of results in percent: accuracy, or the F-measure of spans for mention
# tagging.
SCORES = {
    "mention-type": dict(zip(SYSTEMS, [57.6, 81.2, 81.5, 84.9, 81.3, 87.8, 87.9, 92.1])),
    "mention-tagging": dict(zip(SYSTEMS, [78.3, 83.5, 83.8, 80.9, 81.0, 84.2, 85.1, 88.2])),
    "recap-small": dict(zip(SYSTEMS, [95.5, 97.4, 97.7, 96.4, 97.6, 97.8, 97.9, 98.1])),
    "recap-large": dict(zip(SYSTEMS, [94.6, 94.7, 94.9, 95.0, 93.5, 96.1, 95.9, 96.8])),
}
# The last column of that table, as printed.
MEANS = dict(zip(SYSTEMS, [81.5, 89.2, 89.5, 89.3, 88.8, 91.5, 91.7, 93.9]))
NAMES = {
    "mention-type": "Mention Type",
    "mention-tagging": "Mention Tagging",
    "recap-small": "Recap ABC",
    "recap-large": "Recap CNN",
}
# The share of general rows in the target domain and in the source domain.
SHARES = {
    "mention-type": (0.14, 0.11),
    "mention-tagging": (0.41, 0.45),
    "recap-small": (0.51, 0.69),
    "recap-large": (0.36, 0.40),
}
# KL divergence of the target's unigrams from the source.
DIVERGENCE = {"recap-small": 0.11, "recap-large": 0.07}
# pi when one domain is split into two at random.
SPLIT_SHARE = 0.94
# Their reductions against Prior and the last column of that line, as printed.
PRINTED_CUTS = {"mention-type": 34.7, "mention-tagging": 20.8, "recap-small": 19.0,
                "recap-large": 22.0}
PRINTED_MEAN_CUT = 26.5

"""The text of docs/replication.md."""


def opening(results):
    scale = results.scale
    shrunk = scale["most_out"] > 0
    lines = ["# Replication", "",
             "The experiments of Daumé & Marcu, *Domain Adaptation for Statistical Classifiers* "
             "(2006), on open data. `scripts/replicate` runs them, leaves every result as JSON "
             "in `build/replicate/` and writes this page from it; the same seed gives the same "
             "page, but for the times at its end.", ""]
    if shrunk:
        lines += [f"**This is a quick run** on at most {scale['most_out']} examples out of "
                  "domain: a look, not a measurement.", ""]
    if results.only:
        lines += [f"**Some tasks only**: this is what `scripts/replicate --only {results.only}` "
                  "wrote.", ""]
    if results.origin == "synthetic":
        lines += ["**No corpus could be fetched**: this is about a made-up pair of domains.", ""]
    return lines


def data(origin):
    if origin == "shared":
        return ["The paper's corpora (ACE 2005, Fisher, WSJ, CNN/NPR, ABC) are licensed. These "
                "stand in for them: types of mentions and mentions in GUM (written genres to "
                "conversation, and to text made to look like a recogniser's), the case of words "
                "from edited prose to speeches (near) and telephone calls (far), parts of speech "
                "from edited prose to web reviews, and the sentiment of reviews from books to "
                "kitchen appliances. Of the prose for recapitalisation a sample of 300 000 "
                "tokens is used. An example is a row or a token; a unit is a document, or 50 "
                "sentences in a row where documents are not marked, or a row.", ""]
    if origin == "fetched":
        return ["Open corpora, which `megadapt data fetch` brings: the Brown corpus (news to "
                "fiction) and the mails of SpamAssassin (easy to hard; prose of news to mail). An "
                "example is a row or a token.", ""]
    return ["Made-up reviews of books and phones, by `scripts/demo_data.py`.", ""]


SCORES = ["Every system is tuned once, by threefold cross-validation over the target's training "
          "units (log loss decides; test data takes no part) with a sample of the other domain "
          "(*to tune* above), and then refitted with those settings and all of the other domain on "
          "random samples of 80% of the target's units, the same for every system. Without "
          "replacement, because a copy of a row would defeat systems that hold rows out from "
          "themselves. Percent, mean over the samples ± standard deviation; the best in bold.",
          ""]

REDUCTION = ["The share of a baseline's errors that a system avoids, from the means above. *The "
             "best baseline* is that of the paper's seven with the best score on the test set of "
             "the task: a rival that nobody could have chosen beforehand.", ""]

SIGNIFICANCE = ["Mean difference in points over the samples (p of the paired t-test over the "
                "samples; p of McNemar's test on tags or rows with all training data). The "
                "first asks whether another draw of training data would say the same, the second "
                "whether another test set would. The samples overlap, so that the first is too "
                "bold; neither is corrected for the number of comparisons.", ""]

LOG_LOSS = ["Mean nats per row or token over the samples; for tags, given the true previous tag.",
            ""]

WHOLE = ["As `megadapt compare` prints it, with 95% intervals by a bootstrap over documents. The "
         "last line is McNemar's test; the paper has p ≤ .03 for mention type, .001 for mention "
         "tagging, .06 and .004 for recapitalisation.", ""]

CURVES = ["Systems as they were tuned above, trained with nested samples of the target's units "
          "and all other data.", ""]

RELATEDNESS = ["What `megadapt relate` says of the training data: pi of either domain after five "
               "rounds of `megam`, divergence of their features, and how well a classifier tells "
               "the domains apart.", ""]

CONVERGENCE = ["`megam` on the first task, as it was tuned: minus the penalised conditional log "
               "likelihood after each sub-step (E-step, pi, weights, presence).", ""]

ONE_DOMAIN = ["The out-of-domain data of the first task, its units dealt into two halves at "
              "random, which `megam` takes for two domains; five rounds.", ""]


def why(origin):
    lines = ["Why some of it is not:", "",
             "- **Other data.** In the paper's mention type task a constant guess has 77.8% and "
             "OnlyO 57.6%: the domains differ in how frequent the labels are, which rewards "
             "whatever finds that out. No open pair of domains known to us is that lopsided.",
             "- **Stronger rivals.** Here every fit runs until it is within 1e-4 of the optimum, "
             "and every system's variances are tuned, those of source models too. Fits that "
             "stop early, or one variance for all, favour systems that train on little data "
             "and cost Prior and Mix most.",
             "- **The E-step.** The posterior of a training row is computed with weights that "
             "have seen the row. The specific expert knows its few rows by heart, claims "
             "them all, and the gate learns little: from pi = 1/2 and presence 1/2 it hardly "
             "moves in five rounds, and `megam` acts much like an even mixture of its two "
             "experts. `megaloo` trains its experts on whole rows and mixes them by rows that they "
             "have not seen ([derivation.md](derivation.md) §7, [research.md](research.md)).",
             "- **pi.** For the same reason pi stays near where it began, with domains that "
             "differ and with one domain split in two: the objective is nearly flat in it.",
             "- **Not all of it is adaptation.** `megaloo` also tunes how much tighter its prior "
             "holds frequent features; the baselines have the paper's prior, one variance for "
             "all weights. [research.md](research.md) tells the two apart."]
    if origin == "shared":
        lines.append("- **Two test sets were looked at.** That the tuner looks at choices twice was "
                     "found with the help of the test set of recap, speeches, where `megaloo` was "
                     "behind before; that it must not let numbers run off, by a comparison with "
                     "other folds on that of mention type ([research.md](research.md)). The figures "
                     "of these tasks are not those of untouched tests.")
        lines.append("- **Grouped tuning.** A random fifth of the training rows, as the paper "
                     "holds out, shares its documents with the rest and prefers settings that "
                     "know these documents too well. Splits here keep documents whole.")
    return lines + [""]

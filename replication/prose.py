"""The text of docs/replication.md."""


def opening(results):
    scale = results.scale
    shrunk = scale["most_out"] > 0
    lines = ["# Replication", "",
             "This page repeats the experiments of Daumé & Marcu, *Domain Adaptation for "
             "Statistical Classifiers* (2006), on open data. `scripts/replicate` runs them, "
             "stores every result as JSON in `build/replicate/` and writes this page from it. "
             "The same seed gives the same page, except for the times at its end.", ""]
    if shrunk:
        lines += [f"**This is a quick run** on at most {scale['most_out']} examples out of "
                  "domain: a first look, not a measurement.", ""]
    if results.only:
        lines += [f"**Some tasks only**: this is what `scripts/replicate --only {results.only}` "
                  "wrote.", ""]
    if results.origin == "synthetic":
        lines += ["**No corpus could be fetched**: this page is about a made-up pair of domains.",
                  ""]
    return lines


def data(origin):
    if origin == "shared":
        return ["The paper's corpora (ACE 2005, Fisher, WSJ, CNN/NPR, ABC) need a licence. These "
                "open tasks take their place:", "",
                "- *mention type*: the GUM corpus, from written genres to conversation;",
                "- *mention tagging*: the GUM corpus, from written genres to text that was made to "
                "look like a speech recogniser's;",
                "- *recap* (the case of words): from edited prose to speeches (near) and to "
                "telephone calls (far), with a sample of 300 000 tokens of the prose;",
                "- *part of speech*: from edited prose to web reviews;",
                "- *sentiment*: from reviews of books to reviews of kitchen appliances.", "",
                "An example is a row or a token. A unit is a document; where documents are not "
                "marked, it is 50 consecutive sentences, or a row.", ""]
    if origin == "fetched":
        return ["The data are open corpora, which `megadapt data fetch` downloads: the Brown "
                "corpus (news to fiction) and the mails of SpamAssassin (easy to hard; prose of "
                "news to mail). An example is a row or a token.", ""]
    return ["The data are made-up reviews of books and phones, by `replication/made_up_reviews.py`.", ""]


SCORES = ["Every system is tuned once, by threefold cross-validation over the target's training "
          "units, with a sample of the other domain (*to tune* above). Log loss decides, and test "
          "data takes no part. The system is then refitted with these settings on all of the "
          "other domain and on random samples of 80% of the target's units. The samples are the "
          "same for every system. They are drawn without replacement, because copies of a row "
          "would mislead systems that hold out some of their own training rows. The table shows "
          "percent: mean over the samples ± standard deviation, the best in bold.", ""]

REDUCTION = ["The table shows the share of a baseline's errors that a system avoids, from the "
             "means above. *The best baseline* of a task is the one of the paper's seven with the "
             "best score on its test set. Nobody could have chosen it beforehand.", ""]

LIKE_FOR_LIKE = ["A reduction can be the mean of the tasks' cuts, as above, or the cut of the mean "
                 "scores, which the paper prints. They are not the same, so here are both, for the "
                 "paper's scores and for ours:", ""]

SIGNIFICANCE = ["A cell has the mean difference in points over the samples and two p-values: of "
                "the paired t-test over the samples, and of McNemar's test on tags or rows with "
                "all training data. The first asks whether another draw of training data would "
                "lead to the same result, the second whether another test set would. The samples "
                "overlap, so the first p-value is too small. Neither is corrected for the number "
                "of comparisons.", ""]

LOG_LOSS = ["The table shows the mean over the samples, in nats per row or token. For tags it is "
            "conditional on the true previous tag.", ""]

WHOLE = ["This is what `megadapt compare` prints, with 95% intervals by a bootstrap over "
         "documents. The last line is McNemar's test. The paper has p ≤ .03 for mention type, "
         ".001 for mention tagging, and .06 and .004 for recapitalisation.", ""]

CURVES = ["The systems have the settings that were tuned above. They are trained with nested "
          "samples of the target's units and all other data.", ""]

RELATEDNESS = ["pi of each domain by the paper's own `megam` (training E-step, experts centred on zero, "
               "gate psi) with the tuned variances, after five rounds and when it is followed "
               "further; the divergence of the domains' features, and how well a classifier tells "
               "the domains apart (`megadapt relate`).", ""]

CONVERGENCE = ["This is the paper's own `megam` on the first task, with the tuned variances: minus the "
               "penalised conditional log likelihood, and pi.", ""]

ONE_DOMAIN = ["The units of the out-of-domain data of the first task are split into two halves at "
              "random, and `megam` is trained as if these were two domains.", ""]


def why(origin):
    lines = ["Why some claims are not reproduced:", "",
             "- **Other data.** In the paper's mention type task a constant guess has 77.8% and "
             "OnlyO 57.6%. The domains differ in how frequent the labels are, and a system that "
             "finds this out gains much. We know of no open pair of domains that differs so "
             "much.",
             "- **Stronger rivals.** Here every fit runs until it is within 1e-4 of the optimum, "
             "and every system's variances are tuned, those of source models too. Fits that "
             "stop early, or one variance for all, favour systems that train on little data "
             "and hurt Prior and Mix most.",
             "- **The E-step.** The posterior of a training row is computed with weights that "
             "were trained on that row. The specific expert knows its few rows by heart and "
             "claims them all, and the gate learns little: from pi = 1/2 and presence 1/2 it "
             "moves slowly. Where it hardly moves in five rounds, `megam` acts much like an even "
             "mixture of its two experts ([derivation.md](derivation.md) §6).",
             "- **pi.** The objective hardly depends on it, so pi is far from its limit after five "
             "rounds, both with domains that differ and with one domain split in two. The table "
             "of relatedness shows where it goes when more rounds are run.",
             "- **One prior for all.** Every system also tunes how much tighter the prior holds "
             "frequent features ([derivation.md](derivation.md) §7). The paper has one variance "
             "for all weights. [research.md](research.md) says what the prior alone gives."]
    if origin == "shared":
        lines.append("- **Two test sets were looked at.** The tuner tries choices twice; this was "
                     "found with the help of the test set of recap, speeches, where `megaloo`, "
                     "which `pool` has replaced, was behind before. The tuner stops numbers that "
                     "drift without end; this was found by a comparison with other folds on the test set of mention type "
                     "([research.md](research.md)). So these two test sets are not untouched.")
        lines.append("- **Grouped tuning.** The paper holds out a random fifth of the training "
                     "rows. Such rows share their documents with the rest, and so favour settings "
                     "that fit these documents too closely. Splits here keep documents whole.")
    return lines + [""]

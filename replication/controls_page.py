"""The sections of docs/replication.md about controls.py. An experiment without results says so."""
import controls
import paper
from sampling_statistics import error_reduction, mean

NOT_RUN = "*Not yet run.* `scripts/replicate` makes these figures."


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def _scores(result, field="accuracy"):
    return {row["name"]: row[field] for row in result["systems"]}


def _section(title, text, lines):
    return [f"## {title}", "", *text, "", *(lines or [NOT_RUN, ""])]


def _even_and_tuned(results, task):
    """The comparisons with an even and with a tuned prior, both by the sample to tune."""
    return [results.step(f"{task['name']}/{name}") for name in ("prior-even", "tune")]


def prior_share(results):
    """Returns one line for the summary: the prior's share of what the systems gain over `mix`
    with an even prior."""
    gains = {"prior": [], "adaptation": []}
    for task in results.tasks:
        even, tuned = _even_and_tuned(results, task)
        if even and tuned:
            low, high = _scores(even, task["score"]), _scores(tuned, task["score"])
            gains["prior"].append(high["mix"] - low["mix"])
            gains["adaptation"].append(high["pool"] - high["mix"])
    if not gains["prior"]:
        return ("How much of the gain is the prior's and how much adaptation has not been "
                "measured on these tasks.")
    return (f"The prior's share: tuning `prior-exponent` alone changes the score of `mix`, which "
            f"does not adapt, by {100 * mean(gains['prior']):+.2f} points in the mean of "
            f"{len(gains['prior'])} tasks. With that prior for both, adaptation (`pool` minus "
            f"`mix`) is worth {100 * mean(gains['adaptation']):+.2f}.")


def even_and_tuned(results):
    rows = []
    for task in results.tasks:
        found = _even_and_tuned(results, task)
        if all(found):
            low, high = (_scores(table, task["score"]) for table in found)
            rows.append([task["title"], *(f"{100 * low[s]:.1f}, {100 * high[s]:.1f}"
                                          for s in controls.EVEN_SYSTEMS)])
    return _section("The prior alone", [
        "Each cell has two scores in percent: with one variance for all weights, as in the paper, "
        "and with a tuned `prior-exponent`. The other domain is the sample *to tune*; all systems "
        "are tuned within their prior."],
        rows and table(["task", *(f"`{s}`" for s in controls.EVEN_SYSTEMS)], rows))


def like_for_like(results):
    """The cut of mean scores and the mean of cuts, for us and for the paper."""
    def both(score, tasks):
        errors = {s: mean([1 - score(t, s) for t in tasks]) for s in ("megam", "prior", "mix")}
        cells = []
        for baseline in ("prior", "mix"):
            cuts = [error_reduction(1 - score(t, "megam"), 1 - score(t, baseline)) for t in tasks]
            cells += [f"{100 * error_reduction(errors['megam'], errors[baseline]):+.1f}",
                      f"{100 * mean(cuts):+.1f}"]
        return cells
    theirs = both(lambda name, s: paper.SCORES[name][s] / 100, list(paper.SCORES))
    rows = [["the paper's tasks", *theirs],
            ["these tasks", *both(results.score, results.tasks)]]
    return table(["`megam` avoids, %", "of `prior`'s errors: cut of means", "mean of cuts",
                  "of `mix`'s errors: cut of means", "mean of cuts"], rows) + paper_slips()


def paper_slips():
    """Returns a paragraph about the paper's table, from its own figures."""
    abc = paper.SCORES["recap-small"]
    cut = 100 * error_reduction(100 - abc["megam"], 100 - abc["prior"])
    mean_score = mean([column["megam"] for column in paper.SCORES.values()])
    printed = 100 * error_reduction(100 - paper.MEANS["megam"], 100 - paper.MEANS["prior"])
    return [
        "Some slips of the paper's table matter here. It prints a reduction of "
        f"{paper.PRINTED_CUTS['recap-small']} against Prior for Recap ABC, where its scores give "
        f"{cut:.1f}. Its last column, {paper.PRINTED_MEAN_CUT}, is not the mean of that line but "
        f"the cut of the mean scores as printed ({printed:.1f}), and MegaM's printed mean, "
        f"{paper.MEANS['megam']}, should be {mean_score:.1f}. The in-domain sizes of Recap, 8k "
        "and 73k, are the sizes of the test sets; the text has 33k and 146k training examples.", ""]


def planted(results):
    rows = []
    for conflict in (1, 0):
        found = [(results.step(f"planted/drawn-{conflict}-{draw}"),
                  results.step(f"planted/compare-{conflict}-{draw}"))
                 for draw in controls.PLANTED_SEEDS]
        if not all(drawn and compared for drawn, compared in found):
            continue
        scores = [_scores(compared) for _, compared in found]
        cuts = [error_reduction(1 - one["megam"], 1 - one["prior"]) for one in scores]
        rows.append(["with conflict" if conflict else "without conflict",
                     f"{100 * mean([drawn['bayes_accuracy'] for drawn, _ in found]):.1f}",
                     *(f"{100 * mean([one[s] for one in scores]):.1f}"
                       for s in controls.PLANTED_SYSTEMS), f"{100 * mean(cuts):+.1f}"])
    return _section("Planted data", [
        "Where the paper's story holds: [data drawn from its model](data.md#planted-data) with "
        f"{results.scale['planted_source']} source and {results.scale['planted_target']} target "
        "rows. 30% of the target's rows are general; in the others each word "
        "speaks for another label, and ten markers tell which is which. Accuracy in percent, the "
        f"mean of {len(controls.PLANTED_SEEDS)} draws, all systems tuned; *Bayes* is the true "
        "model. The last column is the share of the errors of `prior` that `megam` avoids; the "
        "paper has 34.7% on mention type."],
        rows and table(["", "Bayes", *(f"`{s}`" for s in controls.PLANTED_SYSTEMS),
                        "errors avoided, %"], rows))


def ten_fold(results):
    lines = []
    for task in results.tasks:
        found = {name: results.step(f"{task['name']}/tenfold-{name}")
                 for name in ("rows", "grouped")}
        if all(found.values()):
            rows = [[f"`{s}`", *(f"{100 * _scores(found[name])[s]:.1f}"
                                 for name in ("rows", "grouped"))]
                    for s in controls.FOLD_SYSTEMS]
            lines += table([f"{task['title']}, accuracy %", "by rows", "documents whole"], rows)
    return _section("Ten folds, by rows and by documents", [
        "The paper cross-validates mention type and mention tagging over rows, so that training "
        "and test rows share documents. Here are both, on the target's training rows, with the "
        "settings tuned above."], lines)


def gate_features(results):
    rows = []
    for task in results.tasks:
        found = [results.step(f"{task['name']}/gate-{name}") for name in ("all", "10k")]
        if all(found):
            rows.append([task["title"], *(f"{100 * _scores(one)['megam']:.2f}" for one in found)])
    return _section("Fewer features in the gate", [
        "For recapitalisation the paper lets the gate see only the 10 000 features that best tell "
        "the domains apart. Accuracy of `megam` in percent, with the sample *to tune* of the other "
        "domain."],
        rows and table(["", "all features", "10 000"], rows))


def gazetteer(results):
    found = [results.step(f"mention-type/gazetteer-{name}") for name in ("none", "places")]
    rows = all(found) and [[f"`{s}`", *(f"{100 * _scores(one)[s]:.1f}" for one in found)]
                           for s in controls.GAZETTEER_SYSTEMS]
    return _section("Gazetteers", [
        "The paper's features include lists of places, businesses and people. This project has "
        "no such lists. The names of countries and cities in the tz database are open, so "
        "mention type was run with and without them (accuracy in percent)."],
        rows and table(["", "no list", "places"], rows))


CRF = [
    "## Conditional random fields", "",
    "The paper tags with maximum entropy Markov models, and so does megadapt: each token is a row "
    "with the previous tag among its features and with a hidden z of its own. The paper mentions "
    "CRFs and leaves them out. With one z per word, p(y | x, z) of a CRF has another normaliser "
    "for each of the 2^T ways to give z to the T words of a sentence, so the sum over z does not "
    "factor along the chain. One could make (tag, z) the states of one CRF, with 4 Y^2 transitions, "
    "but its z would no longer be drawn by the gate alone: that is another model. With one z per "
    "*sentence* the model is a mixture of two CRFs. Its E-step is one forward pass for each "
    "expert, and section 3 of [derivation.md](derivation.md) holds as it stands, with p(y | x, z) of "
    "whole sentences. But a sentence's log-odds are sums over its words, so the posterior of z "
    "would nearly always be 0 or 1, and the specific expert, which knows its few sentences by "
    "heart, would claim them all: the weakness of the E-step on memorised rows would be worse. "
    "Neither has been built or measured here.", ""]

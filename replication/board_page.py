"""Writes docs/board.md from the JSON of a run."""
import json
import random

import board_pairs
import board_ranks
from sampling_statistics import error_reduction, holm, mean
from tables import p_text, table, thousands

PRIORS = ["tuned", "even"]
BASELINES = ["onlyo", "onlyi", "lini", "mix", "mixw", "feats", "prior"]  # the paper's
RIVALS = ["megam", "pool"]  # one of them is the first system
SIGNIFICANT = 0.05


class Board:
    """The finished runs: {(pair, size): {prior: result}}, complete ones only."""

    def __init__(self, work):
        self.work = work
        self.every = board_pairs.pairs()
        self.half = board_pairs.halves(self.every)
        self.runs, self.counts, self.cpu = {}, {}, 0.0
        for pair in self.every:
            for size in board_pairs.SIZES:
                found = {prior: self._run(pair, f"{size}-{prior}") for prior in PRIORS}
                if all(found.values()):
                    self.runs[pair.name, size] = found
            sizes = self._read(pair, "sizes")
            if sizes:
                self.counts[pair.name] = sizes["result"]
        tables = [result for run in self.runs.values() for result in run.values()]
        self.systems = [row["name"] for row in tables[0]["systems"]] if tables else []
        self.systems = [name for name in self.systems
                        if all(any(r["name"] == name for r in t["systems"]) for t in tables)]

    def _run(self, pair, name):
        """The result of a finished run. The held-out losses come from its tuning; the
        seconds are those of tuning and test together."""
        tuning, tested = self._read(pair, f"{name}-tune"), self._read(pair, name)
        if not tuning or not tested:
            return None
        self.cpu += tuning["processor_seconds"] + tested["processor_seconds"]
        for row in tested["result"]["systems"]:
            before = _row(tuning["result"], row["name"])
            row["held_out"] = before["held_out"]
            row["seconds"] += before["seconds"]
        return tested["result"]

    def _read(self, pair, name):
        path = self.work / pair.name / f"{name}.json"
        return json.loads(path.read_text()) if path.exists() else None

    def pairs(self, half=None):
        """The names of pairs with a finished run."""
        return [pair.name for pair in self.every
                if half in (None, self.half[pair.name])
                and any(name == pair.name for name, _ in self.runs)]

    def of(self, pair):
        return [(size, run) for (name, size), run in self.runs.items() if name == pair]

    def value(self, pair, prior, system, field="accuracy"):
        """The mean over the sizes of the target."""
        return mean([_row(run[prior], system)[field] for _, run in self.of(pair)])

    def scores(self, prior, half=None):
        """One row for each pair: the systems' accuracies."""
        return [[self.value(pair, prior, s) for s in self.systems] for pair in self.pairs(half)]

    def mean_ranks(self, prior, half=None):
        return dict(zip(self.systems, board_ranks.mean_ranks(self.scores(prior, half))))


def _row(result, system):
    return next(row for row in result["systems"] if row["name"] == system)


def significant(result, a, b, p_values=None):
    """1 if `a` is significantly better than `b` (McNemar), -1 if worse, else 0. `p_values`,
    if given, replace the p-values of the result's pairs."""
    for i, pair in enumerate(result["pairs"]):
        p = p_values[i] if p_values else pair["p"]
        if {pair["a"], pair["b"]} == {a, b} and p < SIGNIFICANT:
            first, second = pair["discordant"]
            better = pair["a"] if first > second else pair["b"]
            return 1 if better == a else -1
    return 0


def interval(values, draws=2000):
    """The 95% percentile interval of a mean, by a bootstrap over `values`."""
    if len(values) < 2:
        return (values[0], values[0]) if values else (0.0, 0.0)
    draw = random.Random(1)
    means = sorted(mean(draw.choices(values, k=len(values))) for _ in range(draws))
    return means[round(0.025 * draws)], means[round(0.975 * draws) - 1]


def cuts(board, prior, system, baseline, half=None):
    """The share of the baseline's errors that the system avoids, for each pair."""
    return [error_reduction(1 - board.value(pair, prior, system),
                            1 - board.value(pair, prior, baseline))
            for pair in board.pairs(half)]


def preferred(board):
    """The rival with the better mean rank on the design half; `pool` if they tie. None if
    nothing of that half is finished, or if a rival did not take part."""
    if not board.pairs("design") or not set(RIVALS) <= set(board.systems):
        return None
    rank = board.mean_ranks("tuned", "design")
    return "megam" if rank["megam"] < rank["pool"] else "pool"


def opening(board):
    planned = sum(1 for _ in board.every)
    lines = ["# The board", "",
             "How do the systems do on many domain pairs? `scripts/board` fetches open data, tunes "
             "every system on each pair (by log loss in threefold cross-validation, without the test "
             "data), fits it again with these settings, tests it, and writes this page from the "
             "results. All figures come from these results.", ""]
    finished = len(board.pairs())
    sizes = {size: sum(s == size for _, s in board.runs) for size in board_pairs.SIZES}
    done = ", ".join(f"{count} with {size}" for size, count in sizes.items())
    lines += [f"Finished: {finished} of {planned} pairs; target sizes: {done} rows or tokens."
              + ("" if finished == planned and all(sizes.values()) else
                 " **The board is not complete.** `scripts/board` continues where it stopped."), ""]
    return lines


def summary(board):
    tuned, even = board.mean_ranks("tuned"), board.mean_ranks("even")
    best = min(tuned, key=tuned.get)
    chi, p = board_ranks.friedman(board.scores("tuned"))
    difference = board_ranks.critical_difference(len(board.systems), len(board.pairs()))
    gains = {s: mean([board.value(pair, "tuned", s) - board.value(pair, "even", s)
                      for pair in board.pairs()]) for s in board.systems}
    lines = [
        f"With a tuned prior `{best}` has the best mean rank, {tuned[best]:.2f}; with the even "
        f"prior it is `{min(even, key=even.get)}`, {min(even.values()):.2f}.",
        f"Friedman's test that all systems are equally good: chi-square {chi:.1f}, p "
        f"{p_text(p)}. Mean ranks that differ by less than {difference:.2f} cannot be told apart "
        "(Nemenyi, .05).",
        "The prior's share: tuning `prior-exponent` changes the mean accuracy by "
        + ", ".join(f"{100 * gains[s]:+.2f} (`{s}`)" for s in ("mix", "prior", "pool", "megam")
                    if s in gains) + " points. This has nothing to do with adaptation.",
        *(f"`{s}` avoids {_cut_text(board, 'tuned', s)} of the errors of `prior`, both with a "
          "tuned prior." for s in RIVALS if s in board.systems),
        _confirmation(board)]
    return ["## In short", "", *(f"- {line}" for line in lines), ""]


def _cut_text(board, prior, system, half=None):
    values = cuts(board, prior, system, "prior", half)
    low, high = interval(values)
    return f"{100 * mean(values):+.1f}% [{100 * low:.1f}, {100 * high:.1f}]"


def _confirmation(board):
    first = preferred(board)
    if not first or not board.pairs("confirm"):
        return "Which of `megam` and `pool` comes first is open: the halves are not finished."
    rank = board.mean_ranks("tuned", "confirm")
    other = next(s for s in RIVALS if s != first)
    best = min((s for s in BASELINES if s in rank), key=rank.get)
    return (f"The design half prefers `{first}` among `megam` and `pool`. On the confirming half "
            f"its mean rank is {rank[first]:.2f}; `{other}` has {rank[other]:.2f} and the best of the paper's baselines, `{best}`, "
            f"{rank[best]:.2f}.")


def pair_list(board):
    rows = []
    for pair in board.every:
        counts = board.counts.get(pair.name)
        sizes = ", ".join(str(size) for size, _ in board.of(pair.name))
        rows.append([pair.name, pair.family, board.half[pair.name],
                     f"{thousands(counts['source'])} {pair.unit}" if counts else "",
                     thousands(counts["test"]) if counts else "", sizes or "not yet run"])
    return ["## Pairs", "",
            "The names have the source, then the target. Parts of speech are tagged in the Brown "
            "corpus and in treebanks of Universal Dependencies; *two languages* means that both "
            "domains are half English and half Turkish. The case of words is restored in prose, "
            "spam is told from other mail, and the section of Debian packages (programs with and without "
            "debtags, of two toolkits, in two programming languages) is predicted from their one-line "
            "description. `megadapt data list` has the licences. A source has at most 5000 rows or "
            "20 000 tokens. "
            "Test documents take no part in training.", "",
            "Every other pair of a family belongs to the *design* half, on which choices are "
            "made. The remaining pairs confirm these choices.", ""] + table(
                ["pair", "family", "half", "source", "test", "target sizes"], rows)


def rank_table(board):
    columns = [(prior, half) for prior in PRIORS for half in (None, "design", "confirm")
               if board.pairs(half)]
    ranked = [board.mean_ranks(*column) for column in columns]
    rows = []
    for system in sorted(board.systems, key=ranked[0].get):
        rows.append([f"`{system}`"] + [
            f"**{column[system]:.2f}**" if column[system] == min(column.values())
            else f"{column[system]:.2f}" for column in ranked])
    head = [f"{prior} prior, {half or 'all'}" for prior, half in columns]
    return ["## Mean ranks", "",
            "A pair's score is the mean accuracy over the sizes of the target; rank 1 is the best. "
            "Systems are compared within one prior.", ""] + table(["", *head], rows) + [
                "![mean ranks with a tuned prior](board-ranks.svg)", "",
                "A bar joins systems that cannot be told apart.", ""]


def win_table(board):
    rows = []
    for system in board.systems:
        row = [f"`{system}`"]
        for prior in PRIORS:
            for other in ("prior", "mix"):
                signs = [significant(run[prior], system, other) for run in board.runs.values()]
                row.append("-" if system == other else
                           f"{signs.count(1)} / {signs.count(0)} / {signs.count(-1)}")
        rows.append(row)
    return ["## Wins, ties and losses", "",
            "Counted over all runs (pairs and sizes). A win or loss is a McNemar test with p < .05 "
            "on the test rows or tokens, not corrected.", ""] + table(
                ["", *(f"against `{other}`, {prior}" for prior in PRIORS
                       for other in ("prior", "mix"))], rows)


def reduction_table(board):
    rows = []
    for system in board.systems:
        if system == "prior":
            continue
        row = [f"`{system}`"]
        for prior in PRIORS:
            errors = {s: mean([1 - board.value(pair, prior, s) for pair in board.pairs()])
                      for s in (system, "prior")}
            row += [_cut_text(board, prior, system),
                    f"{100 * error_reduction(errors[system], errors['prior']):+.1f}%"]
        losses = [board.value(pair, "tuned", system, "log_loss")
                  / board.value(pair, "tuned", "prior", "log_loss") - 1 for pair in board.pairs()]
        rows.append(row + [f"{100 * mean(losses):+.1f}%"])
    return ["## Errors avoided", "",
            "The share of the errors of `prior` that a system avoids, both with the same kind of "
            "prior: the mean over the pairs with a 95% interval by a bootstrap over pairs, and "
            "the cut of the mean errors. The last column compares log losses.", ""] + table(
                ["against `prior`", "tuned: mean of cuts", "cut of means", "even: mean of cuts",
                 "cut of means", "log loss, tuned"], rows)


def choice(board):
    """What happens to users who always take the system with the lowest held-out log loss, or
    always the preferred one."""
    by_folds = outcome(board, lambda rows: min(rows, key=lambda row: row["held_out"])["name"])
    if not by_folds["runs"]:
        return []
    lines = ["Suppose somebody takes the system with the least log loss on held-out rows of the "
             f"target. On the {by_folds['runs']} runs of the confirming half it is "
             f"{by_folds['gap']:.2f} points behind the best system there, which nobody could have "
             f"known, and significantly behind it (McNemar, p < .05) on {by_folds['corrected']} of "
             "them if p is corrected for all pairs of systems (Holm), and on "
             f"{len(by_folds['behind'])} if it is not"
             + (": " + "; ".join(by_folds["behind"]) if by_folds["behind"] else "") + ".", ""]
    first = preferred(board)
    if first:
        always = outcome(board, lambda rows: first)
        lines += [f"Always taking `{first}`, which the design half prefers, would be "
                  f"{always['gap']:.2f} points behind, and significantly behind on "
                  f"{always['corrected']} runs with Holm's correction and on "
                  f"{len(always['behind'])} without.", ""]
    return ["## Choosing by folds", "", *lines]


def outcome(board, choose):
    """How far the system that `choose` takes is behind the best one, on the confirming half.
    `choose` gets the rows of systems with a held-out loss."""
    behind, corrected, gaps = [], 0, []
    for (pair, size), run in board.runs.items():
        rows = [row for row in run["tuned"]["systems"]
                if row["held_out"] is not None and row["name"] in board.systems]
        if board.half[pair] != "confirm" or not rows:
            continue
        chosen = _row(run["tuned"], choose(rows))
        best = max(run["tuned"]["systems"], key=lambda row: row["accuracy"])
        gaps.append(best["accuracy"] - chosen["accuracy"])
        names = best["name"], chosen["name"]
        p_holm = holm([pair["p"] for pair in run["tuned"]["pairs"]])
        corrected += significant(run["tuned"], *names, p_holm) > 0
        if significant(run["tuned"], *names) > 0:
            behind.append(f"{pair} with {size} (`{names[1]}`, best `{names[0]}`)")
    return {"runs": len(gaps), "gap": 100 * mean(gaps) if gaps else 0, "corrected": corrected,
            "behind": behind}


def time_table(board):
    rows = []
    for system in board.systems:
        spent = [[_row(run[prior], system)["seconds"] for run in board.runs.values()]
                 for prior in PRIORS]
        rows.append([f"`{system}`", *(f"{mean(values):.1f}" for values in spent),
                     f"{max(max(values) for values in spent):.1f}"])
    machine = board.work / "run.json"
    where = f" on {json.loads(machine.read_text())['machine']}" if machine.exists() else ""
    return ["## Seconds", "",
            f"Tuning and training, as if the fits ran one after another{where}; "
            f"{board.cpu / 60:.0f} minutes of processor time in all. Only this section differs "
            "from run to run.", ""] + table(
                ["", "mean, tuned prior", "mean, even prior", "longest"], rows)


def score_table(board):
    lines = ["## Every pair", "",
             "Accuracy in percent with a tuned prior, the mean over the sizes; the best in bold.",
             ""]
    rows = []
    for pair in board.pairs():
        values = {s: board.value(pair, "tuned", s) for s in board.systems}
        rows.append([pair] + [f"**{100 * v:.1f}**" if v == max(values.values())
                              else f"{100 * v:.1f}" for v in values.values()])
    return lines + table(["", *(f"`{s}`" for s in board.systems)], rows)


def write(work, folder):
    board = Board(work)
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "board.md"
    lines = [*opening(board), *(found(board, folder) if board.runs else pair_list(board))]
    page.write_text("\n".join(lines).rstrip() + "\n")
    return page


def found(board, folder):
    """The sections with figures, and the diagram."""
    ranked = board.mean_ranks("tuned")
    (folder / "board-ranks.svg").write_text(board_ranks.diagram(
        board.systems, [ranked[s] for s in board.systems],
        board_ranks.critical_difference(len(board.systems), len(board.pairs()))))
    return [*summary(board), *pair_list(board), *rank_table(board), *win_table(board),
            *reduction_table(board), *choice(board), *score_table(board), *time_table(board)]

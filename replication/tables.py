"""Writes docs/replication.md from the JSON of a run: tables.py WORK [FOLDER]."""
import pathlib
import sys

import figures
import paper
import prose
from claims import claims, round_ends, split_shares
from results import OURS, Results
from sampling_statistics import deviation, mean

SUB_STEP = {"pi": 1 / 3, "lambda": 2 / 3, "psi": 1}  # as a part of a round
EXTRA = ["megam", OURS, "easyadapt", "stack"]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def thousands(count):
    return f"{count / 1000:.1f}k" if count >= 10_000 else str(count)


def p_text(p):
    return "<.001" if p < 0.001 else f"{p:.3f}".lstrip("0") if p < 1 else "1"


def sizes(results):
    rows = []
    for task in results.tasks:
        size = results.sizes(task)
        rows.append([task["title"], *(f"{thousands(size[part]['examples'])}"
                                      for part in ("out", "tune", "train", "test")),
                     str(size["train"]["units"]),
                     "span F1" if task["score"] == "f1" else "accuracy"])
    return ["## Data", "", *prose.data(results.origin)] + table(
        ["task", "out of domain", "to tune", "in domain", "test", "units in domain", "score"],
        rows)


def scores(results):
    rows = []
    best = {task["name"]: results.best(task) for task in results.tasks}
    for system in results.systems:
        row = [f"`{system}`"]
        for task in results.tasks:
            values = results.resamples(task, system)
            text = f"{100 * mean(values):.1f} ±{100 * deviation(values):.1f}"
            row.append(f"**{text}**" if best[task["name"]] == system else text)
        total = mean([results.score(task, system) for task in results.tasks])
        rows.append(row + [f"{100 * total:.2f}"])
    ours = table(["", *(task["title"] for task in results.tasks), "mean"], rows)
    if results.origin != "shared":
        return ["## Scores", "", *prose.SCORES] + ours
    theirs = table(["", *(f"{paper.NAMES[name]}" for name in paper.SCORES), "mean"],
                   [[f"`{s}`", *(f"{column[s]:.1f}" for column in paper.SCORES.values()),
                     f"{paper.MEANS[s]:.1f}"]
                    for s in paper.SYSTEMS])
    return (["## Scores", "", *prose.SCORES] + ours
            + ["The paper's scores, on its own data:", ""] + theirs)


def reductions(results):
    def cells(system, baseline):
        return [f"{100 * results.cut(task, system, baseline or results.best_baseline(task)):+.1f}"
                for task in results.tasks] + [
                    f"**{100 * results.mean_cut(system, baseline):+.1f}**"]
    rows = [[f"`{system}` against `prior`", *cells(system, "prior")] for system in EXTRA]
    rows += [[f"`{system}` against the best baseline", *cells(system, None)]
             for system in EXTRA]
    rows.append(["the best baseline", *(f"`{results.best_baseline(task)}`"
                                        for task in results.tasks), ""])
    head = ["errors avoided, %", *(task["title"] for task in results.tasks), "mean"]
    lines = ["## Error reduction", "", *prose.REDUCTION] + table(head, rows)
    if results.origin == "shared":
        cuts = {name: 1 - (100 - column["megam"]) / (100 - column["prior"])
                for name, column in paper.SCORES.items()}
        lines += ["The paper's MegaM against its Prior: " + ", ".join(
            f"{paper.NAMES[name]} {100 * cut:.1f}%" for name, cut in cuts.items())
            + "; it gives 26.5% as the mean error reduction.", ""]
    return lines


def significance(results):
    rows = []
    for system in [*paper.BASELINES, "megam", "easyadapt", "stack"]:
        row = [f"`{system}`"]
        for task in results.tasks:
            difference, p = results.against(task, OURS, system)
            mcnemar = results.pair(task, OURS, system)["p"]
            row.append(f"{100 * difference:+.2f} ({p_text(p)}; {p_text(mcnemar)})")
        rows.append(row)
    return ["## Is it chance?", "", *prose.SIGNIFICANCE] + table(
        [f"`{OURS}` minus", *(task["title"] for task in results.tasks)], rows)


def losses(results):
    rows = []
    least = {task["name"]: min(results.log_loss(task, s) for s in results.systems)
             for task in results.tasks}
    for system in results.systems:
        row = [f"`{system}`"]
        for task in results.tasks:
            loss = results.log_loss(task, system)
            text = f"{loss:.4f}"
            row.append(f"**{text}**" if loss == least[task["name"]] else text)
        rows.append(row)
    return ["## Log loss", "", *prose.LOG_LOSS] + table(
        ["", *(task["title"] for task in results.tasks)], rows)


def whole(results):
    rows = []
    for system in results.systems:
        row = [f"`{system}`"]
        for task in results.tasks:
            one = results.whole(task, system)
            text = f"{100 * one[task['score']]:.1f}"
            if task["score"] == "accuracy":
                text += " [{:.1f}, {:.1f}]".format(*(100 * end for end in one["interval"]))
            row.append(text)
        rows.append(row)
    rows.append(["p, `megam` and `prior`",
                 *(p_text(results.pair(task, "megam", "prior")["p"])
                   for task in results.tasks)])
    return ["## With all training data", "", *prose.WHOLE] + table(
        ["", *(task["title"] for task in results.tasks)], rows)


def curves(results, folder):
    lines = ["## Learning curves", "", *prose.CURVES]
    for task in results.tasks:
        kept = results.step(f"{task['name']}/curve")
        if not kept:
            continue
        field = "f1" if task["score"] == "f1" else "mean"
        drawn = {curve["name"]: curve["points"] for curve in kept["curves"] if "points" in curve}
        name = f"replication-curve-{task['name']}.svg"
        score = "span F1, %" if field == "f1" else "accuracy, %"
        (folder / name).write_text(figures.line_chart(
            {system: [(round(p["examples"]), 100 * p[field]) for p in points]
             for system, points in drawn.items()},
            "rows of the target", score, logarithmic=True))
        rows = [[f"{round(point['examples'])}",
                 *(f"{100 * points[i][field]:.1f}" for points in drawn.values())]
                for i, point in enumerate(drawn["onlyi"])]
        lines += [f"### {task['title']}", "", f"![{task['title']}: {score}]({name})", ""]
        lines += table([f"target rows: {score}", *(f"`{s}`" for s in drawn)], rows)
    return lines


def relatedness(results):
    rows = []
    for task in results.tasks:
        kept = results.step(f"{task['name']}/relate")
        shares = paper.SHARES.get(task["paper"])
        divergence = paper.DIVERGENCE.get(task["paper"])
        rows.append([task["title"], *(f"{kept['domains'][d]['general_share']:.3f}"
                                      for d in ("in", "out")),
                     f"{kept['kl']['in']['out']:.2f}",
                     f"{kept['jensen_shannon']['in']['out']:.3f}",
                     f"{kept['auc']['in']['out']:.3f}" if kept["auc"]["in"]["out"] else "-",
                     f"{shares[0]:.2f}, {shares[1]:.2f}" if shares else "-",
                     f"{divergence:.2f}" if divergence else "-"])
    return ["## Relatedness", "", *prose.RELATEDNESS] + table(
        ["task", "pi in", "pi out", "KL(in, out)", "Jensen-Shannon", "AUC", "paper: pi in, out",
         "paper: KL"], rows)


def convergence(results, folder):
    steps = results.step(f"{results.tasks[0]['name']}/convergence")
    ends = round_ends(steps)
    (folder / "replication-convergence.svg").write_text(figures.line_chart(
        {"megam": [(0, ends[0])] + [(step["round"] - 1 + SUB_STEP[step["step"]],
                                     -step["objective"])
                                    for step in steps if step["step"] in SUB_STEP]},
        "round of conditional EM", "minus objective"))
    last = {step["round"]: step for step in steps}
    rows = [["start", f"{ends[0]:.1f}", "", ""]]
    rows += [[str(r), f"{ends[r]:.1f}", *(f"{last[r]['general_share'][d]:.3f}"
                                         for d in ("in", "out"))] for r in sorted(last)]
    return (["## Convergence", "", *prose.CONVERGENCE,
             "![minus the objective after each sub-step](replication-convergence.svg)", ""]
            + table(["round", "minus objective", "pi in", "pi out"], rows))


def one_domain(results):
    shares = split_shares(results)
    if not shares:
        return []
    return ["## One domain split in two", "", *prose.ONE_DOMAIN,
            f"Over {len(shares) // 2} random splits pi is {mean(shares):.3f} on average "
            f"(from {min(shares):.3f} to {max(shares):.3f}). The paper reports "
            f"{paper.SPLIT_SHARE}.", ""]


def verdicts(results):
    rows = [[said, found, "yes" if agrees else "no"] for said, found, agrees in claims(results)]
    return ["## What is reproduced", ""] + table(
        ["the paper says", "here", "reproduced"], rows) + prose.why(results.origin)


def summary(results):
    """Compares the default system with its goals."""
    worse = [f"{task['title']} (`{b}`)" for task in results.tasks for b in paper.BASELINES
             if results.against(task, OURS, b)[0] < 0 and results.against(task, OURS, b)[1] < .05]
    behind = [task["title"] for task in results.tasks
              if results.score(task, OURS) < results.score(
                  task, results.best_baseline(task)) - 0.01]
    close = sum(results.log_loss(task, OURS) <= 1.01 * min(
        results.log_loss(task, s) for s in paper.BASELINES + ["megam", OURS])
        for task in results.tasks)
    count = len(results.tasks)
    best = sum(results.score(task, OURS) >= results.score(task, results.best_baseline(task))
               for task in results.tasks)
    return ["## In short", "", *(f"- {line}" for line in [
        f"On average over the tasks, `{OURS}`, the default system, avoids "
        f"{100 * results.mean_cut(OURS, 'prior'):.1f}% of the errors of `prior` and "
        f"{100 * results.mean_cut(OURS):.1f}% of those of each task's best baseline (the paper "
        "has seven).",
        f"It is at least as good as all seven on {best} of {count} tasks. Tasks where it is "
        f"significantly worse than a baseline (paired t-test, p < 0.05): "
        f"{', '.join(worse) or 'none'}. Tasks where it is more than a point behind the best: "
        f"{', '.join(behind) or 'none'}.",
        f"Its log loss is within 1% of the lowest of the seven and `megam` on {close} of {count} "
        "tasks.",
        f"`megam`, the paper's model with its errata corrected, avoids "
        f"{100 * results.mean_cut('megam', 'prior'):.1f}% of the errors of `prior`; the paper "
        "reports 26.5%.",
        f"`stack` avoids {100 * results.mean_cut('stack', 'prior'):.1f}% and "
        f"`easyadapt` {100 * results.mean_cut('easyadapt', 'prior'):.1f}%.",
    ]), ""]


def times(results):
    spent = results.seconds()
    kinds = ["tune", "compare", "resample", "curve", "relate", "convergence", "half"]
    rows = [[task["title"], *(f"{spent.get((task['name'], kind), (0, 0))[1]:.0f}"
                              for kind in kinds)] for task in results.tasks]
    minutes = [sum(part) / 60 for part in zip(*spent.values())]
    return ["## Time", "", f"The table shows seconds of processor time on {results.machine}: "
            f"{minutes[1]:.0f} minutes in all, in {minutes[0]:.0f} minutes of wall time. If a "
            "tuning was interrupted, only its last part is counted. Only this section differs "
            "from run to run.", ""] + table(
                ["task", "tune", "compare", "resamples", "curve", "relate", "convergence",
                 "split in two"], rows)


def write(work, folder):
    results = Results(work)
    folder.mkdir(parents=True, exist_ok=True)
    lines = [*prose.opening(results), *summary(results), *sizes(results), *scores(results),
             *reductions(results), *significance(results), *losses(results), *whole(results),
             *curves(results, folder), *relatedness(results), *convergence(results, folder),
             *one_domain(results), *verdicts(results), *times(results)]
    page = folder / "replication.md"
    page.write_text("\n".join(lines).rstrip() + "\n")
    return page


if __name__ == "__main__":
    work = pathlib.Path(sys.argv[1])
    print(write(work, pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else work))

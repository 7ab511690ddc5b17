"""The paper's claims, and whether our numbers agree with them."""
import experiments
import paper
from results import OURS
from sampling_statistics import mean

NUMBER = ["no", "one", "two", "three", "four", "five", "six"]


def _count(hits, tasks):
    return f"{NUMBER[hits]} of {NUMBER[len(tasks)]}"


def _percent(share):
    return f"{100 * share:.1f}%"


def claims(results):
    """Returns rows of (claim of the paper, our finding, whether it agrees)."""
    tasks = results.tasks
    score = results.score
    rows = []

    target_wins = sum(score(t, "onlyi") > score(t, "onlyo") for t in tasks)
    rows.append(("OnlyI is better than OnlyO on every task",
                 f"on {_count(target_wins, tasks)}", target_wins == len(tasks)))

    gains = [results.cut(t, "lini", max(("onlyi", "onlyo"), key=lambda s: score(t, s)))
             for t in tasks]
    rows.append(("LinI is hardly better than the better of its two models",
                 f"it avoids {_percent(mean(gains))} of its errors on average",
                 mean(gains) < 0.03))

    weighted = sum(score(t, "mixw") > score(t, "mix") for t in tasks)
    rows.append(("there is no clear advantage in weighting the data of Mix",
                 f"MixW is better on {_count(weighted, tasks)}",
                 2 <= weighted <= len(tasks) - 2))

    strongest = max(paper.BASELINES, key=lambda s: mean([score(t, s) for t in tasks]))
    rows.append(("Prior is the strongest baseline, Feats close behind",
                 f"on average it is `{strongest}`", strongest == "prior"))

    wins = sum(score(t, "megam") > score(t, "prior") for t in tasks)
    rows.append(("MegaM is better than Prior on every task",
                 f"on {_count(wins, tasks)}", wins == len(tasks)))

    cut = results.cut_of_means("megam", "prior")
    rows.append(("MegaM avoids 26.5% of Prior's errors (a cut of mean scores)",
                 f"{_percent(cut)}; `{OURS}` {_percent(results.cut_of_means(OURS, 'prior'))}",
                 cut > 0.2))
    rows += _curve_claims(results) + _share_claims(results)
    return rows


def _curve_claims(results):
    rows = []
    for task in results.tasks:
        curves = results.step(f"{task['name']}/curve")
        if not curves or not task["paper"]:
            continue
        field = "f1" if task["score"] == "f1" else "mean"
        line = {curve["name"]: [point[field] for point in curve["points"]]
                for curve in curves["curves"] if "points" in curve}
        above = sum(a > b for a, b in zip(line["megam"], line["prior"]))
        rows.append((f"{task['title']}: MegaM's learning curve lies above Prior's",
                     f"at {above} of {len(line['prior'])} sizes",
                     above == len(line["prior"])))
        below = sum(a < b for a, b in zip(line["prior"], line["onlyo"]))
        if task["paper"] == "mention-type":
            rows.append((f"{task['title']}: Prior falls below OnlyO where there is little "
                         "target data", f"at {below} of {len(line['prior'])} sizes",
                         below > 0))
    return rows


def _share_claims(results):
    rows = []
    for when in ("few", "last"):
        share = {task["paper"]: shares_of(results, task, when)["in"] for task in results.tasks
                 if task["paper"] and shares_of(results, task, when)}
        if {"mention-type", "mention-tagging"} <= share.keys():
            rows.append(("pi of the target is lower for mention type than for mention tagging",
                         f"{share['mention-type']:.3f} and {share['mention-tagging']:.3f} after "
                         f"{_rounds(results, when)}",
                         share["mention-type"] < share["mention-tagging"] - 0.01))
        halves = split_shares(results, when)
        if halves:
            rows.append(("pi is near 1 (0.94) where one domain is split in two",
                         f"{mean(halves):.3f} after {_rounds(results, when)}",
                         mean(halves) > 0.85))
    steps = results.step(f"{results.tasks[0]['name']}/convergence")
    if steps:
        gained = later_gain(round_ends(steps))
        rows.append(("five rounds of conditional EM are more than enough",
                     f"rounds 2 to 5 bring {_percent(gained)} of the gain of rounds 2 to "
                     f"{len(round_ends(steps)) - 1}", gained > 0.95))
    return rows


def _rounds(results, when):
    return "5 rounds" if when == "few" else f"{results.scale['rounds']} rounds"


def later_gain(ends):
    """Returns how much of the gain after the first round comes from rounds 2 to 5. The
    first round is left out because it begins at weights of 0."""
    last = min(experiments.FEW_ROUNDS, len(ends) - 1)
    return (ends[1] - ends[last]) / ((ends[1] - ends[-1]) or 1)


def _shares(steps, when):
    """Returns pi of each domain after the fifth round, or after the last."""
    rounds = [step["round"] for step in steps]
    wanted = min(experiments.FEW_ROUNDS, max(rounds)) if when == "few" else max(rounds)
    return [step for step in steps if step["round"] == wanted][-1]["general_share"]


def shares_of(results, task, when):
    steps = results.step(f"{task['name']}/convergence")
    return steps and _shares(steps, when)


def split_shares(results, when):
    """Returns pi of both halves of every split."""
    shares = []
    for s in range(1, results.scale["splits"] + 1):
        steps = results.step(f"{results.tasks[0]['name']}/half-{s}")
        if steps:
            shares += _shares(steps, when).values()
    return shares


def round_ends(steps):
    """Returns the negative penalised log likelihood at the start and after every round."""
    last = {step["round"]: -step["objective"] for step in steps}
    return [-steps[0]["objective"]] + [last[r] for r in sorted(last)]

"""Reads the JSON files of a run, and derives numbers from them."""
import functools
import json

import paper
from sampling_statistics import error_reduction, mean, paired_t

OURS = "pool"  # the default system


class Results:
    def __init__(self, folder):
        self.folder = folder
        run = self._file("run.json")
        self.only = run.get("only")
        self.origin, self.seed = run["origin"], run["seed"]
        self.machine, self.scale = run["machine"], run["scale"]
        self.tasks = run["tasks"]
        self.systems = run["systems"]

    def _file(self, name):
        path = self.folder / name
        return json.loads(path.read_text()) if path.exists() else None

    @functools.cache
    def step(self, name):
        """Returns the result of a step; None if it was not part of the run."""
        kept = self._file(f"{name}.json")
        return kept and kept["result"]

    def seconds(self):
        """Returns (wall, processor) seconds by task, which is the first part of a step's name."""
        total = {}
        for path in sorted(self.folder.glob("*/*.json")):
            kept = json.loads(path.read_text())
            if "seconds" in kept:
                kind = path.stem.split("-")[0]
                key = (path.parent.name, kind)
                wall, processor = total.get(key, (0, 0))
                total[key] = (wall + kept["seconds"], processor + kept["processor_seconds"])
        return total

    def task(self, name):
        return next(task for task in self.tasks if task["name"] == name)

    def sizes(self, task):
        return self.step(f"{task['name']}/sizes")

    def whole(self, task, system):
        """Returns the system's row for all training data."""
        return _row(self.step(f"{task['name']}/compare"), system)

    def pair(self, task, a, b):
        """Returns the comparison of two systems for all training data."""
        for pair in self.step(f"{task['name']}/compare")["pairs"]:
            if {pair["a"], pair["b"]} == {a, b}:
                return pair
        return None

    def resamples(self, task, system, field=None):
        """Returns a score of every resample, in order; by default the task's own score."""
        rows = [_row(self.step(f"{task['name']}/resample-{r}"), system)
                for r in range(1, self.scale["resamples"] + 1)]
        return [row[field or task["score"]] for row in rows]

    def score(self, task, system):
        return mean(self.resamples(task, system))

    def log_loss(self, task, system):
        return mean(self.resamples(task, system, "log_loss"))

    def best_baseline(self, task):
        """Returns the best of the paper's seven, judged by the test set itself (hindsight)."""
        return max(paper.BASELINES, key=lambda system: self.score(task, system))

    def cut(self, task, system, baseline):
        """Returns the share of the baseline's errors that the system avoids."""
        return error_reduction(1 - self.score(task, system), 1 - self.score(task, baseline))

    def mean_cut(self, system, baseline=None):
        """Returns the mean over tasks; without a baseline, against the best one of each task."""
        return mean([self.cut(task, system, baseline or self.best_baseline(task))
                     for task in self.tasks])

    def cut_of_means(self, system, baseline):
        """Returns the share of the baseline's mean error over tasks that the system avoids."""
        def error(name):
            return mean([1 - self.score(task, name) for task in self.tasks])
        return error_reduction(error(system), error(baseline))

    def against(self, task, system, other):
        """Returns the mean difference over resamples, and its p by the paired t-test."""
        differences = [a - b for a, b in zip(self.resamples(task, system),
                                             self.resamples(task, other))]
        return mean(differences), paired_t(differences)

    def best(self, task):
        return max(self.systems, key=lambda system: self.score(task, system))


def _row(table, system):
    return next(row for row in table["systems"] if row["name"] == system)

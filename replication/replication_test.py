"""python3 -m unittest discover -s replication -p '*_test.py'"""
import json
import pathlib
import tempfile
import unittest

import experiments
import paper
import sampling_statistics
import tables
import units


class Units(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def read(self, text, kind):
        path = self.folder / "file"
        path.write_text(text)
        return units.read_units(path, kind)

    def test_documents_are_units_and_tokens_examples(self):
        text = "# doc = a\n\nThe\tDET\n#\tSYM\n\ndog\tNOUN\n\n# doc = b\n\nx\tX\n"
        read = self.read(text, "conll")
        self.assertEqual([unit.examples for unit in read], [3, 1])
        self.assertEqual("".join(unit.text for unit in read), text)
        text = "# doc = a\n\nThe dog .\nIt ran\n# doc = b\n\nx\n"
        read = self.read(text, "text")
        self.assertEqual([unit.examples for unit in read], [5, 1])
        self.assertEqual("".join(unit.text for unit in read), text)
        rows = '{"doc": "a"}\n{"doc": "b"}\n{"doc": "a"}\n'
        self.assertEqual([unit.examples for unit in self.read(rows, "jsonl")], [2, 1])
        self.assertEqual(len(self.read("a x\n\nb y\n", "rows")), 2)

    def test_sentences_without_documents_come_in_fifties(self):
        read = self.read("one two\n" * 120, "text")
        self.assertEqual([unit.examples for unit in read], [100, 100, 40])
        read = self.read("one\tA\ntwo\tB\n\n" * 120, "conll")
        self.assertEqual([unit.examples for unit in read], [100, 100, 40])

    def test_samples_keep_the_order_and_depend_on_the_seed_alone(self):
        read = self.read("".join(f"{i} x\n" for i in range(100)), "rows")
        sample = units.sample_share(read, 0.8, seed=3)
        self.assertEqual(len(sample), 80)
        numbers = [int(unit.text.split()[0]) for unit in sample]
        self.assertEqual(numbers, sorted(set(numbers)))
        self.assertEqual(sample, units.sample_share(read, 0.8, seed=3))
        self.assertNotEqual(sample, units.sample_share(read, 0.8, seed=4))
        three = units.samples(read[:3], 0.67, 4, seed=1)
        self.assertEqual(len({"".join(unit.text for unit in s) for s in three[:3]}), 3)
        few, rest = units.split_examples(read, 10, seed=1)
        self.assertEqual((len(few), len(rest)), (10, 90))
        self.assertEqual({u.text for u in few} | {u.text for u in rest}, {u.text for u in read})


class Statistics(unittest.TestCase):
    def test_paired_t_agrees_with_its_table(self):
        # t = 3 / (1.5811 / sqrt(5)) = 4.243 with 4 degrees of freedom.
        self.assertAlmostEqual(sampling_statistics.paired_t([1, 2, 3, 4, 5]), 0.013236, places=6)
        self.assertAlmostEqual(sampling_statistics.paired_t([-1, 1, -1, 1]), 1)
        # For one degree of freedom t is Cauchy: t = 1 has p = 1/2.
        self.assertAlmostEqual(sampling_statistics.paired_t([0, 2]), 0.5)
        self.assertEqual(sampling_statistics.paired_t([0.5, 0.5]), 0)
        self.assertEqual(sampling_statistics.paired_t([0.5]), 1)


class Page(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        names = experiments.SYSTEMS
        task = {"name": "mention-type", "title": "mention type", "score": "accuracy",
                "paper": "mention-type"}
        self.save("run", {"origin": "shared", "seed": 1, "machine": "M", "tasks": [task],
                          "systems": names, "scale": {"resamples": 2, "splits": 1, "most_out": 0}})
        size = {"examples": 12_000, "units": 6}
        self.step("sizes", {part: size for part in ("out", "tune", "train", "test")})
        for name in ("compare", "resample-1", "resample-2"):
            self.step(name, self.comparison(names))
        points = [{"examples": n, "mean": 0.5 + n / 100} for n in (5, 10)]
        self.step("curve", {"curves": [{"name": s, "points": points}
                                       for s in experiments.CURVE_SYSTEMS]})
        ratio = {"in": {"out": 0.25}}
        share = {"in": {"general_share": 0.4}, "out": {"general_share": 0.6}}
        self.step("relate", {"domains": share, "kl": ratio, "jensen_shannon": ratio, "auc": ratio})
        self.step("convergence", [
            {"round": r, "step": s, "objective": -100 + r, "general_share": {"in": .4, "out": .6}}
            for r in (1, 2) for s in ("e", "pi", "lambda", "psi")])
        self.step("half-1", {"domains": share})

    @staticmethod
    def comparison(names):
        # Every system is one point better than the previous one: stack avoids most errors.
        rows = [{"name": name, "accuracy": 0.5 + i / 100, "log_loss": 1 - i / 100,
                 "interval": [0.4, 0.6]} for i, name in enumerate(names)]
        pairs = [{"a": a, "b": b, "p": 0.04} for a in names for b in names if a < b]
        return {"systems": rows, "pairs": pairs}

    def save(self, name, content):
        path = self.work / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))

    def step(self, name, result):
        self.save(f"mention-type/{name}", {"command": [], "seconds": 1.5, "processor_seconds": 2.5,
                                            "result": result})

    def test_numbers_of_the_json_are_on_the_page(self):
        page = tables.write(self.work, self.work / "out").read_text()
        # prior errs on 44%, pool on 42%, megam on 43%: 2/44, 1/44.
        self.assertIn("avoids 4.5% of the errors of `prior`", page)
        self.assertIn("| `megam` against `prior` | +2.3 | **+2.3** |", page)
        self.assertIn("| `onlyo` | 50.0 ±0.0 | 50.00 |", page)
        self.assertIn(f"| `megam` | {paper.SCORES['mention-type']['megam']} |", page)
        self.assertIn("| `prior` | +2.00 (<.001; .040) |", page)
        self.assertTrue((self.work / "out" / "replication-convergence.svg").exists())

    def test_the_same_json_gives_the_same_page(self):
        first = tables.write(self.work, self.work / "a").read_text()
        self.assertEqual(first, tables.write(self.work, self.work / "b").read_text())


if __name__ == "__main__":
    unittest.main()

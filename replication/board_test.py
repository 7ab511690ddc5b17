"""python3 -m unittest discover -s replication -p '*_test.py'"""
import json
import pathlib
import tempfile
import unittest

import board_page
import board_pairs
import board_ranks


class Pairs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def read(self, name, text, kind):
        (self.folder / name).write_text(text)
        return board_pairs.read_items(self.folder / name, kind)

    def test_there_are_enough_and_the_halves_are_alike(self):
        every = board_pairs.pairs()
        self.assertGreaterEqual(len(every), 24)
        self.assertEqual(len({pair.name for pair in every}), len(every))
        half = board_pairs.halves(every)
        for family in {pair.family for pair in every}:
            own = [half[pair.name] for pair in every if pair.family == family]
            self.assertLessEqual(abs(own.count("design") - own.count("confirm")), 1)

    def test_development_data_are_not_in_them(self):
        for pair in board_pairs.pairs():
            for _, name in pair.source + pair.target:
                self.assertNotIn("gum", name)
                self.assertNotIn("ewt_reviews", name)

    def test_items_are_sentences_and_rows(self):
        items = self.read("a.conll", "# doc = d\n\nThe\tDET\n#\tSYM\n\ndog\tNOUN\n\n", "conll")
        self.assertEqual([(i.group, i.examples) for i in items], [("d", 2), ("d", 1)])
        items = self.read("b.conll", "one\tA\n\n" * 12, "conll")
        self.assertEqual([i.group for i in items], ["b/0"] * 10 + ["b/1"] * 2)
        items = self.read("c.txt", "# doc = d\n\nThe dog .\nIt ran\n", "text")
        self.assertEqual([i.examples for i in items], [3, 2])
        items = self.read("d.jsonl", '{"label": "a", "text": "t", "id": "x"}\n', "jsonl")
        self.assertEqual(items[0].group, "x")

    def test_written_items_are_read_again(self):
        items = [board_pairs.Item(f"d{i % 3}", f"w{i}\tA\n\n", 1) for i in range(9)]
        path = self.folder / "x" / "out.conll"
        board_pairs.write_items(items, path, "conll")
        again = board_pairs.read_items(path, "conll")
        self.assertEqual(sorted((i.group, i.text) for i in again),
                         sorted((i.group, i.text) for i in items))

    def test_documents_of_test_rows_are_not_trained_on(self):
        items = [board_pairs.Item(f"d{i // 10}", f"{i}", 1) for i in range(3000)]
        test, rest = board_pairs.split_target(items, "rows", seed=1)
        self.assertEqual(len(test), 1500)
        self.assertFalse({i.group for i in test} & {i.group for i in rest})
        small, large = (board_pairs.sample(rest, size, seed=2) for size in (100, 300))
        self.assertEqual((len(small), len(large)), (100, 300))
        self.assertEqual(large[:100], small)
        self.assertIsNone(board_pairs.sample(rest, 3000, seed=2))

    def test_packages_get_their_section(self):
        packages = [{"Package": "a", "Section": "net", "Description": "A mail server",
                     "Tag": "role::program, uitoolkit::gtk"},
                    {"Package": "a2", "Source": "a", "Section": "net", "Description": "other"},
                    {"Package": "b", "Section": "contrib/games", "Description": "A game\nlong"},
                    {"Package": "c", "Section": "libs", "Description": "A library"}]
        found = board_pairs.package_items(packages)
        self.assertEqual([json.loads(i.text)["label"] for i in found["gtk"]], ["net"])
        self.assertEqual(len(found["tagged"]), 1)
        self.assertEqual(json.loads(found["untagged"][0].text)["text"], "A game")


class Ranks(unittest.TestCase):
    def test_ties_share_their_rank(self):
        self.assertEqual(board_ranks.ranks([0.5, 0.9, 0.5, 0.1]), [2.5, 1, 2.5, 4])

    def test_friedman_agrees_with_a_textbook(self):
        # Every row has the same order of three: chi-square is n (k - 1) = 8, p = exp(-4).
        chi, p = board_ranks.friedman([[3, 2, 1]] * 4)
        self.assertAlmostEqual(chi, 8)
        self.assertAlmostEqual(p, 0.01831563888873418, places=12)
        self.assertAlmostEqual(board_ranks.friedman([[1, 2], [2, 1]])[1], 1)

    def test_tails_agree_with_tables(self):
        self.assertAlmostEqual(board_ranks.chi_square_tail(3.841458820694124, 1), 0.05, places=10)
        self.assertAlmostEqual(board_ranks.chi_square_tail(16.918977604620448, 9), 0.05, places=10)
        self.assertAlmostEqual(board_ranks.chi_square_tail(1.0, 9), 0.9994375, places=6)

    def test_nemenyi(self):
        # Demšar (2006), section 3.2.2: 4 systems on 14 data sets, CD = 1.25.
        self.assertAlmostEqual(board_ranks.critical_difference(4, 14), 1.25, places=2)
        self.assertEqual(board_ranks.groups([1, 1.5, 2.6, 4], 1.2), [(0, 1), (1, 2)])
        picture = board_ranks.diagram(["a", "b", "c"], [1.2, 2, 2.8], 1)
        self.assertIn("a 1.20", picture)
        self.assertTrue(picture.endswith("</svg>\n"))


class Page(unittest.TestCase):
    def setUp(self):
        self.work = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        systems = ["mix", "prior", "megam", "pool", *board_page.BASELINES[:3], "mixw", "feats"]
        for place, pair in enumerate(board_pairs.pairs()[:4]):
            for prior in board_page.PRIORS:
                rows = [{"name": s, "accuracy": 0.5 + 0.01 * i + 0.1 * (prior == "tuned"),
                         "log_loss": 0.5, "seconds": 1.0, "tuned": {}, "held_out": 1 - 0.1 * i}
                        for i, s in enumerate(systems[3::-1] + systems[4:])]
                for name in (f"100-{prior}-tune", f"100-{prior}"):
                    self.save(pair.name, name, {
                        "command": [], "seconds": 1, "processor_seconds": 60 * place, "result": {
                            "systems": rows, "examples": 100, "left_out": [],
                            "pairs": [{"a": "pool", "b": "prior", "discordant": [9, 30],
                                       "p": 0.01}]}})
            self.save(pair.name, "sizes", {"result": {"source": 20000, "test": 10000}})

    def save(self, pair, name, content):
        path = self.work / pair / f"{name}.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(content))

    def test_numbers_of_the_json_are_on_the_page(self):
        page = board_page.write(self.work, self.work / "out").read_text()
        self.assertIn("Finished: 4 of ", page)
        self.assertIn("**The board is not complete.**", page)
        self.assertIn("`feats` has the best mean rank, 1.00", page)
        self.assertIn("+10.00 (`mix`)", page)
        # Pool is significantly worse than prior in four runs: no wins, no ties, four
        # losses.
        self.assertIn("| `pool` | 0 / 0 / 4 | 0 / 4 / 0 |", page)
        # prior errs on 38%, pool on 40% with a tuned prior.
        self.assertIn("| `pool` | -5.3% [-5.3, -5.3] | -5.3% |", page)
        # Tuning and test: a second each; four pairs of 0, 1, 2 and 3 minutes, four times.
        self.assertIn("| `pool` | 2.0 | 2.0 | 2.0 |", page)
        self.assertIn("24 minutes of processor time in all", page)
        self.assertTrue((self.work / "out" / "board-ranks.svg").exists())

    def test_runs_of_one_prior_do_not_count(self):
        first = board_pairs.pairs()[0].name
        (self.work / first / "100-even.json").unlink()
        page = board_page.write(self.work, self.work / "out").read_text()
        self.assertIn("Finished: 3 of ", page)
        self.assertIn(f"| {first} | Brown | design |", page)
        self.assertIn("| not yet run |", page)

    def test_one_pair_and_few_systems_are_enough(self):
        for pair in board_pairs.pairs()[1:4]:
            for file in (self.work / pair.name).iterdir():
                file.unlink()
        for file in (self.work / board_pairs.pairs()[0].name).glob("100-*.json"):
            kept = json.loads(file.read_text())
            rows = kept["result"]["systems"]
            kept["result"]["systems"] = [r for r in rows if r["name"] in ("mix", "prior")]
            file.write_text(json.dumps(kept))
        page = board_page.write(self.work, self.work / "out").read_text()
        self.assertIn("Finished: 1 of ", page)
        self.assertIn("is open: the halves are not finished", page)

    def test_without_runs_the_page_has_the_pairs_alone(self):
        page = board_page.write(self.work / "empty", self.work / "out").read_text()
        self.assertIn("Finished: 0 of ", page)
        self.assertIn("| spam-hard-easy | spam | confirm |  |  | not yet run |", page)
        self.assertNotIn("## Mean ranks", page)


if __name__ == "__main__":
    unittest.main()

"""The data of scripts/demo: demo_test.py PROGRAM."""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import demo_packages  # noqa: E402
from demo_sample import sample_rows  # noqa: E402

PROGRAM = ""

LISTS = """\
Package: tux-racer
Section: games
Description: race a penguin
 Long text: which is
 not read.
Tag: interface::graphical,
 role::program, use::gameplaying

Package: hexdump
Source: bsdmain (1.2)
Section: contrib/devel
Tag: interface::commandline, role::program
Description-en: dump files, in "hex"

Package: both
Section: net
Tag: interface::commandline, interface::x11, role::program
Description: a program of both kinds

Package: libx
Section: net
Tag: interface::x11, role::shared-lib
Description: a library

Package: untagged
Section: net
Description: a program without tags

Package: xfont
Section: fonts
Tag: interface::x11, role::program
Description: a program of another section
"""


def package(number, interface, **fields):
    return {"Package": f"p{number}", "Section": "games", "Description": f"game {number}",
            "Tag": f"role::program, interface::{interface}", **fields}


def enough():
    counts = {"x11": demo_packages.SOURCE_ROWS,
              "commandline": demo_packages.TARGET_ROWS + demo_packages.TEST_ROWS}
    interfaces = [interface for interface, count in counts.items() for _ in range(count)]
    return [package(number, interface) for number, interface in enumerate(interfaces)]


def program(*arguments):
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


class Packages(unittest.TestCase):
    def test_graphical_programs_and_command_line_tools_become_rows(self):
        rows = [demo_packages.row_of(p) for p in demo_packages.paragraphs(LISTS.splitlines())]
        self.assertEqual(rows, [("games", "race a penguin", "graphical"),
                                ("devel", 'dump files, in "hex"', "commandline"),
                                None, None, None, None])

    def test_rows_hang_on_the_names_alone(self):
        packages = enough()
        train, test = demo_packages.package_rows(packages)
        self.assertEqual(demo_packages.package_rows(packages[::-1]), (train, test))
        self.assertEqual([len(train), len(test)],
                         [demo_packages.SOURCE_ROWS + demo_packages.TARGET_ROWS,
                          demo_packages.TEST_ROWS])
        self.assertEqual({row[2] for row in test}, {"commandline"})
        self.assertEqual(set(train) & set(test), set())

    def test_siblings_and_repeated_descriptions_are_left_out(self):
        for shared in ({"Source": "one (2)"}, {"Description": "one"}):
            packages = enough()
            self.assertIsNotNone(demo_packages.package_rows(packages))
            for place in (-1, -2):  # of the two tools one is left out, so one is missing
                packages[place].update(shared)
            self.assertIsNone(demo_packages.package_rows(packages))

    def test_without_lists_the_rows_are_invented(self):
        self.assertIsNone(demo_packages.package_rows([]))
        with tempfile.TemporaryDirectory() as folder:
            empty = pathlib.Path(folder, "empty")
            empty.write_text("")
            said = subprocess.run(
                [sys.executable, "-B", ROOT / "scripts" / "demo_packages.py", folder,
                 "--available", empty], stdout=subprocess.PIPE, check=True, text=True).stdout
            self.assertIn("no package lists", said)
            with open(pathlib.Path(folder, "programs.csv"), newline="") as table:
                rows = list(csv.reader(table))
        self.assertEqual(rows[0], ["label", "text", "domain"])
        self.assertEqual([tuple(row) for row in rows[1:]], sample_rows()[0])


class Sample(unittest.TestCase):
    def test_adaptation_beats_pooling_and_the_target_alone(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            train, test = sample_rows()
            demo_packages.write_table(folder / "programs.csv", train)
            demo_packages.write_table(folder / "test.csv", test)
            table = program("compare", "--domain", f"all={folder}/programs.csv", "--target",
                            "commandline", "--test", folder / "test.csv", "--systems",
                            "onlyo,onlyi,mix,easyadapt", "-o", folder / "best.mega", "--json",
                            "--quiet")
            right = {system["name"]: system["accuracy"] for system in table["systems"]}
            self.assertEqual(table["best"], "easyadapt")
            for other in ("onlyo", "onlyi", "mix"):
                self.assertGreater(right["easyadapt"], right[other] + 0.03)
            kept = program("eval", folder / "best.mega", folder / "test.csv", "--json")
            self.assertEqual(kept["accuracy"], right["easyadapt"])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()

#!/usr/bin/env python3
"""Writes the tables of the demo: what is a program about, by its one-line description?

    demo_packages.py FOLDER [--available FILE] [--sample]

The rows are Debian's packages as `apt-cache dumpavail` lists them. The label is the section
(games, net, sound, ...), the text is the description. Graphical programs are the plentiful
domain, command line tools the scarce one. Debtags tell which is which; programs that are both
are left out.

writes FOLDER/programs.csv to learn from and FOLDER/test.csv to test on. Without package lists,
or with --sample, the rows are the invented ones of demo_sample.py.
"""
import argparse
import csv
import hashlib
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # no __pycache__ among the scripts
from demo_sample import sample_rows  # noqa: E402

SECTIONS = {"admin", "devel", "games", "graphics", "mail", "math", "net", "science", "sound",
            "text"}
GRAPHICAL = {"interface::graphical", "interface::x11"}
COMMAND_LINE = {"interface::commandline"}
SOURCE, TARGET = "graphical", "commandline"
SOURCE_ROWS, TARGET_ROWS, TEST_ROWS = 1000, 200, 1000


def paragraphs(lines):
    """The packages of an `apt-cache dumpavail`, as dicts of their fields."""
    fields, name = {}, None
    for line in lines:
        if not line.strip():
            if fields:
                yield fields
            fields, name = {}, None
        elif line[0] in " \t":  # goes on with the field above
            if name:
                fields[name] += "\n" + line.strip()
        else:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
    if fields:
        yield fields


def row_of(package):
    """Returns the (label, text, domain) of a package, or None if the demo does not use it."""
    tags = {tag.strip() for tag in package.get("Tag", "").split(",")}
    section = package.get("Section", "").rpartition("/")[2]
    text = package.get("Description") or package.get("Description-en") or ""
    text = text.partition("\n")[0]  # what follows is the long description
    graphical, command_line = bool(tags & GRAPHICAL), bool(tags & COMMAND_LINE)
    if "role::program" not in tags or section not in SECTIONS or not text:
        return None
    if graphical == command_line:
        return None
    return section, text, SOURCE if graphical else TARGET


def shuffled(packages):
    """Returns the packages in an order that depends on their names alone, so that another
    machine, or a list with a few more packages, gives nearly the same rows."""
    return sorted(packages, key=lambda p: hashlib.sha256(p["Package"].encode()).digest())


def package_rows(packages):
    """Rows to learn from and rows to test on; None when there are too few packages.

    Only one package of each source package is used: its siblings have almost the same
    description, and would give a test row away.
    """
    rows, seen = {SOURCE: [], TARGET: []}, set()
    for package in shuffled(p for p in packages if "Package" in p):
        row = row_of(package)
        if row is None:
            continue
        origin = package.get("Source", package["Package"]).split()[0]
        if origin in seen or row[1] in seen:
            continue
        seen |= {origin, row[1]}
        rows[row[2]].append(row)
    source, target = rows[SOURCE][:SOURCE_ROWS], rows[TARGET]
    if len(source) < SOURCE_ROWS or len(target) < TARGET_ROWS + TEST_ROWS:
        return None
    return source + target[:TARGET_ROWS], target[TARGET_ROWS:TARGET_ROWS + TEST_ROWS]


def available():
    """Yields the lines of `apt-cache dumpavail`; none if there is no apt."""
    try:
        done = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=False)
    except OSError:
        return []
    return done.stdout.decode("utf-8", errors="replace").splitlines()


def write_table(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as out:
        table = csv.writer(out, lineterminator="\n")
        table.writerow(["label", "text", "domain"])
        table.writerows(rows)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--available", type=pathlib.Path, metavar="FILE",
                        help="what 'apt-cache dumpavail' printed")
    parser.add_argument("--sample", action="store_true", help="the invented rows")
    args = parser.parse_args()
    rows = None
    if not args.sample:
        lines = args.available.read_text(encoding="utf-8").splitlines() if args.available \
            else available()
        rows = package_rows(paragraphs(lines))
        if rows is None:
            print("apt has no package lists here ('apt-get update' fetches them): "
                  "going on with invented programs")
    train, test = rows or sample_rows()
    args.folder.mkdir(parents=True, exist_ok=True)
    write_table(args.folder / "programs.csv", train)
    write_table(args.folder / "test.csv", test)
    few = sum(row[2] == TARGET for row in train)
    print(f"programs.csv: {len(train) - few} graphical programs, {few} command line tools\n"
          f"test.csv:     {len(test)} other command line tools")


if __name__ == "__main__":
    main()

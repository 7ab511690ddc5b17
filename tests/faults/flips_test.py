#!/usr/bin/python3
"""Flips single bits of the files that the program reads back.

    flips_test.py PROGRAM [--flips N] [--seed N]

Each flip hits a model, a checkpoint, a part of --resume, or compressed rows. The program must
refuse the file with exit code 2 or 3, or give the answer that it gives without the flip.
"""
import argparse
import collections
import os
import random
import shutil
import subprocess
import sys
import tempfile

from crash_test import without_times
from faults_test import DOMAINS, ROWS

REFUSED = {2, 3}  # bad input, bad model


class Flips:
    def __init__(self, program, folder, seed):
        self.program, self.folder = program, folder
        self.random = random.Random(seed)
        self.counts = collections.Counter()
        for name, text in ROWS.items():
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write(text)
        train = ["train", "-q", "-s", "megam", *DOMAINS, "-o"]
        compare = ["compare", "--systems", "onlyi,mix", *DOMAINS, "--test", "new.txt",
                   "--no-tuning", "--json", "-q", "--resume", "kept"]
        self.output([*train, "m.mega"])
        self.output([*train, "again.mega", "--checkpoint", "c.state"])
        self.output(compare)
        for tool in ["gzip", "zstd"]:
            subprocess.run([tool, "-q", "-k", "calls.txt"], cwd=folder, check=True)
        parts = [f"kept/{name}" for name in sorted(os.listdir(self.path("kept")))
                 if name.endswith(".part")]
        predict = ["predict", "--threads", "1"]
        # Kind, files, command, and how often one of them is hit.
        self.kinds = [
            ("model", ["m.mega"], [*predict, "m.mega", "calls.txt"], 10),
            ("checkpoint", ["c.state"], [*train, "-", "--checkpoint", "c.state"], 3),
            ("part", parts, compare, 3),
            ("compressed rows", ["calls.txt.gz"], [*predict, "m.mega", "calls.txt.gz"], 2),
            ("compressed rows", ["calls.txt.zst"], [*predict, "m.mega", "calls.txt.zst"], 2)]
        self.right = [self.answer(command) for _, _, command, _ in self.kinds]
        assert all(code == 0 for code, _ in self.right), self.right

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, arguments):
        return subprocess.run([self.program, *arguments], cwd=self.folder, capture_output=True,
                              timeout=120, check=False)

    def output(self, arguments):
        result = self.run(arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def answer(self, arguments):
        result = self.run(arguments)
        found = without_times(result.stdout) if arguments[0] == "compare" and \
            result.returncode == 0 else result.stdout
        return result.returncode, found

    def flip(self, which):
        kind, files, command, _ = self.kinds[which]
        path = self.path(self.random.choice(files))
        shutil.copy(path, self.path("good"))
        with open(path, "r+b") as file:
            bit = self.random.randrange(8 * os.path.getsize(path))
            file.seek(bit // 8)
            byte = file.read(1)[0]
            file.seek(bit // 8)
            file.write(bytes([byte ^ 1 << bit % 8]))
        code, found = self.answer(command)
        shutil.move(self.path("good"), path)
        if code in REFUSED:
            self.counts[kind, "refused"] += 1
        elif (code, found) == self.right[which]:
            self.counts[kind, "same answer"] += 1
        else:
            raise AssertionError(f"{kind}: bit {bit} of {path}: exit code {code}, {found[:300]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--flips", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="megadapt-flips-") as folder:
        flips = Flips(os.path.abspath(options.program), folder, options.seed)
        often = [kind[3] for kind in flips.kinds]
        for _ in range(options.flips):
            flips.flip(flips.random.choices(range(len(often)), often)[0])
    for (kind, what), count in sorted(flips.counts.items()):
        print(f"{kind}: {count} {what}")
    print(f"{options.flips} flipped bits, no wrong answer")
    return 0


if __name__ == "__main__":
    sys.exit(main())

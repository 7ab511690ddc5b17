#!/usr/bin/python3
"""Kills commands with SIGKILL at random moments and starts them again until they are done.

    crash_test.py PROGRAM [--kills N] [--seed N]

The result has the same bytes as that of an undisturbed run, every file that exists is complete
after each kill, and the last run leaves no temporary file. At least N kills are made.
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time


def rows(count, seed):
    draw = random.Random(seed)
    lines = []
    for _ in range(count):
        words = " ".join(f"f{draw.randrange(3000)}" for _ in range(15))
        lines.append(f"{'abcd'[draw.randrange(4)]}\t{words}")
    return "\n".join(lines) + "\n"


def without_times(text):
    """The result of a comparison without how long it took."""
    def strip(value):
        if isinstance(value, dict):
            return {k: strip(v) for k, v in value.items() if "seconds" not in k}
        return [strip(v) for v in value] if isinstance(value, list) else value
    return json.dumps(strip(json.loads(text)))


class Crashes:
    def __init__(self, program, folder, seed):
        self.program, self.folder = program, folder
        self.draw = random.Random(seed)
        self.kills = 0
        for name, count in [("out.txt", 6000), ("in.txt", 1500), ("test.txt", 300)]:
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(rows(count, name))

    def start(self, arguments):
        return subprocess.Popen([self.program, *arguments], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def undisturbed(self, arguments):
        begin = time.monotonic()
        with self.start(arguments) as process:
            output = process.stdout.read()
        assert process.returncode == 0, arguments
        return output, time.monotonic() - begin

    def until_done(self, arguments, seconds):
        """Kills the command again and again, each time a little later on average."""
        patience = seconds / 4
        while True:
            process = self.start(arguments)
            try:
                output, _ = process.communicate(timeout=self.draw.uniform(0, patience))
                assert process.returncode == 0, (arguments, process.returncode)
                return output
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                self.kills += 1
                patience *= 1.05
                self.check_files()

    def check_files(self):
        for name in os.listdir(self.folder):
            if name.endswith(".mega"):
                check = subprocess.run([self.program, "model", "verify", name], cwd=self.folder,
                                       capture_output=True, check=False)
                assert check.returncode == 0, (name, check.stderr)

    def path(self, name):
        return os.path.join(self.folder, name)

    def leftovers(self):
        return [n for n in os.listdir(self.folder) if n.startswith(".megadapt-")]

    def training(self):
        train = ["train", "-s", "megam", "-d", "out=out.txt", "-d", "in=in.txt", "-t", "in",
                 "--rounds", "8", "--threads", "1"]
        _, seconds = self.undisturbed([*train, "-o", "whole.mega"])
        self.until_done([*train, "--checkpoint", "state", "-o", "killed.mega"], seconds)
        with open(self.path("whole.mega"), "rb") as whole, \
                open(self.path("killed.mega"), "rb") as killed:
            assert whole.read() == killed.read(), "the resumed model differs"
        for name in ["state", "whole.mega", "killed.mega"]:
            os.remove(self.path(name))

    def comparison(self):
        compare = ["compare", "--systems", "onlyi,onlyo,mix,prior", "-d", "out=out.txt", "-d",
                   "in=in.txt", "-t", "in", "--test", "test.txt", "--no-tuning", "--threads", "1",
                   "--json", "-q"]
        whole, seconds = self.undisturbed(compare)
        kept = f"kept{self.kills}"
        killed = self.until_done([*compare, "--resume", kept], seconds)
        assert without_times(whole) == without_times(killed), "the resumed comparison differs"

    def last_run_sweeps(self):
        self.undisturbed(["convert", "in.txt", "--to", "jsonl", "-o", "in.jsonl"])
        assert not self.leftovers(), self.leftovers()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="megadapt-crash-") as folder:
        crashes = Crashes(os.path.abspath(options.program), folder, options.seed)
        rounds = 0
        while crashes.kills < options.kills:
            crashes.training()
            crashes.comparison()
            rounds += 1
        crashes.last_run_sweeps()
    print(f"{crashes.kills} kills, {rounds} trainings and comparisons, all the same bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())

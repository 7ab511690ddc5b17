"""Runs programs side by side and measures wall time and peak memory. Standard library only: a
child's peak memory counts from its fork, so this process must stay small."""
import dataclasses
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time


@dataclasses.dataclass
class Contender:
    name: str
    command: list
    stdout: str = ""  # a file for large output; without it, output is kept in memory
    repeats: int = 1000  # at most; fewer for slow programs
    runs: list = dataclasses.field(default_factory=list)

    def median(self, field="seconds"):
        return statistics.median(run[field] for run in self.runs)

    def summary(self):
        return {
            "command": " ".join(map(str, self.command)),
            "repeats": len(self.runs),
            "seconds": self.median(),
            "seconds_all": [run["seconds"] for run in self.runs],
            "peak_mb": self.median("peak_mb"),
        }


def run(command, stdout=""):
    """Runs one command to its end. A failure ends the benchmark with the program's message."""
    # One thread per program, unless the command line asks for more.
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
                                "PYTHONDONTWRITEBYTECODE": "1"}
    with open(stdout, "wb+") if stdout else tempfile.TemporaryFile() as out:
        start = time.perf_counter()
        child = subprocess.Popen(list(map(str, command)), stdout=out, stdin=subprocess.DEVNULL,
                                 env=environment)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            sys.exit(f"error: exit code {child.returncode} from: {' '.join(map(str, command))}")
        text = ""
        if not stdout:
            out.seek(0)
            text = out.read().decode()
    return {"seconds": seconds, "user_seconds": usage.ru_utime,
            "peak_mb": usage.ru_maxrss / 1024, "output": text}


def interleave(contenders, repeats):
    """Runs each contender once per round, so that all meet the same state of the machine.

    The order rotates by one from round to round.
    """
    for turn in range(repeats):
        shift = turn % len(contenders)
        for contender in contenders[shift:] + contenders[:shift]:
            if len(contender.runs) < contender.repeats:
                contender.runs.append(run(contender.command, contender.stdout))
        note(f"  round {turn + 1} of {repeats}: " + ", ".join(
            f"{c.name} {c.runs[-1]['seconds']:.3g} s" for c in contenders))


def note(text):
    print(text, file=sys.stderr, flush=True)


def machine():
    with open("/proc/cpuinfo") as file:
        cpu = next((line.split(":")[1].strip() for line in file if "model name" in line), "?")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    compiler = subprocess.run(["g++", "-dumpfullversion"], capture_output=True, text=True)
    return (f"{cpu}, {os.cpu_count()} cores, {memory:.0f} GB, {platform.system()} "
            f"{platform.release()}, g++ {compiler.stdout.strip()}")

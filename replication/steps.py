"""A step is a command whose JSON is kept, so that finished steps are not computed again."""
import json
import os
import resource
import subprocess
import sys
import time

from tasks import ROOT


class Steps:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def result(self, name, command, read=json.loads):
        """Returns the output of `command`, parsed by `read`."""
        path = self.folder / f"{name}.json"
        command = [relative(word) for word in command]
        known = kept(path)
        if known and known["command"] == command:
            return known["result"]
        note(f"{name} ...")
        start, before = time.perf_counter(), processor_seconds()
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        if done.returncode:
            sys.exit(f"error: exit code {done.returncode} from: {' '.join(command)}\n"
                     "fix: see the message above; the same command goes on from here")
        seconds = time.perf_counter() - start
        save(path, {"command": command, "seconds": round(seconds, 1),
                    "processor_seconds": round(processor_seconds() - before, 1),
                    "result": read(done.stdout)})
        note(f"{name}: {seconds:.0f} s")
        return kept(path)["result"]


def processor_seconds():
    """Returns the processor time of all programs run so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def kept(path):
    return json.loads(path.read_text()) if path.exists() else None


def save(path, content):
    """Writes the whole file or nothing: an interrupted run leaves no partial file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(content, indent=1) + "\n")
    os.replace(temporary, path)


def relative(word):
    """Returns paths relative to the project, so that results do not depend on the machine."""
    name, equals, path = str(word).rpartition("=")
    return name + equals + (os.path.relpath(path, ROOT) if os.path.isabs(path) else path)


def machine():
    with open("/proc/cpuinfo") as file:
        cpu = next((line.split(":")[1].strip() for line in file if "model name" in line), "?")
    return f"{cpu}, {os.cpu_count()} cores"


def note(text):
    print(text, file=sys.stderr, flush=True)

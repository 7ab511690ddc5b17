#!/usr/bin/python3
"""Sends predictions of one row to a server, by hey.

    load_test.py PROGRAM [--requests N] [--rate N] [--connections N] [--threads N]

Every request must get status 200, and the memory of the server may grow by 2 MB at most after
the first tenth. With --rate, N requests a second are sent, and 99% of the answers must come
within 2 ms; without it, as many as the server answers.
"""
import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from faults_test import DOMAINS, ROWS

MOST_GROWTH = 2 << 10  # KiB
MOST_MILLISECONDS = 2


def memory(process):
    """Returns the memory of the process in KiB: the current and the peak value."""
    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
        text = file.read()
    return [int(re.search(rf"{name}:\s+(\d+) kB", text)[1]) for name in ["VmRSS", "VmHWM"]]


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Answers:
    """The figures in the output of hey."""

    def __init__(self, text):
        self.statuses = {int(code): int(count)
                         for code, count in re.findall(r"\[(\d+)\]\s+(\d+) responses", text)}
        self.errors = text[text.find("Error distribution"):] if "Error dist" in text else ""
        self.rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
        self.milliseconds = {int(share): 1000 * float(seconds) for share, seconds in
                             re.findall(r"(\d+)% in ([\d.]+) secs", text)}


def send(url, body, requests, options):
    limit = ["-q", str(options.rate / options.connections)] if options.rate else []
    result = subprocess.run(["hey", "-n", str(requests), "-c", str(options.connections), *limit,
                             "-m", "POST", "-T", "application/json", "-D", body,
                             url + "v1/predict"], capture_output=True, text=True, check=True)
    answers = Answers(result.stdout)
    assert not answers.errors, answers.errors
    assert set(answers.statuses) == {200}, answers.statuses
    return answers


def measure(server, url, body, options):
    send(url, body, max(options.requests // 10, options.connections), options)
    before, busy = memory(server), processor_seconds(server)
    answers = send(url, body, options.requests, options)
    after, busy = memory(server), processor_seconds(server) - busy
    sent = sum(answers.statuses.values())
    times = ", ".join(f"{share}% within {answers.milliseconds[share]:.1f} ms"
                      for share in (50, 90, 99))
    print(f"{sent} answers, {answers.rate:.0f} a second; {times}")
    print(f"memory: {before[0] / 1024:.1f} MB before, {after[0] / 1024:.1f} MB after, "
          f"{after[1] / 1024:.1f} MB at most; {1e6 * busy / sent:.0f} us of processor time each")
    assert after[0] <= before[0] + MOST_GROWTH, "the server takes more and more memory"
    if options.rate:
        assert answers.rate > 0.95 * options.rate, "the requests were not sent in time"
        assert answers.milliseconds[99] <= MOST_MILLISECONDS, "99% take more than 2 ms"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--requests", type=int, default=10000)
    parser.add_argument("--rate", type=int, default=0)
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    if not shutil.which("hey"):
        print("skipped: hey is not installed (apt-get install hey)")
        return 0
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory(prefix="megadapt-load-") as folder:
        for name, text in ROWS.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        body = os.path.join(folder, "body.json")
        with open(body, "w", encoding="utf-8") as file:
            json.dump({"features": ["warm", "dry"], "domain": "calls"}, file)
        subprocess.run([program, "train", "-q", "-s", "megam", *DOMAINS, "-o", "m.mega"],
                       cwd=folder, check=True)
        with subprocess.Popen([program, "serve", "m.mega", "--port", "0", "--json", "--threads",
                               str(options.threads)], cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL) as server:
            try:
                measure(server, json.loads(server.stdout.readline())["url"], body, options)
            finally:
                server.send_signal(signal.SIGTERM)
    return 0


if __name__ == "__main__":
    sys.exit(main())

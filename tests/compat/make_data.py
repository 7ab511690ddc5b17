"""Makes up the rows and sentences of this folder: reviews, mail, tagged sentences.

Called by `make`. Every value comes from one seeded generator, so the files are always the same.
"""
import json
import random
from pathlib import Path


class Source:
    """Random choices made from random() alone, which is the same in every Python version."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def chance(self, probability):
        return self._random.random() < probability

    def pick(self, items):
        return items[int(self._random.random() * len(items))]

    def some(self, items, count):
        rest, taken = list(items), []
        for _ in range(min(count, len(rest))):
            taken.append(rest.pop(int(self._random.random() * len(rest))))
        return taken

    def number(self, low, high):
        return round(low + (high - low) * self._random.random(), 2)


PLAIN = "the a it and with very this was for my".split()
PRAISE = "good great fine lovely superb".split()
BLAME = "bad dull poor awful broken".split()
TOPIC = {
    "books": {"of": "plot author chapter pages cover style".split(),
              "good": "gripping witty moving".split(), "bad": "boring long confusing".split()},
    "phones": {"of": "screen battery camera buttons case signal".split(),
               "good": "bright fast light".split(), "bad": "slow heavy boring".split()},
    "films": {"of": "scene actor story music ending screen".split(),
              "good": "moving witty bright".split(), "bad": "long slow loud".split()},
}


def review(source, domain, label):
    """Words of a review; one in six says the opposite of its label, so nothing is certain."""
    topic = TOPIC[domain]
    if source.chance(1 / 6):
        label = "bad" if label == "good" else "good"
    own = topic["good" if label == "good" else "bad"]
    words = source.some(PLAIN, 3) + source.some(topic["of"], 2)
    words.append(source.pick(PRAISE if label == "good" else BLAME))
    if source.chance(0.7):
        words.append(source.pick(own))
    if source.chance(0.2):
        words.append(source.pick(PRAISE + BLAME))
    return words


def feature_lines(source, domain, rows, unseen=()):
    lines = []
    for row in range(rows):
        label = source.pick(["good", "bad"])
        words = review(source, domain, label)
        if unseen and row % 4 == 0:
            words.append(source.pick(unseen))
        weight = "$$$WEIGHT 2 " if row % 9 == 4 else ""
        lines.append(f"{label}\t{weight}{' '.join(words)}")
    return lines


def json_rows(source, domain, rows):
    lines = []
    for row in range(rows):
        label = source.pick(["good", "bad", "so-so"])
        words = review(source, domain, "good" if label == "good" else "bad")
        if label == "so-so":
            words = words[:4] + source.some(["average", "usual", "okay"], 2)
        entry = {"id": f"{domain}-{row}", "label": label, "features": words,
                 "group": f"{domain}-g{row // 3}"}
        if row % 7 == 2:
            entry["weight"] = 0.5
        lines.append(json.dumps(entry))
    return lines


def value_lines(source, shift, rows):
    """Rows of real values, whose label depends on where stars and length lie."""
    lines = []
    for _ in range(rows):
        stars, length, price = (source.number(0, 5), source.number(10, 200),
                                source.number(1, 90))
        liked = stars + shift + (0.5 if length > 100 else 0) > 3 - (1 if source.chance(0.1) else 0)
        lines.append(("good" if liked else "bad", stars, length, price, source.chance(0.5)))
    return lines


def megam_fvals(rows):
    return [f"{label} stars {stars} length {length} price {price}" + (" signed 1" if signed else "")
            for label, stars, length, price, signed in rows]


def libsvm(rows):
    return [f"{'+1' if label == 'good' else '-1'} 1:{stars} 3:{round(length / 100, 3)} "
            f"7:{round(price / 50, 3)}" + (" 12:1" if signed else "")
            for label, stars, length, price, signed in rows]


def table(source, domain, rows):
    lines = ["id,label,text"]
    for row in range(rows):
        label = source.pick(["good", "bad"])
        topic = TOPIC[domain]
        word = source.pick(PRAISE if label == "good" else BLAME)
        own = source.pick(topic["good" if label == "good" else "bad"])
        thing = source.pick(topic["of"])
        text = source.pick([
            f'The {thing} isn\'t {own}, it\'s ""{word.upper()}""!',
            f"{word.capitalize()} {thing}; {own} – très {word}.",
            f"My {thing}: {own} & {word}, 3,000.50 times",
            f"Straße and {thing} are {word} … {own}",
        ])
        lines.append(f'{domain}{row},{label},"{text}"')
    return lines


NOUNS = {"news": "minister city report market court bank".split(),
         "mail": "meeting lunch file report car dog".split()}
VERBS = {"news": "said closed visited report opened".split(),
         "mail": "sent missed need report file".split()}
NAMES = {"news": "Ada Berlin Conrad Delhi".split(), "mail": "Ada Ben Delhi Zoë".split()}
ADJECTIVES = "new large old late".split()


def phrase(source, domain):
    """A noun phrase as (token, part of speech, role in the phrase, type)."""
    if source.chance(0.3):
        name = source.pick(NAMES[domain])
        kind = "place" if name in ("Berlin", "Delhi") else "person"
        words = [(name, "PROPN")]
        if source.chance(0.3):
            words.append(("House" if kind == "place" else "Smith", "PROPN"))
    else:
        noun = source.pick(NOUNS[domain])
        kind = {"minister": "person", "dog": "animal", "city": "place"}.get(noun, "thing")
        words = [(source.pick(["the", "a"]), "DET")]
        if source.chance(0.3):
            words.append((source.pick(ADJECTIVES), "ADJ"))
        words.append((noun, "NOUN"))
    return words, kind


def sentence(source, domain):
    """Tokens as [form, part of speech, mention tag, chunk tag] and the spans with their types."""
    tokens, spans = [], []

    def add_phrase():
        words, kind = phrase(source, domain)
        spans.append((len(tokens), len(tokens) + len(words) - 1, kind))
        for place, (form, pos) in enumerate(words):
            begin = "B" if place == 0 else "I"
            tokens.append([form, pos, begin, f"{begin}-NP"])

    if domain == "mail" and source.chance(0.4):
        spans.append((0, 0, "person"))
        tokens.append([source.pick(["i", "we"]), "PRON", "B", "B-NP"])
    else:
        add_phrase()
    if source.chance(0.3):
        tokens.append([source.pick(["has", "will"]), "AUX", "O", "B-VP"])
        tokens.append([source.pick(VERBS[domain]), "VERB", "O", "I-VP"])
    else:
        tokens.append([source.pick(VERBS[domain]), "VERB", "O", "B-VP"])
    add_phrase()
    if source.chance(0.4):
        tokens.append([source.pick(["in", "near", "with"]), "ADP", "O", "O"])
        add_phrase()
    tokens.append([".", "PUNCT", "O", "O"])
    if source.chance(0.3):  # annotators err
        token = source.pick(tokens)
        token[1] = source.pick(["NOUN", "VERB", "PROPN"])
    if domain == "news" or source.chance(0.3):
        tokens[0][0] = tokens[0][0][0].upper() + tokens[0][0][1:]
    return tokens, spans


def sentences(seed, domain, count):
    source = Source(seed)
    return [sentence(source, domain) for _ in range(count)]


def conll(made, columns, domain):
    lines = []
    for number, (tokens, _) in enumerate(made):
        if number % 6 == 0:
            lines += [f"# doc = {domain}/{number // 6}", ""]
        lines += ["\t".join(token[c] for c in columns) for token in tokens] + [""]
    return lines


def conllu(made):
    lines = []
    for number, (tokens, _) in enumerate(made):
        lines.append(f"# sent_id = {number + 1}")
        lines += [f"{place + 1}\t{token[0]}\t_\t{token[1]}\t{token[1][:2]}\t_\t_\t_\t_\t_"
                  for place, token in enumerate(tokens)] + [""]
    return lines


def span_lines(made, domain):
    lines = []
    for number, (tokens, spans) in enumerate(made):
        for first, last, kind in spans:
            lines.append(json.dumps({
                "id": f"{domain}-{number}.{first}", "doc": f"{domain}-d{number // 4}",
                "tokens": [t[0] for t in tokens], "pos": [t[1] for t in tokens],
                "start": first, "end": last, "label": kind}, ensure_ascii=False))
    return lines


def cased(made, seed):
    """Text in its true case; some words are in mixed case or all capitals."""
    source = Source(seed)
    lines = []
    for tokens, _ in made:
        words = [token[0] for token in tokens]
        words = [source.pick(["NATO", "McKay", "eBay", word]) if token[1] == "PROPN" else word
                 for word, token in zip(words, tokens)]
        lines.append(" ".join(words))
    return lines


def make_data(folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def write(name, lines):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")

    write("books.txt", feature_lines(Source(1), "books", 48))
    write("phones.txt", feature_lines(Source(2), "phones", 24))
    write("phones.test.txt", feature_lines(Source(3), "phones", 12, ["charger", "sturdy", "plot"]))
    for seed, domain, rows in ((4, "books", 30), (5, "films", 24), (6, "phones", 18)):
        write(f"three.{domain}.jsonl", json_rows(Source(seed), domain, rows))
    write("three.test.jsonl", json_rows(Source(7), "phones", 10))

    books, phones = value_lines(Source(8), 0, 40), value_lines(Source(9), 0.6, 24)
    test = value_lines(Source(10), 0.6, 10)
    for name, rows in (("books", books), ("phones", phones), ("test", test)):
        write(f"values.{name}.txt", megam_fvals(rows))
        write(f"values.{name}.libsvm", libsvm(rows))

    write("text.books.csv", table(Source(11), "books", 30))
    write("text.phones.csv", table(Source(12), "phones", 20))
    write("text.test.csv", table(Source(13), "phones", 10))

    stars = {"good": ["5-stars", "4-stars"], "bad": ["1-star"]}
    source = Source(14)
    write("stars.txt", [f"{source.pick(stars[line.split(chr(9))[0]])}\t{line.split(chr(9))[1]}"
                        for line in feature_lines(Source(15), "books", 30)]
          + ["3-stars\tthe plot was fine"])
    write("stars.map", ["# books have stars, phones have words", "books\t5-stars\tgood",
                        "books\t4-stars\tgood", "books\t1-star\tbad", "3-stars\t-"])

    news, mail = sentences(20, "news", 24), sentences(21, "mail", 12)
    letters = sentences(22, "mail", 5)
    for name, made in (("news", news), ("mail", mail), ("test", letters)):
        write(f"pos.{name}.conll", conll(made, (0, 1), name))
        write(f"pos.{name}.conllu", conllu(made))
        write(f"mention.{name}.conll", conll(made, (0, 1, 2), name))
        write(f"chunk.{name}.conll", conll(made, (0, 1, 3), name))
        write(f"types.{name}.jsonl", span_lines(made, name))
        write(f"case.{name}.txt", cased(made, 23))
    write("case.lower.txt", [line.lower() for line in cased(letters, 23)]
          + ["mckay sent nato the ebay file ."])
    write("small.templates", ["# few features, so that models stay small", "lower suf2",
                              "lower[-1] tag[-1]"])
    write("cities.txt", ["Berlin", "Delhi", "Delhi House"])


if __name__ == "__main__":
    make_data(Path(__file__).parent / "data")

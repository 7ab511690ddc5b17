"""Part-of-speech tagging against OpenNLP's maximum entropy tagger, on ../shared/data/pos."""
import gzip
import json

from data import ROOT
from harness import Contender, interleave, note, run

MEGADAPT = ROOT / "build" / "release" / "megadapt"
DATA = ROOT.parent / "shared" / "data" / "pos"
# OpenNLP takes minutes to train.
OPENNLP_REPEATS = 2
# Enough text that starting a program counts for little.
COPIES = 20


def sentences(name):
    """The sentences of a file, each a list of (word, tag)."""
    sentence = []
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        for line in lines:
            if "\t" in line:
                sentence.append(tuple(line.rstrip("\n").split("\t")))
            elif sentence:
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def write_inputs(work):
    """What OpenNLP reads: word_TAG to train on, words to tag; and our test file."""
    with open(work / "pos.train.txt", "w", encoding="utf-8") as out:
        for name in "out.train.conll.gz", "in.train.conll.gz":
            for sentence in sentences(name):
                out.write(" ".join(f"{word}_{tag}" for word, tag in sentence) + "\n")
    test = list(sentences("in.test.conll.gz"))
    with open(work / "pos.test.txt", "w", encoding="utf-8") as words, \
            open(work / "pos.test.conll", "w", encoding="utf-8") as columns:
        for sentence in test * COPIES:
            words.write(" ".join(word for word, _ in sentence) + "\n")
            columns.write("".join(f"{word}\n" for word, _ in sentence) + "\n")
    return test


def accuracy(test, tags):
    gold = [tag for sentence in test for _, tag in sentence]
    return sum(a == b for a, b in zip(gold, tags, strict=True)) / len(gold)


def tag(work, args):
    """Trains mix and OpenNLP on both domains, tags the test set's words many times."""
    if not DATA.exists():
        note(f"  skipped: {DATA} is not there")
        return {}
    test = write_inputs(work)

    def training(system, model):
        return [MEGADAPT, "train", "--task", "pos", "--system", system, "--quiet", "--threads", 1,
                "--domain", f"out={DATA / 'out.train.conll.gz'}",
                "--domain", f"in={DATA / 'in.train.conll.gz'}", "--target", "in", "-o", work / model]

    train_ours = Contender("train, megadapt", training("mix", "pos.mega"))
    train_opennlp = Contender(
        "train, opennlp",
        ["opennlp", "POSTaggerTrainer", "-lang", "en", "-encoding", "UTF-8", "-model",
         work / "pos.opennlp", "-data", work / "pos.train.txt"], repeats=OPENNLP_REPEATS)
    interleave([train_ours, train_opennlp], args.repeats)
    run(training("megam", "pos.megam.mega"))
    tag_ours = Contender("tag, megadapt",
                         [MEGADAPT, "tag", work / "pos.mega", work / "pos.test.conll",
                          "--columns", "token", "--threads", 1],
                         stdout=str(work / "pos.ours"))
    tag_megam = Contender("tag, megadapt megam",
                          [MEGADAPT, "tag", work / "pos.megam.mega", work / "pos.test.conll",
                           "--columns", "token", "--threads", 1],
                          stdout=str(work / "pos.ours.megam"))
    tag_opennlp = Contender(
        "tag, opennlp",
        ["sh", "-c", f"opennlp POSTagger '{work / 'pos.opennlp'}' < '{work / 'pos.test.txt'}'"],
        stdout=str(work / "pos.opennlp.out"))
    contenders = [train_ours, train_opennlp, tag_ours, tag_megam, tag_opennlp]
    interleave(contenders[2:], args.repeats)

    tokens = COPIES * sum(map(len, test))
    result = {"tokens": tokens}
    for contender in contenders:
        result[contender.name] = contender.summary()
    count = tokens // COPIES
    with open(work / "pos.ours", encoding="utf-8") as lines:
        ours = [line.rsplit(maxsplit=1)[-1] for line in lines if line.strip()][:count]
    with open(work / "pos.opennlp.out", encoding="utf-8") as lines:
        theirs = [word.rsplit("_", 1)[1] for line in lines for word in line.split()
                  if "_" in word][:count]
    result["tag, megadapt"]["accuracy"] = accuracy(test, ours)
    result["tag, opennlp"]["accuracy"] = accuracy(test, theirs)
    note("  " + json.dumps({name: round(entry["accuracy"], 4) for name, entry in result.items()
                            if isinstance(entry, dict) and "accuracy" in entry}))
    return result

"""Part-of-speech tagging compared with OpenNLP's maximum entropy tagger, on ../shared/data/pos."""
import gzip
import json

from data import ROOT
from harness import Contender, interleave, note, run

MEGADAPT = ROOT / "build" / "release" / "megadapt"
DATA = ROOT.parent / "shared" / "data" / "pos"
# Only two repeats, because OpenNLP takes 20 seconds to train.
OPENNLP_REPEATS = 2
# Enough text that the time to start a program hardly matters.
COPIES = 20
# OpenNLP drops features that occur less than 5 times and stops after 100 iterations,
# converged or not. We use the same threshold, and the smallest number of passes with which
# every tenth training sentence, held out, is tagged within a quarter point of what these
# features reach at the optimum. L-BFGS comes near the optimum before Newton's method does;
# Newton's method is the first to reach it.
ROUGHLY = ["--min-count", 5, "--optimizer", "lbfgs"]
PASSES = 10, 20, 40, 80, 160
NEAR = 0.0025


def sentences(name):
    """Yields the sentences of a file, each a list of (word, tag)."""
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
    """Writes OpenNLP's inputs (word_TAG to train on, words to tag) and our test file."""
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


def training(system, model, *options, out=DATA / "out.train.conll.gz",
             target=DATA / "in.train.conll.gz"):
    return [MEGADAPT, "train", "--task", "pos", "--system", system, "--quiet", *options,
            "--domain", f"out={out}", "--domain", f"in={target}", "--target", "in", "-o", model]


def enough_passes(work):
    """Returns how many passes training needs, without looking at the test set."""
    parts = {}
    with open(work / "pos.held.conll", "w", encoding="utf-8") as held:
        for name in "out", "in":
            parts[name] = work / f"pos.{name}.conll"
            with open(parts[name], "w", encoding="utf-8") as part:
                for i, sentence in enumerate(sentences(f"{name}.train.conll.gz")):
                    columns = "".join(f"{word}\t{tag}\n" for word, tag in sentence)
                    (held if i % 10 == 9 else part).write(columns + "\n")

    def held_out(*options):
        model = work / "pos.part.mega"
        run(training("mix", model, *ROUGHLY, *options, out=parts["out"], target=parts["in"]))
        return json.loads(run([MEGADAPT, "eval", model, work / "pos.held.conll", "--json"])
                          ["output"])["accuracy"]

    full = held_out()
    for passes in PASSES:
        found = held_out("--max-passes", passes)
        note(f"  {passes} passes: {found:.4f} of held-out training tokens, in full {full:.4f}")
        if found >= full - NEAR:
            return passes
    note("  WARNING: no number of passes is enough")
    return passes


def tag(work, args):
    """Trains mix and OpenNLP on both domains, then tags many copies of the test set's words."""
    if not DATA.exists():
        note(f"  skipped: {DATA} is not there")
        return {}
    test = write_inputs(work)
    roughly = [*ROUGHLY, "--max-passes", enough_passes(work)]
    train_ours = Contender("train, megadapt", training("mix", work / "pos.mega"))
    train_rough = Contender("train, megadapt, roughly",
                            training("mix", work / "pos.rough.mega", *roughly))
    train_opennlp = Contender(
        "train, opennlp",
        ["opennlp", "POSTaggerTrainer", "-lang", "en", "-encoding", "UTF-8", "-model",
         work / "pos.opennlp", "-data", work / "pos.train.txt"], repeats=OPENNLP_REPEATS)
    trainers = [train_ours, train_rough, train_opennlp]
    interleave(trainers, args.repeats)
    run(training("megam", work / "pos.megam.mega"))

    def tagging(name, model, output, *options):
        return Contender(name, [MEGADAPT, "tag", work / model, work / "pos.test.conll",
                                "--columns", "token", *options], stdout=str(work / output))

    taggers = [
        tagging("tag, megadapt", "pos.mega", "pos.ours"),
        tagging("tag, megadapt, 1 thread", "pos.mega", "pos.ours.1", "--threads", 1),
        tagging("tag, megadapt megam, 1 thread", "pos.megam.mega", "pos.ours.megam", "--threads", 1),
        Contender("tag, opennlp",
                  ["sh", "-c",
                   f"opennlp POSTagger '{work / 'pos.opennlp'}' < '{work / 'pos.test.txt'}'"],
                  stdout=str(work / "pos.opennlp.out")),
    ]
    interleave(taggers, args.repeats)
    interleave([tagging("tag, rough", "pos.rough.mega", "pos.rough")], 1)

    tokens = COPIES * sum(map(len, test))
    result = {"tokens": tokens, "roughly": " ".join(map(str, roughly))}
    for contender in [*trainers, *taggers]:
        result[contender.name] = contender.summary()
    count = tokens // COPIES

    def our_tags(name):
        with open(work / name, encoding="utf-8") as lines:
            return [line.rsplit(maxsplit=1)[-1] for line in lines if line.strip()][:count]

    with open(work / "pos.opennlp.out", encoding="utf-8") as lines:
        theirs = [word.rsplit("_", 1)[1] for line in lines for word in line.split()
                  if "_" in word][:count]
    ours, rough, peer = (trainer.name for trainer in trainers)
    result[ours]["accuracy"] = accuracy(test, our_tags("pos.ours"))
    result[rough]["accuracy"] = accuracy(test, our_tags("pos.rough"))
    result[peer]["accuracy"] = accuracy(test, theirs)
    note("  " + json.dumps({name: round(entry["accuracy"], 4) for name, entry in result.items()
                            if isinstance(entry, dict) and "accuracy" in entry}))
    return result

"""The benchmark's data sets, generated once and kept under build/bench-data."""
import pathlib
import shutil

from harness import note, run

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Name: (training rows, test rows). Each set has 200k features, 25 per row, and 6 classes.
SETS = {
    "100k": (100_000, 20_000),
    "1m": (1_000_000, 1_000),
    "1m-test": (100_000, 1_000_000),
}
SHAPE = ["--features", 200_000, "--active", 25, "--classes", 6, "--seed", 1]


def generator():
    """Returns the generator beside the project if there is one, otherwise our own."""
    beside = ROOT.parent / "shared" / "bench" / "gen.py"
    return beside if beside.exists() else ROOT / "bench" / "gen.py"


def data_set(name):
    """Returns the folder with train and test as .text and .libsvm."""
    program = generator()
    own = program.parent == ROOT / "bench"
    folder = ROOT / "build" / "bench-data" / f"{name}{'-own' if own else ''}"
    complete = folder / "complete"
    if complete.exists():
        return folder
    note(f"generating {folder.relative_to(ROOT)}")
    shutil.rmtree(folder, ignore_errors=True)
    rows, test = SETS[name]
    run(["/usr/bin/python3", program, "synth", "--out", folder, "--n", rows, "--test", test,
         *SHAPE])
    if not own:
        run(["/usr/bin/python3", program, "formats", "--out", folder, "--only", "text,libsvm"])
    complete.touch()
    return folder


def fasttext_file(source):
    """Returns a file with the same rows in fastText's format."""
    target = source.with_suffix(".fasttext")
    if not target.exists():
        with open(source) as lines, open(target, "w") as out:
            out.writelines("__label__" + line for line in lines)
    return target


def two_domains():
    """Returns a folder with out.train and in.train as .text, 95% and 5% of 100k rows, and both
    as union.libsvm. Our own generator has one domain, so its rows are dealt out."""
    program = generator()
    own = program.parent == ROOT / "bench"
    folder = ROOT / "build" / "bench-data" / f"adapt{'-own' if own else ''}"
    complete = folder / "complete"
    if complete.exists():
        return folder
    note(f"generating {folder.relative_to(ROOT)}")
    shutil.rmtree(folder, ignore_errors=True)
    if own:
        folder.mkdir(parents=True)
        lines = (data_set("100k") / "train.text").read_text().splitlines(keepends=True)
        (folder / "out.train.text").write_text("".join(lines[5_000:]))
        (folder / "in.train.text").write_text("".join(lines[:5_000]))
        shutil.copy(data_set("100k") / "train.libsvm", folder / "union.libsvm")
    else:
        run(["/usr/bin/python3", program, "adapt", "--out", folder, "--n", 100_000, "--test",
             20_000, *SHAPE])
        run(["/usr/bin/python3", program, "formats", "--out", folder, "--only", "text,libsvm"])
        with open(folder / "union.libsvm", "wb") as union:
            for part in "out", "in":
                union.write((folder / f"{part}.train.libsvm").read_bytes())
    complete.touch()
    return folder

"""Makes the gallery: reports that the program writes about Debian's packages."""
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]

DATA = ["--domain", "all=programs.csv", "--target", "commandline", "--test", "test.csv"]

# The file, its title, what it shows, and the command that makes it.
REPORTS = [
    ("compare.html", "Which system?",
     "The verdict of `compare`: systems, their errors, and why each row got its label.",
     ["compare", *DATA, "--systems", "onlyo,onlyi,mix,prior,pool"]),
    ("curve.html", "Would more labels help?",
     "Learning curves of `curve`: accuracy for growing numbers of labelled command line tools.",
     ["curve", *DATA, "--systems", "onlyi,mix,prior", "--sizes", "25,50,100", "--repeats", "3",
      "--tune", "none"]),
]


def make_reports(program, folder):
    """Writes the reports that are missing or older than the program."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "test.csv").exists():
        subprocess.run(["/usr/bin/python3", "-B", ROOT / "scripts/demo_packages.py", folder],
                       check=True)
    for name, _, _, command in REPORTS:
        page = folder / name
        if not page.exists() or page.stat().st_mtime < program.stat().st_mtime:
            subprocess.run([program, *command, "--quiet", "--report", name], cwd=folder, check=True,
                           stdout=subprocess.DEVNULL)


def make_gallery(program, folder, source):
    """Writes gallery.md and the reports it shows."""
    make_reports(program, folder)
    (source / "gallery/reports").mkdir(parents=True)
    text = ("# Gallery of reports\n\nThese pages are live: open one, click on rows and systems. "
            "They are made when this site is built, from the same rows as `scripts/demo`: what is "
            "a command line tool about, learnt from few of them and many graphical programs? "
            "[How to read a report](docs/report.md).\n")
    for name, title, what, command in REPORTS:
        shutil.copyfile(folder / name, source / "gallery/reports" / name)
        shown = " ".join(["megadapt", *command, "--report", name]).replace(
            " --systems", " \\\n    --systems")
        text += (f"\n## {title}\n\n{what}\n\n```none\n{shown}\n```\n\n"
                 f'<p><a href="reports/{name}">Open the report</a></p>\n'
                 f'<div class="report"><iframe src="reports/{name}" title="{title}" '
                 'loading="lazy"></iframe></div>\n')
    (source / "gallery.md").write_text(text, encoding="utf-8")

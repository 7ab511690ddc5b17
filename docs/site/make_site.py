"""Collects the pages of the site and builds it: make_site.py OUTPUT [--strict]

Pages keep their places of the repository (README.md, docs/, bench/), so their links hold. The
reference is made from the program's manual pages, the docstrings and the public headers; the
gallery by the program itself. --strict makes every warning of Sphinx an error.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
from xml.etree import ElementTree

sys.dont_write_bytecode = True
import mdoc  # noqa: E402
from gallery import make_gallery  # noqa: E402
from notebooks import notebook_pages  # noqa: E402

SITE = pathlib.Path(__file__).resolve().parent
ROOT = SITE.parents[1]
RELEASE = ROOT / "build/release"
SHARED = pathlib.Path("/usr/share/javascript")  # of Debian's libjs packages

LINK = re.compile(r"(\]\()([^)#\s:]+)((?:#[^)\s]*)?\))")


def pages():
    """Returns the Markdown pages of the repository that the site shows."""
    top = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "bench/README.md"]
    return [*(ROOT / name for name in top), *sorted((ROOT / "docs").glob("*.md"))]


def target_of(page, link):
    """Returns where a link of a page leads in the site, as a path from the site's root."""
    path = pathlib.Path(os.path.normpath(page.parent / link)).relative_to(ROOT)
    if path == pathlib.Path("include/megadapt"):
        return "reference/cpp/index.rst"
    if path.parts[0] == "include":
        return f"reference/cpp/{path.stem}.rst"
    if path == pathlib.Path("examples"):
        return "examples/index.md"
    return str(path)


def staged_text(page, source):
    """Returns a page as Sphinx reads it, and copies the files that it links to."""
    def redirect(match):
        target = target_of(page, match[2])
        file = ROOT / target
        if file.is_file() and file.suffix not in (".md", ".ipynb"):
            (source / target).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, source / target)
        link = os.path.relpath(target, page.parent.relative_to(ROOT))
        return match[1] + link + match[3]

    text = page.read_text(encoding="utf-8").replace("```math\n", "```{math}\n")
    return LINK.sub(redirect, text)


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def toctree(entries):
    return "\n```{toctree}\n:maxdepth: 1\n:hidden:\n\n" + "\n".join(entries) + "\n```\n"


def command_pages(folder):
    """Writes a page for each command, with all of its options."""
    manual = RELEASE / "share/man/man1"
    rows, names = [], []
    for page in sorted(manual.glob("megadapt-*.1")):
        text = page.read_text(encoding="utf-8")
        name = page.stem.removeprefix("megadapt-")
        names.append(name)
        rows.append(f"| [{name}]({name}.md) | {mdoc.purpose(text)} |")
        write(folder / f"{name}.md", f"# megadapt {name}\n\n{mdoc.markdown(text)}")
    if not names:
        sys.exit(f"error: there are no manual pages in {manual}\nfix: scripts/build release")
    main = mdoc.markdown((manual / "megadapt.1").read_text(encoding="utf-8"),
                         ("NAME", "SYNOPSIS", "COMMANDS", "SEE ALSO"))
    write(folder / "index.md", "# Commands and options\n\n| command | what it does |\n| --- | --- |\n"
          + "\n".join(rows) + "\n" + main + toctree(names))


def python_page(path):
    """Writes the page of the Python package; autodoc fills it."""
    write(path, "Python API\n==========\n\n:doc:`/docs/python` introduces the package.\n\n"
          ".. automodule:: megadapt\n   :members:\n   :imported-members:\n"
          "   :inherited-members: BaseEstimator, ClassifierMixin, TransformerMixin, dict\n"
          "   :exclude-members: __version__\n")


def drop_private(xml):
    """Removes from Doxygen's files what users of a class cannot call."""
    for path in xml.glob("*.xml"):
        tree = ElementTree.parse(path)
        for compound in tree.iter("compounddef"):
            for section in compound.findall("sectiondef"):
                if section.get("kind").startswith(("private", "protected")):
                    compound.remove(section)
        tree.write(path, encoding="utf-8", xml_declaration=True)


def cpp_pages(folder, xml):
    """Writes a page for each public header; Doxygen reads them and Breathe shows it."""
    settings = {
        "INPUT": ROOT / "include/megadapt", "OUTPUT_DIRECTORY": xml.parent, "XML_OUTPUT": xml.name,
        "GENERATE_XML": "YES", "GENERATE_HTML": "NO", "GENERATE_LATEX": "NO", "EXTRACT_ALL": "YES",
        "QUIET": "YES", "WARNINGS": "NO", "STRIP_FROM_PATH": ROOT,
        "STRIP_FROM_INC_PATH": ROOT / "include", "XML_PROGRAMLISTING": "NO",
    }
    xml.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["doxygen", "-"], check=True, text=True,
                   input="\n".join(f'{name} = "{value}"' for name, value in settings.items()))
    drop_private(xml)
    names = [header.stem for header in sorted((ROOT / "include/megadapt").glob("*.hpp"))]
    for name in names:
        title = f"megadapt/{name}.hpp"
        write(folder / f"{name}.rst",
              f"{title}\n{'=' * len(title)}\n\n.. doxygenfile:: {name}.hpp\n")
    write(folder / "index.rst", "C++ API\n=======\n\n"
          "The public headers of the library. Start with :doc:`systems`, which trains a model, and\n"
          ":doc:`classifier`, which uses one. Every name is in the namespace ``megadapt``.\n\n"
          ".. toctree::\n   :maxdepth: 1\n\n   " + "\n   ".join(names) + "\n")


def collect(source, work):
    """Writes all pages below `source`."""
    for page in pages():
        write(source / page.relative_to(ROOT), staged_text(page, source))
    shutil.copyfile(SITE / "index.md", source / "index.md")
    (source / "_static").mkdir(exist_ok=True)
    shutil.copyfile(SITE / "site.css", source / "_static/site.css")
    command_pages(source / "reference/commands")
    python_page(source / "reference/python.rst")
    cpp_pages(source / "reference/cpp", work / "doxygen/xml")
    make_gallery(RELEASE / "megadapt", work / "gallery", source)
    notebook_pages(work / "notebooks", source / "examples")


def repair_theme(output):
    """Makes Debian's furo work without a web server.

    Its style sheet imports another one from the root of a server, and its script is a module,
    which browsers do not load from files: without it there is no dark mode.
    """
    for sheet in output.glob("_static/styles/*.css"):
        text = re.sub(r"@import url\(/javascript/([^)]*)\);",
                      lambda match: (SHARED / match[1]).read_text(encoding="utf-8"),
                      sheet.read_text(encoding="utf-8"))
        sheet.write_text(text, encoding="utf-8")
    script = output / "_static/scripts/furo.js"
    subprocess.run(["esbuild", script, "--bundle", "--format=iife", "--log-level=warning",
                    f"--outfile={script}", "--allow-overwrite"], check=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--strict", action="store_true")
    args = parser.parse_args()
    work = args.output.resolve().parent
    source = work / "source"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(args.output, ignore_errors=True)
    collect(source, work)
    environment = dict(os.environ, MEGADAPT_SITE=str(work), PYTHONPATH=str(RELEASE / "python"), PYTHONDONTWRITEBYTECODE="1")
    strict = ["-W", "--keep-going"] if args.strict else []
    subprocess.run(["/usr/bin/python3", "-m", "sphinx", "-q", "-b", "html", *strict, "-c", str(SITE),
                    "-d", str(work / "doctrees"), str(source), str(args.output)],
                   check=True, env=environment)
    repair_theme(args.output)


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as failure:
        sys.exit(f"error: {failure.cmd[0]} failed with code {failure.returncode}")

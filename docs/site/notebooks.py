"""Runs the notebooks of examples/ and turns them into pages of the site."""
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def title_of(page):
    return next(line[2:].strip() for line in page.read_text(encoding="utf-8").splitlines()
                if line.startswith("# "))


def run_notebook(notebook, folder):
    """Executes a notebook from its beginning; a cell that fails ends the build."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT / "build/release/python"),
                       PYTHONDONTWRITEBYTECODE="1", JUPYTER_PLATFORM_DIRS="1",
                       PYDEVD_DISABLE_FILE_VALIDATION="1",  # else each kernel warns twice
                       PATH=f"{ROOT / 'build/release'}:{os.environ['PATH']}")
    subprocess.run(["/usr/bin/python3", "-m", "nbconvert", "--log-level", "WARN", "--execute",
                    "--to", "markdown", "--output-dir", folder, notebook],
                   check=True, env=environment, cwd=ROOT / "examples")


def notebook_pages(folder, target):
    """Writes a page for each notebook of examples/ and an index of all."""
    shutil.rmtree(folder, ignore_errors=True)
    target.mkdir(parents=True, exist_ok=True)
    names, rows = [], []
    for notebook in sorted((ROOT / "examples").glob("*.ipynb")):
        run_notebook(notebook, folder)
        shutil.copyfile(notebook, target / notebook.name)
        rows.append(f"- [{title_of(folder / (notebook.stem + '.md'))}]({notebook.stem}.md)")
        names.append(notebook.stem)
    if folder.exists():
        shutil.copytree(folder, target, dirs_exist_ok=True)
    text = ("# Notebooks and examples\n\nThe notebooks ran when this site was built.\n\n"
            + "\n".join(rows) + "\n\n## Programs\n\n")
    for program in sorted((ROOT / "examples").glob("*.py")):
        shutil.copyfile(program, target / program.name)
        text += f"- [{program.name}]({program.name})\n"
    text += "\n```{toctree}\n:hidden:\n:maxdepth: 1\n\n" + "\n".join(names) + "\n```\n"
    (target / "index.md").write_text(text, encoding="utf-8")

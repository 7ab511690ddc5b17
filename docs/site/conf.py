"""Sphinx's settings for the site that scripts/docs builds. make_site.py collects its pages."""
import logging
import os
import re
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

ROOT = Path(__file__).resolve().parents[2]
WORK = Path(os.environ["MEGADAPT_SITE"])  # make_site.py fills its folders source and doxygen

project = "megadapt"
release = re.search(r"project\(megadapt VERSION ([0-9.]+)",
                    (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
html_title = f"megadapt {release}"
html_theme = "furo"  # light and dark
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_extra_path = [str(WORK / "source/gallery")]
html_static_path = [str(WORK / "source/_static")]
html_css_files = ["site.css"]
pygments_style = "friendly"
pygments_dark_style = "monokai"
highlight_language = "none"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "breathe"]
exclude_patterns = ["gallery"]
myst_heading_anchors = 4
myst_enable_extensions = ["deflist"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings name the types
autodoc_inherit_docstrings = False
napoleon_google_docstring = False
napoleon_use_rtype = False

breathe_projects = {"megadapt": str(WORK / "doxygen/xml")}
breathe_default_project = "megadapt"
breathe_domain_by_extension = {"hpp": "cpp"}


def visit_math(writer, node):
    """Writes LaTeX as MathML, which browsers show without a script or a font of ours."""
    block = isinstance(node, nodes.math_block)
    # Docutils aligns rows that are separated by a double backslash, and knows no `aligned`.
    text = re.sub(r"\\(begin|end)\{aligned\}", "", node.astext())
    text = text.replace(r"\log ", r"\log\, ")  # else it sticks to what follows
    formula = tex2mathml(text, inline=not block)
    writer.body.append(f'<div class="formula">{formula}</div>' if block else formula)
    raise nodes.SkipNode


def is_of_interest(record):
    """Every header opens the namespace, which Sphinx takes for a second declaration."""
    return "cpp:type:: megadapt'" not in record.getMessage()


def setup(app):
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math, None))
    logging.getLogger("sphinx.sphinx.domains.cpp").addFilter(is_of_interest)


html_math_renderer = "mathml"

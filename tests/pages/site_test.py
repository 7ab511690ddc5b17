"""Tests what the documentation site is made with: manual pages as Markdown, links of pages, and
the checker of links."""
import ast
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import check_links  # noqa: E402
import make_site  # noqa: E402
import mdoc  # noqa: E402

MANUAL = r""".Dd $Mdocdate$
.Sh NAME
.Nm megadapt\-train
.Nd Train a model
.Sh OPTIONS
.Ss Input
.Bl -tag -width Ds
.It Sy "\-\-variance" Ar "V"
Prior of a_b, \- for none (default:
1)
.El
.Sh EXAMPLES
.Bd -literal -compact
  megadapt train \-o a_b.mega
.Ed
"""


class Manual(unittest.TestCase):
    def test_options_become_a_list_of_definitions(self):
        text = mdoc.markdown(MANUAL)
        self.assertIn("### Input\n", text)
        self.assertIn("`--variance V`\n: Prior of a\\_b, - for none (default: 1)\n", text)
        self.assertIn("```none\n  megadapt train -o a_b.mega\n```", text)
        self.assertNotIn("Train a model", text)

    def test_purpose(self):
        self.assertEqual(mdoc.purpose(MANUAL), "Train a model")

    def test_refuses_what_it_does_not_know(self):
        with self.assertRaisesRegex(ValueError, ".Xx is not known"):
            mdoc.markdown(".Sh OPTIONS\n.Xx y\n")


class Docstrings(unittest.TestCase):
    def test_code_stays_indented(self):
        """Where every line but the first is indented, the indent is taken off, also that of code."""
        examples = 0
        for path in sorted((ROOT / "python/megadapt").glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
                    continue
                for after in re.findall(r"::\n\n(.*)", ast.get_docstring(node) or ""):
                    examples += 1
                    self.assertTrue(after.startswith(" "), f"{path.name}: {after}")
        self.assertGreater(examples, 0)


class Links(unittest.TestCase):
    def test_headers_lead_to_their_page(self):
        page = ROOT / "docs/compare.md"
        self.assertEqual(make_site.target_of(page, "../include/megadapt/model.hpp"),
                         "reference/cpp/model.rst")
        self.assertEqual(make_site.target_of(page, "explain.md"), "docs/explain.md")

    def problems(self, **pages):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in pages.items():
                pathlib.Path(folder, name + ".html").write_text(text, encoding="utf-8")
            return list(check_links.Site(pathlib.Path(folder).resolve()).problems())

    def test_good_links(self):
        self.assertEqual(self.problems(a='<a href="b.html#x">b</a><a href="#">top</a>',
                                       b='<p id="x"><a href="https://example.org">out</a>'), [])

    def test_scripts_and_styles(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder).resolve()
            (place / "a.css").write_text("@import url(/lib/b.css); p { background: url(data:x) }")
            (place / "a.js").write_text('import X from "./x.js";\n')
            self.assertEqual(list(check_links.Site(place).problems()),
                             ["a.css: /lib/b.css: there is no such file", "a.js: is a module"])

    def test_broken_links(self):
        found = self.problems(a='<a href="c.html">c</a><a href="b.html#y">y</a>'
                              '<script src="https://example.org/x.js"></script>', b="<p>")
        self.assertEqual(found, ["a.html: https://example.org/x.js: is loaded from another host",
                                 "a.html: c.html: there is no such file",
                                 "a.html: b.html#y: the page has no such anchor"])


if __name__ == "__main__":
    unittest.main(verbosity=2)

"""Writes measured figures into a page of docs/, between two marks."""

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def write_figures(page, text):
    """Replaces the text between the marks of `page`, a pathlib.Path, by `text`."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    page.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")

"""Results that notebooks show as tables: explanations, comparisons, learning curves."""
from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any

_SHOWN = 12  # features of an explanation


def _bar(value: float, largest: float) -> str:
    """Returns a cell with a bar to the left for a negative value, to the right for others."""
    width = 0 if largest == 0 else round(100 * abs(value) / largest)
    colour, side = ("#2b6cb0", "left") if value >= 0 else ("#c05621", "right")
    return (f'<td style="width:120px;text-align:{side}"><div style="display:inline-block;'
            f'height:0.8em;width:{width}px;background:{colour}"></div></td>')


def _terms(part: dict[str, Any], title: str) -> str:
    terms = part.get("contributions", [])
    largest = max((abs(term["contribution"]) for term in terms), default=0)
    rows = "".join(
        f'<tr><td style="text-align:left">{escape(term["feature"])}</td>'
        f'<td>{term["contribution"]:+.3f}</td>{_bar(term["contribution"], largest)}</tr>'
        for term in terms[:_SHOWN])
    more = len(terms) - _SHOWN + part.get("omitted", {}).get("features", 0)
    rest = f"<tr><td>and {more} more</td></tr>" if more > 0 else ""
    return f"<p>{escape(title)}</p><table>{rows}{rest}</table>"


class Explanation(dict):
    """Why a row has its label: a dict, which notebooks show as a table of features."""

    def _repr_html_(self) -> str:
        model = self["model"]
        parts = [f'<b>{escape(str(self["label"]))}</b> with probability '
                 f'{self["probability"]:.3f}, against {escape(str(self["against"]))}: log-odds '
                 f'{model["log_odds"]:+.3f}']
        if not model.get("components"):
            parts.append(_terms(model, "what each feature adds"))
        for part in model.get("components", []):
            parts.append(_terms(part, f'{part["name"]}, weight {part["weight"]:.3f}'))
        if "gate" in model:
            parts.append(_terms(model["gate"], f'P(general) {model["gate"]["general"]:.3f}'))
        return "".join(parts)


def _paragraphs(lines: Any) -> str:
    return "".join(f"<p>{escape(str(line))}</p>" for line in lines if line)


@lru_cache(maxsize=None)
def frames() -> tuple[type, type]:
    """Returns the classes Comparison and Curve, which are pandas data frames."""
    import pandas

    class Comparison(pandas.DataFrame):
        """A row per system; notebooks show the verdict above it."""

        def _repr_html_(self) -> str:
            head = _paragraphs([self.attrs.get("verdict")])
            table = pandas.DataFrame(self)
            if "tuned" in table:
                table = table.assign(tuned=[
                    ", ".join(f"{name}={value}" for name, value in tuned.items())
                    for tuned in table["tuned"]])
            return head + table.to_html(float_format="{:.4f}".format, index=False) + _paragraphs(
                self.attrs.get("evidence", []))

    class Curve(pandas.DataFrame):
        """A row per system and number of target rows; notebooks show the verdict above it."""

        def _repr_html_(self) -> str:
            head = _paragraphs([self.attrs.get("verdict")])
            return head + pandas.DataFrame(self).to_html(float_format="{:.4f}".format, index=False)

    return Comparison, Curve

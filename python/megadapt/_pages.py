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


def _table(head: list[str], rows: Any) -> str:
    """Returns an HTML table of texts; numbers are formatted as elsewhere."""
    def cell(value: Any) -> str:
        return f"{value:.4f}" if isinstance(value, float) else escape(str(value))

    names = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{cell(value)}</td>" for value in row) + "</tr>"
                   for row in rows)
    return f"<table><tr>{names}</tr>{body}</table>"


class ModelDiff(dict):
    """What `diff` returns: a dict, which notebooks show as tables."""

    def _repr_html_(self) -> str:
        before, after = self["accuracy"]
        head = (f'{self["rows"]} rows: {100 * before:.1f}% right before, {100 * after:.1f}% after; '
                f'won {self["won"]}, lost {self["lost"]}, p = {self["p"]:.3g}')
        features = _table(["feature", "change"], [(one["name"], one["change"])
                                                  for one in self["features"][:_SHOWN]])
        rows = [(kind, one["row"], one["label"], one["before"], one["after"])
                for kind in ("lost", "won") for one in self[f"{kind}_rows"][:_SHOWN]]
        return (_paragraphs([head]) + features
                + _table(["", "row", "label", "before", "after"], rows))


class Relatedness(dict):
    """What `relate` returns: a dict, which notebooks show as tables."""

    def _repr_html_(self) -> str:
        shown = [{"domain": name, **{key: value for key, value in domain.items()
                                     if isinstance(value, (str, int, float))}}
                 for name, domain in self["domains"].items()]
        head = list(shown[0]) if shown else []
        tables = [_table(head, [[domain.get(name, "") for name in head] for domain in shown])]
        for part in self["separators"]:
            names = [str(value) for value in part.values() if isinstance(value, str)]
            tables.append(_paragraphs([" / ".join(names)]))
            terms = part["features"][:_SHOWN]
            columns = list(terms[0]) if terms else []
            tables.append(_table(columns, [list(term.values()) for term in terms]))
        return "".join(tables)


def _paragraphs(lines: Any) -> str:
    return "".join(f"<p>{escape(str(line))}</p>" for line in lines if line)


def _conclusions(attrs: Any) -> tuple[str, str]:
    return _paragraphs([attrs.get("verdict")]), _paragraphs(attrs.get("evidence", []))


@lru_cache(maxsize=None)
def frames() -> tuple[type, type]:
    """Returns the classes Comparison and Curve, which are pandas data frames."""
    import pandas

    class Comparison(pandas.DataFrame):
        """A row per system; notebooks show the verdict above it."""

        def _repr_html_(self) -> str:
            head, evidence = _conclusions(self.attrs)
            table = pandas.DataFrame(self)
            if "tuned" in table:
                table = table.assign(tuned=[
                    ", ".join(f"{name}={value}" for name, value in tuned.items())
                    for tuned in table["tuned"]])
            return head + table.to_html(float_format="{:.4f}".format, index=False) + evidence

    class Curve(pandas.DataFrame):
        """A row per system and number of target rows; notebooks show the verdict above it."""

        def _repr_html_(self) -> str:
            head, evidence = _conclusions(self.attrs)
            table = pandas.DataFrame(self).to_html(
                float_format="{:.4f}".format, formatters={"examples": "{:.10g}".format}, index=False)
            return head + table + evidence

    return Comparison, Curve

"""The article on solved games: its text is a template, and every figure in it is the report's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from textwrap import fill
from typing import Any

GAMES = ("puluc", "bul", "ritual-warfare", "culin", "buul")
"""The games that the article needs. Its table has all that are given, in their order."""


class _Figure(float):
    """A number with two more formats: ``p1``, its size in points with one digit; ``short``, the points missing to
    one half."""

    def __format__(self, spec: str) -> str:
        if spec == "short":
            return f"{(0.5 - self) * 100:.0f}"
        if spec.startswith("p"):
            return f"{abs(self) * 100:.{spec[1:]}f}"
        return super().__format__(spec)


def article(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """The article as Markdown. figures: of GAMES at least, as from ``Figures.as_json``."""
    text = files("companion.advice.report").joinpath("article.md").read_text(encoding="utf-8")
    named = {name.replace("-", "_"): _figures(figures[name]) for name in GAMES}
    blocks = text.format(**named, family="\n".join(_family(figures))).strip().split("\n\n")
    return "\n\n".join(map(_wrapped, blocks)) + "\n"


def _wrapped(block: str) -> str:
    """A paragraph with lines of even length; a heading, table, list or picture as it is."""
    if block.startswith(("#", "|", "-", "!")):
        return block
    return fill(_paired(" ".join(block.split())), 125, break_long_words=False)


def _paired(text: str) -> str:
    """The text with figures of Puluc and Bul that are rounded alike given once."""
    text = re.sub(r"(?<![\d.])(\d+%)( of the time)? in Puluc and \1 in Bul", r"\1\2 in both games", text)
    return re.sub(r"(?<![\d.])(\d+%) and \1", r"\1", text)


def _family(figures: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for name, one in figures.items():
        yield (
            f"| `{name}` | {one['positions']:,} | {one['start']:.1%} | {one['turns'][0]:.1f} "
            f"| {one['luck'][0] * 100:.2f} | {one['choices'][0]:.0%} | {one['levels']['random']['wins'][0]:.1%} |"
        )


def _figures(value: Any) -> Any:
    """The figures with lists of objects by name, ready for a template."""
    match value:
        case bool() | str() | None:
            return value
        case int() | float():
            return _Figure(value)
        case {"mistakes": found, **rest}:
            by_kinds = {
                level: {f"{one['best']}/{one['made']}": _Figure(one["share"]) for one in many}
                for level, many in found.items()
            }
            return {**_figures(rest), "mistakes": by_kinds}
        case {"first_throws": throws, **rest}:
            by_value = {one["values"][0]: _Figure(one["win"]) for one in throws}
            return {**_figures(rest), "first_throws": by_value}
        case dict():
            # A template asks for whole numbers as numbers.
            return {int(name) if str(name).isdigit() else name: _figures(one) for name, one in value.items()}
        case _:
            return [_figures(one) for one in value]

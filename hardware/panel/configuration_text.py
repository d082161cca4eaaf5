"""Write the panel's configuration as a commented TOML file."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

from hardware.panel.configuration import SECTIONS, PanelConfiguration

WIDTH = 100
"""Characters per line of comment."""

COMMENT_COLUMN = 24
"""Column at which the comment behind a value begins."""

INTRODUCTION = """\
The panel of Puluc Companion: its wiring, its timing, and what its buttons do. Pins are given by GPIO number, not by \
position on the header; `puluc config --wiring wiring.svg` draws which is which. Use each pin only once. Any line may \
be left out; its default is shown here."""


def to_toml(pins: PanelConfiguration, *, file: Path | None = None, sources: bool = False) -> str:
    """Write a configuration as TOML with a comment for each key. ``PanelConfiguration.load`` reads it back.

    sources: whether each comment also says if the value is from ``file`` or the default.

    >>> print(to_toml(PanelConfiguration()).splitlines()[-1])
    hold_s = 3               # seconds from 2 to 10
    """
    return "\n".join(_lines(pins, file, sources)) + "\n"


def _lines(pins: PanelConfiguration, file: Path | None, sources: bool) -> Iterator[str]:
    yield from _comment(INTRODUCTION)
    for name, model in SECTIONS.items():
        yield ""
        yield f"[{name}]"
        yield from _comment(inspect.cleandoc(model.__doc__ or ""))
        section = getattr(pins, name)
        from_file = section.model_fields_set if name in pins.model_fields_set else set()
        for key, field in model.model_fields.items():
            comment = field.description or ""
            if sources:
                comment += f"; from {file}, default {_toml(field.default)}" if key in from_file else "; default"
            yield from _comment(field.title or "")
            yield f"{f'{key} = {_toml(getattr(section, key))}':<{COMMENT_COLUMN}} # {comment}"


def _comment(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        for line in textwrap.wrap(" ".join(paragraph.split()), WIDTH - 2):
            yield f"# {line}"


def _toml(value: object) -> str:
    """Write a value in TOML. Strings, numbers, booleans and lists of strings look as in JSON."""
    if isinstance(value, float):
        return f"{value:g}"
    return json.dumps(value)

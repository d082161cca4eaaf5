"""The settings file as text: every key with what it is for, what it takes, and where its value comes from."""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

from hardware.pins import TABLES, Pins

WIDTH = 100
"""Letters in a line of the file. Fewer are easier to read on a small screen, and make more lines."""

VALUES = 24
"""Letters left for a key and its value before the line says what it takes."""

ABOUT = """\
The panel of Puluc Companion: where it is wired, how it feels, and what its buttons mean. Numbers of pins are GPIO \
numbers, not positions on the header; `puluc config --wiring wiring.svg` draws which is where. Every pin is used once. \
Every line may be left out, and is then as shown here."""


def commented(pins: Pins, *, file: Path | None = None, sources: bool = False) -> str:
    """The settings as a TOML file that explains itself, and reads back to the same settings.

    sources: whether each line also says where its value comes from: ``file``, or nowhere but here.

    >>> print(commented(Pins()).splitlines()[-1])
    hold_s = 3               # seconds from 2 to 10
    """
    return "\n".join(_lines(pins, file, sources)) + "\n"


def _lines(pins: Pins, file: Path | None, sources: bool) -> Iterator[str]:
    yield from _comment(ABOUT)
    for name, model in TABLES.items():
        yield ""
        yield f"[{name}]"
        yield from _comment(inspect.cleandoc(model.__doc__ or ""))
        table = getattr(pins, name)
        named = table.model_fields_set if name in pins.model_fields_set else set()
        for key, field in model.model_fields.items():
            value = getattr(table, key)
            told = field.description or ""
            if sources:
                told += f"; from {file}, as it comes {_written(field.default)}" if key in named else "; as it comes"
            yield from _comment(field.title or "")
            yield f"{f'{key} = {_written(value)}':<{VALUES}} # {told}"


def _comment(text: str) -> Iterator[str]:
    for paragraph in text.split("\n\n"):
        for line in textwrap.wrap(" ".join(paragraph.split()), WIDTH - 2):
            yield f"# {line}"


def _written(value: object) -> str:
    """A value as TOML writes it. Words, numbers, yes or no, and lists of words look as in JSON."""
    if isinstance(value, float):
        return f"{value:g}"
    return json.dumps(value)

"""Which game a command is about: ``--variant`` and ``--set``, the same wherever they are taken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
import platformdirs

from companion.errors import Unknown
from companion.rules.variant import VARIANTS, Variant, variant

_Command = TypeVar("_Command", bound=Callable[..., Any])


def game_options(command: _Command) -> _Command:
    """Give a command the options ``--variant`` and ``--set``; it is called with ``variant`` and ``changes``."""
    command = click.option(
        "--set",
        "changes",
        multiple=True,
        metavar="FIELD=VALUE",
        help="Set one rule otherwise, as in --set far_end=bounce. Repeatable.",
    )(command)
    return click.option(
        "--variant",
        default="puluc",
        show_default=True,
        type=click.Choice(list(VARIANTS)),
        metavar="ID",
        help="The game; puluc variants lists them.",
    )(command)


def game(named: str, changes: tuple[str, ...]) -> Variant:
    """The variant of that id with the changes made. Raises Unknown for what is no change, and what makes no game."""
    return variant(named).changed(fields(changes))


def advice_options(command: _Command) -> _Command:
    """Give a command what advice depends on: the game's options, ``--marked`` and ``--data``."""
    command = click.option(
        "--data", type=click.Path(path_type=Path), help="Folder where games and tables are kept, instead of the usual."
    )(command)
    command = click.option(
        "--marked", default="0.5", show_default=True, metavar="P", help="The chance that a lot falls marked side up."
    )(command)
    return game_options(command)


def table_folders(data: Path | None) -> tuple[Path, ...]:
    """Where tables may be: in that data folder, and in the user's."""
    usual = platformdirs.user_data_path("puluc")
    return tuple(dict.fromkeys(folder / "tables" for folder in (data or usual, usual)))


def fields(changes: tuple[str, ...]) -> dict[str, str]:
    """``FIELD=VALUE`` words as a mapping. Raises Unknown for a word that sets nothing."""
    found = {}
    for change in changes:
        field, equals, value = change.partition("=")
        if not equals:
            raise Unknown(f"'{change[:40]}' sets nothing: write --set FIELD=VALUE, as in --set spaces=11.")
        found[field.strip()] = value
    return found

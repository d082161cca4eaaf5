"""The options ``--variant`` and ``--set`` of all commands that take a game."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from companion.commands.data_option import data_option, usual_folder
from companion.errors import Unknown
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS, variant

_Command = TypeVar("_Command", bound=Callable[..., Any])

set_option = click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="FIELD=VALUE",
    help="Change one rule, as in --set far_end=bounce. Repeatable.",
)
marked_option = click.option(
    "--marked", default="0.5", show_default=True, metavar="P", help="The chance that a stick falls marked side up."
)


def game_options(command: _Command) -> _Command:
    """Add the options ``--variant`` and ``--set`` to a command, as ``variant`` and ``changes``."""
    return click.option(
        "--variant",
        default="puluc",
        show_default=True,
        type=click.Choice(list(VARIANTS)),
        metavar="ID",
        help="The game; `puluc variants` lists them.",
    )(set_option(command))


def game(named: str, changes: tuple[str, ...]) -> Variant:
    """The variant of that id with the changes. Raises Unknown for a malformed change or impossible rules."""
    return variant(named).changed(fields(changes))


def advice_options(command: _Command) -> _Command:
    """Add the options of advice to a command: the game's, ``--marked`` and ``--data``."""
    command = data_option("Folder where games and tables are kept.")(command)
    return game_options(marked_option(command))


def table_folders(data: Path) -> tuple[Path, ...]:
    """The folders to look for solved tables: in this data folder and in the user's."""
    return tuple(dict.fromkeys(folder / "tables" for folder in (data, usual_folder())))


def fields(changes: tuple[str, ...]) -> dict[str, str]:
    """Parse ``FIELD=VALUE`` words. Raises Unknown for a malformed one."""
    found = {}
    for change in changes:
        field, equals, value = change.partition("=")
        if not equals:
            raise Unknown(f"'{change[:40]}' sets nothing: write --set FIELD=VALUE, as in --set spaces=11.")
        found[field.strip()] = value
    return found

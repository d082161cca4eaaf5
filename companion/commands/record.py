"""``puluc record``: list, export, import and check games as text."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO

import click

from companion.commands.data_option import data_option, no_games
from companion.errors import NotationError
from companion.referee.events import GameStarted
from companion.referee.history.game_record import export_game, parse_record
from companion.referee.reducer import replay
from companion.referee.referee import Referee
from companion.storage.restore import GAMES
from companion.storage.store import Store

NOBODY = GameStarted(variant="puluc", jade=("Jade",), obsidian=("Obsidian",), seed=0)
"""The game in a new folder until a record is imported."""

file_argument = click.argument("file", type=click.File(encoding="utf-8"))


@click.group()
def record() -> None:
    """Export and import games as text that people can read."""


@record.command("list")
@data_option()
def list_games(data: Path) -> None:
    """List the saved games with number, name and result."""
    with kept(data) as referee:
        for entry in referee.games():
            click.echo(f"{entry.number:5} {entry.name} ({entry.winner or 'not over'})")


@record.command("export")
@data_option()
@click.argument("game", type=int, required=False)
def print_game(data: Path, game: int | None) -> None:
    """Print the game of that number, or the current one."""
    with kept(data) as referee:
        click.echo(export_game(referee.load_game(game or referee.snapshot().game)), nl=False)


@record.command("import")
@data_option()
@file_argument
def import_game(data: Path, file: TextIO) -> None:
    """Import a recorded game and put it on the table. - reads standard input."""
    events = parse_record(text_of(file))
    with kept(data, or_new=True) as referee:
        click.echo(f"It is game {referee.import_game(events).game}, and on the table now.", err=True)


@record.command("check")
@file_argument
def check_game(file: TextIO) -> None:
    """Replay a recorded game and print it with each position."""
    click.echo(export_game(replay(enumerate(parse_record(text_of(file)), 1))), nl=False)


def text_of(file: IO[str]) -> str:
    """The text of a record's file. Raises NotationError if it cannot be read."""
    try:
        return str(file.read())
    except (UnicodeDecodeError, OSError) as error:
        raise NotationError(f"The record cannot be read: {error}.") from error


@contextmanager
def kept(data: Path, *, or_new: bool = False) -> Iterator[Referee]:
    """The games of a data folder that no running companion uses."""
    if not or_new and not (data / GAMES).exists():
        raise no_games(data)
    referee = Referee(Store(data), first=NOBODY)
    try:
        yield referee
    finally:
        referee.close()

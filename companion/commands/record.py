"""``puluc record``: games as text, out of the folder of a table, into it, or checked by playing them again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO

import click
import platformdirs

from companion.errors import NotationError, Unknown
from companion.referee.course import replayed
from companion.referee.events import GameStarted
from companion.referee.record import export, parse
from companion.referee.referee import Referee
from companion.referee.store import Store

NOBODY = GameStarted(variant="puluc", jade=("Jade",), obsidian=("Obsidian",), seed=0)
"""What stands on the table of a fresh folder until a record is brought there."""

data_option = click.option("--data", type=click.Path(path_type=Path), help="Folder where the games are kept.")
file_argument = click.argument("file", type=click.File(encoding="utf-8"))


@click.group()
def record() -> None:
    """Games as text that a person can read and the companion can play again."""


@record.command("list")
@data_option
def list_games(data: Path | None) -> None:
    """List the saved games: number, name, and how they stand."""
    with kept(data) as referee:
        for entry in referee.games():
            click.echo(f"{entry.number:5} {entry.name} ({entry.winner or 'not over'})")


@record.command("export")
@data_option
@click.argument("game", type=int, required=False)
def export_game(data: Path | None, game: int | None) -> None:
    """Print the game of that number, or the one on the table."""
    with kept(data) as referee:
        click.echo(export(referee.saved(game or referee.snapshot().game)), nl=False)


@record.command("import")
@data_option
@file_argument
def import_game(data: Path | None, file: TextIO) -> None:
    """Put a recorded game on the table of that folder. - reads it from standard input."""
    events = parse(text_of(file))
    with kept(data, or_new=True) as referee:
        click.echo(f"It is game {referee.bring(events).game}, and on the table now.", err=True)


@record.command("check")
@file_argument
def check_game(file: TextIO) -> None:
    """Play a recorded game again and print it anew, with the position after each turn."""
    click.echo(export(replayed(enumerate(parse(text_of(file)), 1))), nl=False)


def text_of(file: IO[str]) -> str:
    """What stands in a record's file. Raises NotationError where it cannot be read."""
    try:
        return str(file.read())
    except (UnicodeDecodeError, OSError) as error:
        raise NotationError(f"The record cannot be read: {error}.") from error


@contextmanager
def kept(data: Path | None, *, or_new: bool = False) -> Iterator[Referee]:
    """The games of that folder, while no companion plays there."""
    folder = data or platformdirs.user_data_path("puluc")
    if not or_new and not (folder / "puluc.sqlite3").exists():
        raise Unknown(f"No games are kept in '{folder}'. Name their folder with --data.")
    referee = Referee(Store(folder), first=NOBODY)
    try:
        yield referee
    finally:
        referee.close()

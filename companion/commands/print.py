"""``puluc print``: sheets to throw on and boards to play on, as PDF files at true scale."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from companion.commands.game import game, game_options
from companion.errors import SheetNotWritten
from companion.paper.board import SPACE_MM, WIDEST_MM, Way, lay_out
from companion.paper.layout import PAPERS

OURS = b"puluc print"
"""What every sheet of ours says of itself inside the file."""

LARGEST = 1_000_000
"""Bytes. Sheets are far smaller; a larger file is not looked into."""


@click.group("print")
def printing() -> None:
    """Make sheets for the printer."""


paper_option = click.option(
    "--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help="What is in the printer."
)


@printing.command()
@paper_option
@click.option(
    "--out", type=click.Path(path_type=Path), help="The file, or - for a pipe. Else tray-a4.pdf or the like here."
)
@click.option("--plain", is_flag=True, help="Only the outline, without the grey-green: for a cut-out laid on cloth.")
def tray(paper: str, out: Path | None, plain: bool) -> None:
    """A sheet to throw on: with it the reader knows place, size and white.

    An earlier sheet of the same name is replaced; any other file is left as it is.
    """
    from companion.paper.sheet import draw_tray
    from hardware.markers import patterns

    sheet = draw_tray(PAPERS[paper], patterns(), tinted=not plain)
    hand_over(sheet, out, f"tray-{paper}{'-plain' if plain else ''}.pdf", "The sheet")


@printing.command()
@game_options
@paper_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file, or - for a pipe. Else board-puluc-a4.pdf or the like here.",
)
@click.option(
    "--way",
    type=click.Choice([way.value for way in Way]),
    help="How the highway lies. Else straight up to 14 spaces, and winding beyond.",
)
@click.option(
    "--space",
    "space_mm",
    type=click.FloatRange(SPACE_MM, WIDEST_MM),
    default=SPACE_MM,
    show_default=True,
    help="Width in millimetres of a straight highway's spaces: more for larger pieces, on more sheets.",
)
def board(
    variant: str, changes: tuple[str, ...], paper: str, out: Path | None, way: str | None, space_mm: float
) -> None:
    """A board to play on, for pieces of 20 mm, in parts to be glued where it is longer than a sheet.

    An earlier board of the same name is replaced; any other file is left as it is.
    """
    from companion.paper.board_sheet import Game, draw_board
    from hardware.board_markers import board_patterns

    rules = game(variant, changes)
    laid = lay_out(rules.spaces, way=Way(way) if way else None, space_mm=space_mm)
    told = Game(name=rules.name, pieces=rules.pieces * rules.owners, values=rules.values, fire=rules.fire)
    sheet = draw_board(PAPERS[paper], laid, told, board_patterns())
    parts = len(laid.parts(PAPERS[paper]))
    what = "The board" if parts == 1 else f"The board, in {parts} parts to be glued,"
    hand_over(sheet, out, f"board-{variant}-{paper}.pdf", what)


def hand_over(sheet: bytes, out: Path | None, usual: str, what: str) -> None:
    """Write the sheet where it was asked for, and say where that is. usual: the file where nothing was asked."""
    if out == Path("-"):
        sys.stdout.buffer.write(sheet)
        return
    path = out or Path(usual)
    write(path, sheet)
    click.echo(f"{what} is in {path}. Print it at 100 %, and check its 100 mm line with a ruler.", err=True)


def write(path: Path, sheet: bytes) -> None:
    """Put the sheet into the file. Raises SheetNotWritten where that cannot be, or would lose something else."""
    try:
        if path.exists() and not _is_ours(path):
            raise SheetNotWritten(f"{path} is there already and is no sheet of ours: name another file with --out.")
        half = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            half.write_bytes(sheet)
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
    except OSError as error:
        if isinstance(error, SheetNotWritten):
            raise
        raise SheetNotWritten(
            f"The sheet cannot be written to {path}: {error.strerror or error}. Name another place with --out."
        ) from error


def _is_ours(path: Path) -> bool:
    return path.is_file() and path.stat().st_size < LARGEST and OURS in path.read_bytes()

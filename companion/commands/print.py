"""``puluc print``: sheets to throw on and boards to play on, as PDF files at true scale."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import click

from companion.commands.game_options import game, game_options
from companion.errors import SheetNotWritten
from companion.i18n import ENGLISH, languages, retranslate, use_language
from companion.printing.board_plan import SPACE_MM, WIDEST_MM, BoardLayout, lay_out
from companion.printing.tray_plan import PAPERS

OURS = b"puluc print"
"""What every sheet of ours says of itself inside the file."""

LARGEST = 1_000_000
"""Largest file checked for being one of our sheets, in bytes; they are far smaller."""


@click.group("print")
def printing() -> None:
    """Make sheets to print."""


paper_option = click.option(
    "--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help="Paper size."
)
language_option = click.option(
    "--language",
    type=click.Choice(list(languages())),
    default=ENGLISH.code,
    show_default=True,
    help="Language of the printed words.",
)


@printing.command()
@paper_option
@language_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file, or - for standard output. [default: tray-a4.pdf or the like]",
)
@click.option("--plain", is_flag=True, help="Only the outline, without the grey-green, to cut out and lay on cloth.")
def tray(paper: str, language: str, out: Path | None, plain: bool) -> None:
    """Make a sheet to throw on, with markers for the camera.

    By the markers the reader knows the tray's place and size, and what is white.

    An earlier sheet of the same name is replaced; any other file is left as it is.
    """
    from companion.printing.tray_sheet import draw_tray
    from hardware.registration.markers import marker_patterns

    with use_language(languages()[language]):
        sheet = draw_tray(PAPERS[paper], marker_patterns(), tinted=not plain)
    hand_over(sheet, out, named(f"tray-{paper}{'-plain' if plain else ''}", language), "The sheet")


@printing.command()
@game_options
@paper_option
@language_option
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The file, or - for standard output. [default: board-puluc-a4.pdf or the like]",
)
@click.option(
    "--way",
    type=click.Choice([way.value for way in BoardLayout]),
    help="Shape of the highway. [default: straight up to 14 spaces, else winding]",
)
@click.option(
    "--space",
    "space_mm",
    type=click.FloatRange(SPACE_MM, WIDEST_MM),
    default=SPACE_MM,
    show_default=True,
    help="Width of a straight highway's spaces in millimetres; wider ones take more sheets.",
)
def board(
    variant: str,
    changes: tuple[str, ...],
    paper: str,
    language: str,
    out: Path | None,
    way: str | None,
    space_mm: float,
) -> None:
    """Make a board to play on.

    Its spaces suit pieces of 20 mm. A board longer than a sheet comes in parts to glue together.

    An earlier board of the same name is replaced; any other file is left as it is.
    """
    from companion.printing.board_sheet import BoardLabels, draw_board
    from hardware.registration.board_markers import board_patterns

    rules = game(variant, changes)
    laid = lay_out(rules.spaces, way=BoardLayout(way) if way else None, space_mm=space_mm)
    with use_language(languages()[language]):
        name, pieces = retranslate(rules.name), rules.pieces * rules.owners
        labels = BoardLabels(name=name, pieces=pieces, values=rules.values, fire=rules.fire)
        sheet = draw_board(PAPERS[paper], laid, labels, board_patterns())
    parts = len(laid.parts(PAPERS[paper]))
    what = "The board" if parts == 1 else f"The board, in {parts} parts to be glued,"
    # A custom game's board has another name, so that it replaces no board of the game it was made from.
    changed = re.findall(r"\w+", " ".join(sorted(changes)))
    hand_over(sheet, out, named("-".join(["board", variant, *changed, paper]), language), what)


def named(stem: str, language: str) -> str:
    """The default file of a sheet. Its language is part of the name, unless it is English."""
    return f"{stem}.pdf" if language == ENGLISH.code else f"{stem}-{language}.pdf"


def hand_over(sheet: bytes, out: Path | None, usual: str, what: str) -> None:
    """Write the sheet and say where. usual: the default file."""
    if out == Path("-"):
        sys.stdout.buffer.write(sheet)
        return
    path = out or Path(usual)
    write(path, sheet)
    click.echo(f"{what} is in {path}. Print it at 100%, and check its 100 mm line with a ruler.", err=True)


def write(path: Path, sheet: bytes) -> None:
    """Write the sheet to a file. Raises SheetNotWritten if that fails or would overwrite something else."""
    try:
        if path.exists() and not _is_ours(path):
            raise SheetNotWritten(f"{path} is there already and is no sheet of ours: name another file with --out.")
        half = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            half.write_bytes(sheet)
            half.replace(path)
        finally:
            half.unlink(missing_ok=True)
    except SheetNotWritten:
        raise
    except OSError as error:
        raise SheetNotWritten(
            f"The sheet cannot be written to {path}: {error.strerror or error}. Name another place with --out."
        ) from error


def _is_ours(path: Path) -> bool:
    return path.is_file() and path.stat().st_size < LARGEST and OURS in path.read_bytes()

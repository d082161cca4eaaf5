"""``puluc print``: sheets to lay under the camera, as PDF files at true scale."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from companion.errors import SheetNotWritten
from companion.paper.layout import PAPERS

OURS = b"puluc print"
"""What every sheet of ours says of itself inside the file."""

LARGEST = 1_000_000
"""Bytes. Sheets are far smaller; a larger file is not looked into."""


@click.group("print")
def printing() -> None:
    """Make sheets for the printer."""


@printing.command()
@click.option(
    "--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help="What is in the printer."
)
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
    if out == Path("-"):
        sys.stdout.buffer.write(sheet)
        return
    path = out or Path(f"tray-{paper}{'-plain' if plain else ''}.pdf")
    write(path, sheet)
    click.echo(f"The sheet is in {path}. Print it at 100 %, and check its 100 mm line with a ruler.", err=True)


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

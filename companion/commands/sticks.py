"""``puluc sticks``: statistics of your own sticks."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.commands.data_option import data_option
from companion.commands.record import kept
from companion.referee.snapshots.stick_view import StickSetView, stick_sets


@click.command()
@data_option()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each set of sticks.")
def sticks(data: Path, as_json: bool) -> None:
    """Show how each set of sticks has fallen at this table, and whether it falls evenly.

    Every throw that the players accepted counts, with the corrected count if they corrected it. Counts entered by hand
    stand apart; what the companion drew is left out. A profile made with --sticks NAME is one set,
    however often it is made anew.
    """
    with kept(data) as referee:
        sets = stick_sets(referee.tallies())
    for one in sets:
        click.echo(json.dumps(one.model_dump(mode="json")) if as_json else _text(one))
    if not sets and not as_json:
        click.echo("No throw of real sticks has been counted here yet.")


def _text(one: StickSetView) -> str:
    rows = [
        f"  {marked} marked: {count:5}   even sticks: {fair:7.1f}"
        for marked, (count, fair) in enumerate(zip(one.counts, one.fair, strict=True))
    ]
    exactly = f"  chance {one.marked:.4f}, 95% between {one.low:.4f} and {one.high:.4f}; --marked {one.advised}"
    return "\n".join([one.name, *(f"  {sentence}" for sentence in one.sentences), exactly, *rows])

"""``puluc solve``: the exact table of a game, made where it is missing."""

from __future__ import annotations

import json
import signal
import sys
import time
from fractions import Fraction
from pathlib import Path
from threading import Event

import click

from companion.advice.advisers import Advisers
from companion.advice.odds import parse_chance
from companion.advice.solving.solver import needs, solve
from companion.advice.table import Table
from companion.commands.beside import solve_beside_a_game
from companion.commands.game import advice_options, game, table_folders
from companion.rules.ruleset import Variant


@click.command("solve")
@advice_options
@click.option("--json", "as_json", is_flag=True, help="End with one JSON object.")
@click.option("--background", is_flag=True, hidden=True, help="As the companion does it beside a game.")
def solve_game(
    variant: str, changes: tuple[str, ...], marked: str, data: Path | None, as_json: bool, background: bool
) -> int | None:
    """Make the exact table of a game, from which all advice is read.

    It can be stopped at any time, with Ctrl-C or by pulling the plug: the same command goes on where it was. Where the
    table is there already, nothing is done.
    """
    rules, chance = game(variant, changes), parse_chance(marked)
    if background:
        return solve_beside_a_game(rules, chance, table_folders(data)[0])
    begun = time.monotonic()
    table = solved(rules, chance, data)
    answer = {
        "variant": rules.id,
        "states": table.positions,
        "seconds": round(time.monotonic() - begun, 3),
        "bytes": table.path.stat().st_size,
        "error_bound": table.error_bound,
        "stored_error_bound": table.stored_bound,
        "start": table.start,
        "path": str(table.path),
    }
    if as_json:
        click.echo(json.dumps(answer))
        return None
    click.echo(
        f"{rules.name} is solved: {table.positions:,} positions, each proven to within {table.error_bound:.1e} "
        f"({table.stored_bound:.1e} as stored).\nWho throws first wins {table.start:.4%} of the time, if both play "
        f"perfectly.\n{table.path}"
    )
    return None


def solved(rules: Variant, marked: Fraction, data: Path | None) -> Table:
    """That game's table, made first where it is missing, with a progress bar on standard error."""
    folders = table_folders(data)
    table = Advisers(*folders).table(rules, marked)
    if table is not None:
        return table

    needed = needs(rules)
    click.echo(
        f"Solving {rules.name}: {needed.positions:,} positions, at most {needed.memory / 1e6:,.0f} MB of memory. "
        "Ctrl-C stops; the same command goes on.",
        err=True,
    )
    steps = 1000
    with click.progressbar(length=steps, file=sys.stderr, show_percent=True) as bar:
        stopped = Event()

        def stop(*_: object) -> None:
            stopped.set()
            raise KeyboardInterrupt

        def progress(done: float) -> None:
            # Raised within a callback of compiled code the stop is lost; it is caught up with here.
            if stopped.is_set():
                raise KeyboardInterrupt
            if (more := int(done * steps) - bar.pos) > 0:
                bar.update(more)

        before = signal.signal(signal.SIGINT, stop)
        try:
            return solve(rules, marked, folders[0], progress=progress)
        except KeyboardInterrupt as interrupt:
            click.echo("\nStopped. The same command goes on where it was.", err=True)
            raise click.Abort from interrupt
        finally:
            signal.signal(signal.SIGINT, before)

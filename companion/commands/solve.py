"""``puluc solve``: solve a game exactly."""

from __future__ import annotations

import json
import signal
import sys
import time
from contextlib import ExitStack
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from companion.advice.solver.solved_table import SolvedTable
from companion.advice.solver.solver import requirements, solve
from companion.advice.table_adviser import AdviserFactory
from companion.commands.game_options import advice_options, game, table_folders
from companion.rules.odds import parse_chance
from companion.rules.variant import Variant
from companion.service.background_solve import solve_beside_a_game

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


@click.command("solve")
@advice_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@click.option("--background", is_flag=True, hidden=True, help="Yield to a running game, as the companion does.")
def solve_game(
    variant: str, changes: tuple[str, ...], marked: str, data: Path | None, as_json: bool, background: bool
) -> int | None:
    """Solve a game exactly, so that all advice about it is exact.

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


def solved(rules: Variant, marked: Fraction, data: Path | None) -> SolvedTable:
    """The game's solved table, made if missing, with a progress bar on standard error."""
    folders = table_folders(data)
    table = AdviserFactory(*folders).table(rules, marked)
    if table is not None:
        return table

    needed = requirements(rules)
    click.echo(
        f"Solving {rules.name}: {needed.positions:,} positions, at most {needed.memory / 1e6:,.0f} MB of memory. "
        "Ctrl-C stops; the same command goes on.\nFirst its rules are compiled: ten seconds to a minute.",
        err=True,
    )
    steps = 1000
    with ExitStack() as opened:
        stopped = Event()
        bars: list[ProgressBar[int]] = []

        def stop(*_: object) -> None:
            stopped.set()
            raise KeyboardInterrupt

        def progress(done: float) -> None:
            # Raised within a callback of compiled code the stop is lost; it is caught up with here.
            if stopped.is_set():
                raise KeyboardInterrupt
            if not bars:
                # Only now, because before the rules are compiled there is no telling how long it will take.
                bars.append(opened.enter_context(click.progressbar(length=steps, file=sys.stderr, show_percent=True)))
            if (more := int(done * steps) - bars[0].pos) > 0:
                bars[0].update(more)

        before = signal.signal(signal.SIGINT, stop)
        try:
            return solve(rules, marked, folders[0], progress=progress)
        except KeyboardInterrupt as interrupt:
            click.echo("\nStopped. The same command goes on where it was.", err=True)
            raise click.Abort from interrupt
        finally:
            signal.signal(signal.SIGINT, before)

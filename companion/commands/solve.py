"""``puluc solve``: solve a game exactly."""

from __future__ import annotations

import json
import signal
import sys
import time
from contextlib import ExitStack
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import click

from companion.advice.solver.ranking import is_two_sided
from companion.advice.solver.solved_table import SolvedTable
from companion.advice.solver.solver import SolveRequirements, check_capacity, requirements, solve
from companion.advice.table_adviser import AdviserFactory
from companion.commands.game_options import advice_options, game, table_folders
from companion.errors import NotSolvable
from companion.rules.odds import parse_chance
from companion.rules.variant import Variant
from companion.rules.variants import VARIANTS
from companion.service.background_solve import solve_beside_a_game

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar


@click.command("solve")
@advice_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
@click.option("--dry-run", is_flag=True, help="Only say what solving takes, and which games fit this computer.")
@click.option("--background", is_flag=True, hidden=True, help="Yield to a running game, as the companion does.")
def solve_game(
    variant: str,
    changes: tuple[str, ...],
    marked: str,
    data: Path,
    as_json: bool,
    dry_run: bool,
    background: bool,
) -> int | None:
    """Solve a game exactly, so that all advice about it is exact.

    It can be stopped at any time, with Ctrl-C or by pulling the plug: the same command goes on where it was. Where the
    table is there already, nothing is done.
    """
    rules, chance = game(variant, changes), parse_chance(marked)
    if dry_run:
        return _tell_requirements(rules, table_folders(data)[0], as_json=as_json)
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


def _tell_requirements(rules: Variant, folder: Path, *, as_json: bool) -> int:
    """Print what solving the game takes, and in words the same of every game. Answers 1 if the game does not fit."""
    needed, obstacle = requirements(rules), _obstacle(rules, folder)
    if as_json:
        click.echo(json.dumps({"variant": rules.id, **asdict(needed), "obstacle": obstacle}))
        return int(obstacle is not None)
    click.echo(f"{rules.name}: {_needs(needed)}. {obstacle or 'It fits this computer.'}\n")
    for other in VARIANTS.values():
        if is_two_sided(other):
            fits = "no room" if _obstacle(other, folder) else "fits"
            click.echo(f"{other.id:16} {_needs(requirements(other))}; {fits}")
    return int(obstacle is not None)


def _needs(needed: SolveRequirements) -> str:
    minutes = round(needed.seconds / 60)
    how_long = "a minute" if minutes <= 1 else f"{minutes:,} minutes"
    return (
        f"{needed.positions:,} positions, at most {needed.memory / 1e9:.1f} GB of memory and "
        f"{needed.disk / 1e9:.2f} GB of disk, {needed.table / 1e6:,.1f} MB of it to keep, "
        f"{how_long} or so of one core"
    )


def _obstacle(rules: Variant, folder: Path) -> str | None:
    """Why the game cannot be solved here; None if it can."""
    try:
        check_capacity(rules, requirements(rules), folder)
    except NotSolvable as error:
        return str(error)
    return None


def solved(rules: Variant, marked: Fraction, data: Path) -> SolvedTable:
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

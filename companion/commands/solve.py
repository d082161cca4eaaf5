"""``puluc solve`` and ``puluc advise``: the exact table of a game, and what it says."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click
import platformdirs

from companion.advice.odds import parse_chance
from companion.advice.solving.solver import needs, solve
from companion.advice.table import Table, find_table
from companion.commands.game import game, game_options
from companion.rules.ruleset import Variant

_Command = TypeVar("_Command", bound=Callable[..., Any])


def advice_options(command: _Command) -> _Command:
    """Give a command what advice depends on: the game, ``--marked`` and ``--data``."""
    command = click.option("--data", type=click.Path(path_type=Path), help="Folder where games and tables are kept.")(
        command
    )
    command = click.option(
        "--marked", default="0.5", show_default=True, metavar="P", help="The chance that a lot falls marked side up."
    )(command)
    return game_options(command)


def tables_in(data: Path | None) -> Path:
    """The folder of the tables in that data folder, or in the user's."""
    return (data or platformdirs.user_data_path("puluc")) / "tables"


@click.command("solve")
@advice_options
@click.option("--json", "as_json", is_flag=True, help="End with one JSON object.")
def solve_game(variant: str, changes: tuple[str, ...], marked: str, data: Path | None, as_json: bool) -> None:
    """Make the exact table of a game, from which all advice is read.

    It can be stopped at any time, with Ctrl-C or by pulling the plug: the same command goes on where it was. Where the
    table is there already, nothing is done.
    """
    rules, chance = game(variant, changes), parse_chance(marked)
    begun = time.monotonic()
    table = solved(rules, chance, tables_in(data))
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
        return
    click.echo(
        f"{rules.name} is solved: {table.positions:,} positions, each proven to within {table.error_bound:.1e} "
        f"({table.stored_bound:.1e} as stored).\nWho throws first wins {table.start:.4%} of the time, if both play "
        f"perfectly.\n{table.path}"
    )


def solved(rules: Variant, marked: Fraction, folder: Path) -> Table:
    """That game's table, made first where it is missing, with a progress bar on standard error."""
    table = find_table(rules, marked, folder)
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

        def progress(done: float) -> None:
            if (more := int(done * steps) - bar.pos) > 0:
                bar.update(more)

        return solve(rules, marked, folder, progress=progress)

"""Measure the loss of search without tables against perfect play in solved games.

    python -m tests.bench.search_loss --data FOLDER [--variant ID] [--set FIELD=VALUE] [--decisions N]
        [--weights FILE] [LOOK ...]

A LOOK is a number of turns to look ahead (1, 2, 3 ...) or a limit of processor time (1s, 0.3s). The decisions come from
games, half of them the table against itself and half hard against itself; only those with at least two different
results count.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import click
import numpy as np

from companion.advice.adviser import Adviser, terminal_value
from companion.advice.evaluation import Evaluation, Network
from companion.advice.levels import Level, expert, hard
from companion.advice.search import SearchAdviser
from companion.advice.solver.solved_table import SolvedTable
from companion.advice.table_adviser import AdviserFactory, TableAdviser
from companion.commands.game_options import game, game_options
from companion.rules.odds import FAIR, LOTS
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.unit import Side

EVERY = 3
"""Only every n-th decision is used, so that few are from consecutive turns."""


def win(table: SolvedTable, position: Position, side: Side) -> float:
    """The true win chance of ``side`` before a throw."""
    known = terminal_value(position)
    known = table.win(position) if known is None else known
    assert known is not None
    return known if position.turn is side else 1 - known


def decisions(table: SolvedTable, level: Level, many: int, chance: Random) -> list[Turn]:
    """Turns with a choice, from games of the level against itself."""
    rules, met = table.rules, list[Turn]()
    while len(met) < many:
        position = Position.start(rules, chance.choice(list(Side)))
        while not position.is_over() and len(met) < many:
            thrown = (sum(chance.random() < FAIR for _ in range(LOTS)) for _ in range(rules.throws))
            turn = Turn(position, tuple(rules.values[marked] for marked in thrown))
            if len(turn.results()) > 1 and chance.randrange(EVERY) == 0:
                met.append(turn)
            while turn.values and turn.steps():
                turn = turn.after(level(turn, chance))
            position = turn.handed_over()
    return met


def loss(table: SolvedTable, adviser: Adviser, turn: Turn) -> tuple[float, float]:
    """The loss of the adviser's choice, and the error of its estimate for the best one."""
    side, advice = turn.position.turn, adviser.in_turn(turn)
    best = max(win(table, position, side) for position in turn.results())
    after = turn.after(advice.steps[0].step)
    chosen = max(win(table, position, side) for position in after.results() or {after.handed_over()})
    return best - chosen, advice.best.win - best


@click.command()
@game_options
@click.option(
    "--data", type=click.Path(path_type=Path), required=True, help="Folder whose tables folder has the table."
)
@click.option("--decisions", "many", default=1000, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--weights", type=click.Path(path_type=Path), help="Weights to try in place of the companion's own.")
@click.argument("looks", nargs=-1)
def main(
    variant: str,
    changes: tuple[str, ...],
    data: Path,
    many: int,
    seed: int,
    weights: Path | None,
    looks: tuple[str, ...],
) -> None:
    rules = game(variant, changes)
    table = AdviserFactory(data / "tables").table(rules, FAIR)
    if table is None:
        raise click.ClickException(f"There is no table of {variant} in {data / 'tables'}: make it with puluc solve.")
    perfect = expert(TableAdviser(table, SearchAdviser(rules)))
    chance = Random(seed)
    turns = decisions(table, perfect, many // 2, chance) + decisions(table, hard, many - many // 2, chance)
    print(f"{variant}: {len(turns)} decisions with a choice")
    judge = Evaluation(rules, FAIR, Network.parse(weights.read_text()) if weights else None)
    for look in looks or ("1", "2", "3", "1s"):
        adviser = (
            SearchAdviser(rules, limit_s=float(look[:-1]), clock=time.process_time, judge=judge)
            if look[-1] == "s"
            else SearchAdviser(rules, depth=int(look), judge=judge)
        )
        begun = time.process_time()
        lost, off = np.array([loss(table, adviser, turn) for turn in turns]).T
        seconds = (time.process_time() - begun) / len(turns)
        for name, part in (("perfect play", slice(0, many // 2)), ("hard's play", slice(many // 2, None))):
            print(f"  {look:>4} in {name:12}: loses {lost[part].mean():.5f}")
        print(
            f"  {look:>4} a decision loses {lost.mean():.5f} ± {lost.std() / len(lost) ** 0.5:.5f} on average, "
            f"{lost.max():.4f} at most; {(lost > 1e-4).mean():.1%} are not the best; "
            f"the estimate is off by {np.sqrt((off**2).mean()):.4f} (root mean square); {seconds * 1000:.1f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()

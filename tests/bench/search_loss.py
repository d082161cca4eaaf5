"""Measure the loss of search without tables against perfect play, or against a long search in games without a table.

    python -m tests.bench.search_loss --data FOLDER [--variant ID] [--set FIELD=VALUE] [--decisions N]
        [--weights FILE] [LOOK ...]

A LOOK is a number of turns to look ahead (1, 2, 3 ...) or a limit of processor time (1s, 0.3s). The decisions come from
games, half of them Expert against itself (by the table, or two turns ahead) and half hard against itself; only those
with at least two different results count.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import click
import numpy as np

from companion.advice.adviser import TurnAdvice
from companion.advice.evaluation import Evaluation, Network
from companion.advice.levels import Level, expert, hard
from companion.advice.search import SearchAdviser
from companion.advice.table_adviser import AdviserFactory
from companion.commands.game_options import game, game_options
from companion.rules.odds import FAIR, LOTS
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.unit import Side
from companion.rules.variant import Variant

EVERY = 3
"""Only every n-th decision is used, so that few are from consecutive turns."""
REFERENCE_S = 3
"""Seconds of processor time for one decision of the long search."""


def decisions(rules: Variant, level: Level, many: int, chance: Random) -> list[Turn]:
    """Turns with a choice, from games of the level against itself."""
    met = list[Turn]()
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


def loss(true: TurnAdvice, advice: TurnAdvice) -> tuple[float, float]:
    """The loss of the advised step, and the error of its estimate for the best one. true: by the reference."""
    chosen = next(rated.win for rated in true.steps if rated.step == advice.steps[0].step)
    return true.best.win - chosen, advice.best.win - true.best.win


def by_time(rules: Variant, seconds: float, judge: Evaluation | None = None) -> SearchAdviser:
    """A search of so many seconds of processor time."""
    return SearchAdviser(rules, limit_s=seconds, clock=time.process_time, judge=judge)


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
    advisers = AdviserFactory(data / "tables")
    solved = advisers.table(rules, FAIR) is not None
    reference = advisers(rules, FAIR) if solved else by_time(rules, REFERENCE_S)
    player = expert(reference if solved else SearchAdviser(rules, depth=2))
    chance = Random(seed)
    turns = decisions(rules, player, many // 2, chance) + decisions(rules, hard, many - many // 2, chance)
    true = list(map(reference.in_turn, turns))
    print(f"{variant}: {len(turns)} decisions with a choice, by {'the table' if solved else f'{REFERENCE_S} s'}")
    judge = Evaluation(rules, FAIR, Network.parse(weights.read_text()) if weights else None)
    for look in looks or ("1", "2", "3", "1s"):
        adviser = (
            by_time(rules, float(look[:-1]), judge)
            if look[-1] == "s"
            else SearchAdviser(rules, depth=int(look), judge=judge)
        )
        advice, seconds = [], []
        for turn in turns:
            begun = time.process_time()
            advice.append(adviser.in_turn(turn))
            seconds.append(time.process_time() - begun)
        lost, off = np.array(list(map(loss, true, advice))).T
        for name, part in (("Expert's play", slice(0, many // 2)), ("hard's play", slice(many // 2, None))):
            print(f"  {look:>4} in {name:13}: loses {lost[part].mean():.5f}")
        print(
            f"  {look:>4} a decision loses {lost.mean():.5f} ± {lost.std() / len(lost) ** 0.5:.5f} on average, "
            f"{lost.max():.4f} at most; {(lost > 1e-4).mean():.1%} are not the best; "
            f"the estimate is off by {np.sqrt((off**2).mean()):.4f} (root mean square); "
            f"{np.mean(seconds) * 1000:.1f} ms, {max(seconds) * 1000:.0f} at most",
            flush=True,
        )


if __name__ == "__main__":
    main()

"""Positions of solved games with their true win chances, for fitting and measuring estimates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from companion.advice.adviser import terminal_value
from companion.advice.solver.solver import solve
from companion.advice.table_adviser import AdviserFactory
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.turns import Turn
from companion.rules.unit import Side
from companion.rules.variant import Variant

Win = Callable[[Position], float | None]
"""The win chance of the side to throw in a position that is not over, or None if unknown."""

_CARELESS = (0.05, 0.2, 0.5, 1.0)
"""Shares of random moves: a search meets positions of good play, and many of bad play."""


def by_table(rules: Variant, marked: Fraction, folder: Path) -> Win:
    """The chances of a solved game. Solves it first if ``folder`` has no table."""
    return (AdviserFactory(folder).table(rules, marked) or solve(rules, marked, folder)).win


def by_rules_alone(rules: Variant, marked: Fraction, most: int = 60_000) -> Win | None:
    """The chances of a small game of any kind, also with several players a side, by value iteration.

    Accurate to about 1e-5, without proof. None if the game has more than ``most`` positions.
    """
    odds = [(values, float(chance)) for values, chance in turn_odds(rules, marked).items()]
    found = {Position.start(rules, side): number for number, side in enumerate(Side)}
    listed = list(found)
    fixed: dict[int, float] = {}
    ends: list[int] = []
    same: list[bool] = []
    groups: list[int] = []
    thrown: list[int] = []
    chances: list[float] = []
    for number, position in enumerate(listed):
        over = terminal_value(position)
        if over is not None:
            fixed[number] = over
            continue
        for values, chance in odds:
            groups.append(len(ends))
            thrown.append(number)
            chances.append(chance)
            for result in Turn(position, values).ends() or (position.passed(),):
                ends.append(found.setdefault(result, len(listed)))
                same.append(result.turn is position.turn)
                if ends[-1] == len(listed):
                    listed.append(result)
        if len(listed) > most:
            return None
    known, sure = np.array(list(fixed), dtype=np.intp), np.array(list(fixed.values()))
    wins = np.full(len(listed), 0.5)
    wins[known] = sure
    to, alike, of, weight = np.array(ends), np.array(same), np.array(thrown), np.array(chances)
    for _ in range(4000):
        reached = np.where(alike, wins[to], 1 - wins[to])
        best = np.maximum.reduceat(reached, groups) * weight
        new = np.bincount(of, weights=best, minlength=len(listed))
        new[known] = sure
        # Damped by one half, because otherwise the chances of a game that careful players never end would oscillate.
        off, wins = float(np.abs(new - wins).max()), (new + wins) / 2
        if off < 1e-6:
            break
    return lambda position: float(wins[found[position]])


def samples(
    rules: Variant, marked: Fraction, win: Win, many: int, chance: Random
) -> tuple[list[Position], NDArray[np.float64]]:
    """At most ``many`` different positions from good to careless play, and the chances of the side to throw."""
    odds = turn_odds(rules, marked)
    values, weights = list(odds), [float(chance) for chance in odds.values()]
    met: dict[Position, float] = {}

    def best(results: tuple[Position, ...], side: Side) -> Position:
        def value(position: Position) -> float:
            known = terminal_value(position)
            known = win(position) if known is None else known
            assert known is not None
            return known if position.turn is side else 1 - known

        return max(results, key=value)

    for _ in range(many // 10):
        position, careless = Position.start(rules, chance.choice(list(Side))), chance.choice(_CARELESS)
        for _ in range(150):
            if position.is_over() or len(met) >= many:
                break
            if chance.random() < 0.5 and position not in met and (known := win(position)) is not None:
                met[position] = known
            [thrown] = chance.choices(values, weights)
            results = Turn(position, thrown).ends() or (position.passed(),)
            position = chance.choice(results) if chance.random() < careless else best(results, position.turn)
    return list(met), np.array(list(met.values()))

"""How the companion's own players choose, and what it suggests to people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from companion.rules.position import Move, Position

Level = Callable[[Position, int, Random], Move]
"""Chooses one of the legal moves of ``position`` on a throw of that value; there is at least one."""


def easy(position: Position, value: int, chance: Random) -> Move:
    """Captures or slays if it can, otherwise any legal move; ties are broken by chance (Psion manual, 4.1)."""
    moves = position.moves(value)
    violent = [move for move in moves if move.captures or position.slain_by(move)]
    return chance.choice(violent or moves)


LEVELS: Mapping[str, Level] = {"easy": easy}
LEVELS_TO_COME = ("fair", "hard", "expert", "random")
"""Names no person may take, because they will mean one of our players."""


def suggestion(position: Position, value: int) -> Move | None:
    """The move that slays and captures the most pieces, or None where none does either."""
    moves = position.moves(value)
    gains = [(position.slain_by(move) + move.captures, number) for number, move in enumerate(moves)]
    best, number = max(gains, default=(0, 0))
    return moves[number] if best else None

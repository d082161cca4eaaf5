"""What somebody's choices lost, beside what the computer's players would have lost at the same choices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.advice.adviser import Adviser
from companion.advice.levels import EXPERT, LEVELS
from companion.advice.review.review_summary import POINTS, PlayedTurn
from companion.advice.styles import OPPONENTS

LADDER = (*OPPONENTS, EXPERT)
"""The levels to compare with, weakest first."""

ChoiceLosses = tuple[float, ...]
"""The points that one choice lost, then those that each level of LADDER loses there on average."""


@dataclass(frozen=True, slots=True)
class LikeLevel:
    """The level that loses most nearly as much as somebody. lost, level_lost: points a choice, on average."""

    level: str
    choices: int
    lost: float
    level_lost: float


def choice_losses(played: PlayedTurn, adviser: Adviser) -> Iterator[ChoiceLosses]:
    """The losses of each choice in a turn that could lead to different positions."""
    for turn, step in played.choices():
        if len(turn.results()) > 1:
            wins = {rated.step: rated.win for rated in adviser.in_turn(turn).steps}
            levels = (LEVELS[name].mean_win(turn, wins) for name in OPPONENTS)
            best = max(wins.values())
            yield tuple(POINTS * (best - win) for win in (wins[step], *levels, best))


def like_level(losses: Sequence[ChoiceLosses]) -> LikeLevel:
    """The level whose losses at the same choices, of which there is at least one, come nearest on average."""
    lost, *levels = np.mean(losses, axis=0).tolist()
    level_lost = min(levels, key=lambda one: abs(one - lost))
    return LikeLevel(LADDER[levels.index(level_lost)], len(losses), lost, level_lost)

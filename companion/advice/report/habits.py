"""What kinds of move are worth, what pieces are worth, and where the levels go wrong, from compiled games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.advice.solver.playing.compiled_habits import (
    GAIN,
    HABITS,
    HELD,
    KINDS,
    LEAD,
    LOST,
    MOST,
    OFFERED,
    TAKEN,
)
from companion.advice.solver.playing.playout import Floats, MatchSamples, Mean

KIND_NAMES = ("capture", "bring captives home", "enter", "advance alone", "advance with captives", "leave alone")
"""In the order of compiled_habits.CAPTURE."""


@dataclass(frozen=True, slots=True)
class KindOfMove:
    """The worth of one kind of move in perfect games.

    offered: the share of choices that offer it and another kind. best: in how many of those it is best. gain: its mean
    lead in win chance over the best move of another kind; negative if it is behind.
    """

    offered: Mean
    best: Mean
    gain: Mean


def kinds_of_moves(played: MatchSamples) -> Mapping[str, KindOfMove]:
    """By name, those that are ever offered. Empty in games of two throws a turn."""
    found = {}
    for number, name in enumerate(KIND_NAMES):
        offered, taken, gain = (played.habits[:, 3 * number + column] for column in (OFFERED, TAKEN, GAIN))
        share = Mean.ratio(offered, played.choices_each)
        best, lead = Mean.ratio(taken, offered), Mean.ratio(gain, offered)
        if share and best and lead:
            found[name] = KindOfMove(share, best, lead)
    return found


def worth_of_lead(played: MatchSamples) -> Mapping[int, Mean]:
    """The mean chance of the side to throw, by the pieces that the other side has lost more than it."""
    return _means(played.habits[:, LEAD:HELD], -MOST)


def worth_of_captives(played: MatchSamples) -> Mapping[int, Mean]:
    """The same by the captives that it holds, while the other side holds none and both have lost as many pieces."""
    return _means(played.habits[:, HELD:HABITS], 0)


def mistakes(played: MatchSamples) -> Mapping[tuple[str, str], float]:
    """The share of what the first level lost, by the kind of the best move and of the one that it made instead."""
    lost = played.habits[:, LOST:LEAD].sum(axis=0)
    total = float(lost.sum())
    if not total:
        return {}
    return {
        (KIND_NAMES[at // KINDS], KIND_NAMES[at % KINDS]): float(part) / total
        for at, part in sorted(enumerate(lost), key=lambda one: -one[1])
        if part > 0.01 * total
    }


def _means(columns: Floats, first: int) -> Mapping[int, Mean]:
    means = {}
    for number in range(columns.shape[1] // 2):
        mean = Mean.ratio(columns[:, 2 * number + 1], columns[:, 2 * number])
        if mean and columns[:, 2 * number].sum() >= 1000:
            means[first + number] = mean
    return means

"""Match the board with the legal results of a throw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from companion.referee.board.expected import ExpectedBoard
from companion.referee.board.sightings import SpaceDifference, Top
from companion.rules.notation import write
from companion.rules.position import Position
from companion.rules.unit import Side, Unit
from hardware.board.base_count import pieces_beside
from hardware.board.space_classifier import SpaceClass

LEAST = 1e-4
"""Least probability of anything on one space: no space alone decides more than it deserves."""

HIDDEN_CAPTIVES, SEEN_AS_SEVERAL = 0.7, 0.3
"""How well several pieces explain what looks like one, and one piece what looks like several. The lower, the more such
a look counts against it."""

STACK_TURNED, HEAP_TURNED = 0.01, 0.4
"""How well a unit explains what looks like one with the other side on top, where one side alone is seen, and where both
are. Pieces that do not stack lie side by side, and which of them was put down last cannot be seen."""

BESIDE_SPREAD, BESIDE_SHARE, MAX_BESIDE = 0.15, 0.03, 3.4
"""Standard deviation of the count of pieces beside the road, for none and in addition for each; and the natural
logarithm that it decides at most. On the dev boards and eleven random ones half of all counts are off by less than
0.15, but sticks of a piece's colour add whole pieces. A larger maximum would let them outweigh a space."""

BESIDE_FITS = 0.5
"""Pieces by which the count misses every result before it is ignored."""

MIN_MARGIN = 2.5
"""Natural logarithm of how much better a result explains the board than the next. Lower takes more moves, and one for
another; higher asks more often."""

CONTRADICTED = 0.05
"""Probability of what a result expects on a space below which the space contradicts it."""

OCCUPIED_AS_EXPECTED = 0.7
"""Probability that a space which a result leaves empty holds no whole piece, and that one it fills is not empty, below
which the space contradicts it, however much better than the others that result is. In cross-validation 0.4 to 0.7 ask
about the same three moves of 365 more."""

CLEAR = 0.85
"""Probability from which the top of a space is certain. An illegal board is told only where all that differs is."""

PARTLY = 0.4
"""Probability from which a piece lies on a line."""


class BoardStatus(StrEnum):
    """The result of matching a picture of the board with a throw."""

    PLAYED = "played"
    UNCHANGED = "unchanged"
    ILLEGAL = "illegal"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMatch:
    """The outcome of a match.

    result: the legal result, if one was played. reason: one word, for `unsure`. differences: for `illegal`, from
    ``nearest``.
    """

    status: BoardStatus
    confidence: float
    tops: tuple[Top, ...]
    result: Position | None = None
    reason: str | None = None
    differences: tuple[SpaceDifference, ...] = ()
    nearest: Position | None = None


def match_board(
    expected: ExpectedBoard, probabilities: NDArray[np.float64], heaps: NDArray[np.bool_], beside: NDArray[np.float64]
) -> BoardMatch:
    """Compare the board with every position that it may show.

    probabilities: of each SpaceClass, (spaces, 6). heaps: mask of the spaces that show both sides' colours, (spaces,).
    beside: the number of Jade's and of Obsidian's pieces beside the road, (2,); NaN where unknown.
    """
    tops = tops_of(probabilities)
    before, unfinished = expected.before, expected.unfinished
    found: dict[tuple[frozenset[Side], ...], tuple[float, Position]] = {}
    alike: dict[tuple[frozenset[Side], ...], set[str]] = {}
    positions = (before, *expected.results, *unfinished)
    for position, missed in zip(positions, _missed(positions, beside), strict=True):
        key = tuple(frozenset(unit.owner for unit in units) for units in position.spaces)
        score = float(np.log(_explained(position, probabilities, heaps)).sum()) - missed
        if key not in found or score > found[key][0]:
            found[key] = (score, position)
        alike.setdefault(key, set()).add("" if position == before else write(position))
    ranked = sorted(found, key=lambda key: -found[key][0])
    best = ranked[0]
    score, position = found[best]
    margin = score - found[ranked[1]][0] if len(ranked) > 1 else -float(np.log(LEAST))
    confidence = float(1 / (1 + sum(np.exp(np.clip(found[key][0] - score, -50, 0)) for key in ranked[1:])))
    explained = _explained(position, probabilities, heaps)
    against = np.flatnonzero(
        (explained < CONTRADICTED) | (_occupied_alike(position, probabilities) < OCCUPIED_AS_EXPECTED)
    )
    if (probabilities[:, SpaceClass.PARTLY] > PARTLY).any() and (
        against.size or (explained < 1 - CLEAR)[probabilities[:, SpaceClass.PARTLY] > PARTLY].any()
    ):
        return BoardMatch(status=BoardStatus.UNSURE, confidence=confidence, tops=tops, reason="between")
    if against.size:
        if all(tops[space] is not Top.UNCLEAR for space in against):
            return BoardMatch(
                status=BoardStatus.ILLEGAL,
                confidence=float(1 - explained[against].min()),
                tops=tops,
                nearest=position,
                differences=tuple(
                    SpaceDifference(int(space) + 1, Top.of(position.spaces[space]), tops[space]) for space in against
                ),
            )
        return BoardMatch(status=BoardStatus.UNSURE, confidence=confidence, tops=tops, reason="unclear")
    if margin < MIN_MARGIN:
        return BoardMatch(status=BoardStatus.UNSURE, confidence=confidence, tops=tops, reason="unclear")
    if len(alike[best]) > 1:
        return BoardMatch(status=BoardStatus.UNSURE, confidence=confidence, tops=tops, reason="alike")
    confidence *= float(explained.min())
    if position == before:
        return BoardMatch(status=BoardStatus.UNCHANGED, confidence=confidence, tops=tops)
    if position in unfinished:
        return BoardMatch(status=BoardStatus.UNSURE, confidence=confidence, tops=tops, reason="unfinished")
    return BoardMatch(status=BoardStatus.PLAYED, confidence=confidence, tops=tops, result=position)


def tops_of(probabilities: NDArray[np.float64]) -> tuple[Top, ...]:
    """Return what is on top of each space, by the probabilities of each SpaceClass, (spaces, 6)."""
    return tuple(_top(row) for row in probabilities)


def _explained(position: Position, probabilities: NDArray[np.float64], heaps: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how well the position explains each space, LEAST to 1."""
    turned = np.where(heaps, HEAP_TURNED, STACK_TURNED)
    seen = [_of_space(*space) for space in zip(position.spaces, probabilities, turned, strict=True)]
    return np.clip(seen, LEAST, 1)


def _missed(positions: Sequence[Position], beside: NDArray[np.float64]) -> list[float]:
    """Return a penalty for each position by the pieces beside the road, as natural logarithms."""
    missed = np.zeros(len(positions))
    counts = np.stack([pieces_beside(position) for position in positions])
    for seen, pieces in zip(beside, counts.T, strict=True):
        if np.isfinite(seen) and np.abs(pieces - seen).min() < BESIDE_FITS:
            spread = BESIDE_SPREAD + BESIDE_SHARE * pieces
            missed += np.minimum(0.5 * ((pieces - seen) / spread) ** 2, MAX_BESIDE)
    return [float(part) for part in missed]


def _occupied_alike(position: Position, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability that each space is empty or occupied as in the position."""
    pieces = probabilities[:, SpaceClass.JADE : SpaceClass.PARTLY].sum(axis=1)
    occupied = np.array([bool(units) for units in position.spaces])
    return np.where(occupied, 1 - probabilities[:, SpaceClass.EMPTY], 1 - pieces)


def _of_space(units: Sequence[Unit], row: NDArray[np.float64], turned: float) -> float:
    if not units:
        return float(row[SpaceClass.EMPTY])
    several = sum(unit.pieces for unit in units) > 1
    total = 0.0
    for side in {unit.owner for unit in units}:
        single, heap = _classes(side)
        if several:
            total += row[heap] + HIDDEN_CAPTIVES * row[single] + turned * row[_classes(side.other)[1]]
        else:
            total += row[single] + SEEN_AS_SEVERAL * row[heap]
    return float(min(total, 1.0))


def _classes(side: Side) -> tuple[SpaceClass, SpaceClass]:
    if side is Side.JADE:
        return SpaceClass.JADE, SpaceClass.JADE_UNIT
    return SpaceClass.OBSIDIAN, SpaceClass.OBSIDIAN_UNIT


def _top(row: NDArray[np.float64]) -> Top:
    chances = {
        Top.EMPTY: row[SpaceClass.EMPTY],
        Top.JADE: row[SpaceClass.JADE] + row[SpaceClass.JADE_UNIT],
        Top.OBSIDIAN: row[SpaceClass.OBSIDIAN] + row[SpaceClass.OBSIDIAN_UNIT],
    }
    best = max(chances, key=lambda top: chances[top])
    return best if chances[best] >= CLEAR else Top.UNCLEAR

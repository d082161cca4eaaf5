"""Learn the look of the pieces from one picture of a known position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import ProfileUnusable
from companion.i18n import _
from companion.referee.board.sightings import Top
from companion.rules.position import Position
from companion.rules.unit import Side
from hardware.board.appearance import MIN_CHANGE, NOISE, BoardAppearance, EmptyRoad, PieceColours, lab
from hardware.board.road import PITCH
from hardware.cameras.camera import Pixels

NOISE_FACTOR = 2.5
"""Multiple of the empty board's noise from which a change is a piece."""

MIN_PIXELS = 12
"""Pixels of a patch that a piece covers at least: a fifth of a space's length in width."""

MIN_TINT, MIN_TINTED = 8.0, 0.4
"""Distance from a shadow of the board, in weighted CIELAB, of what is surely no shadow; and the share of a piece from
which only that is taken for it. Black pieces look like shadow all over."""

MIN_SHARE = 0.3
"""Share of a piece's area that a piece put right later has to cover. Lower learns from shadows, higher not from pieces
that are partly as pale as the board."""

MAX_ALIKE = 0.4
"""Share of a side's pixels that may look more like the other's."""


def taught_spaces(position: Position, side: Side) -> list[int]:
    """The spaces, from 0, whose top piece is that side's. Spaces with a single piece are preferred."""
    tops = [at for at, units in enumerate(position.spaces) if units and units[0].owner is side]
    alone = [at for at in tops if len(position.spaces[at]) == 1 and position.spaces[at][0].pieces == 1]
    return alone or tops


def learn_pieces(empty: Pixels, taught: Pixels, position: Position) -> tuple[BoardAppearance, tuple[float, float]]:
    """Learn the pieces of both sides from patches of the empty board and of the position.

    Returns
    -------
    appearance : BoardAppearance
    areas : (float, float)
        Pixels of a patch that one piece of Jade and of Obsidian covers.

    Raises
    ------
    ProfileUnusable
        With advice, if a side's pieces are not seen, or look like the other's.
    """
    road = EmptyRoad(empty)
    spaces, rows, columns = road.shape
    now = lab(taught.reshape(spaces * rows, columns, 3))
    change, tint = (plane.reshape(spaces, rows, columns) for plane in road.distance(now))
    colours = now.reshape(spaces, rows, columns, 3)
    occupied = {at for at, units in enumerate(position.spaces) if units}
    far = [at for at in range(spaces) if not {at - 1, at, at + 1} & occupied]
    noise = max(NOISE, float(np.percentile(change[far], 90))) if far else NOISE
    least = max(MIN_CHANGE, NOISE_FACTOR * noise)
    sides, lights, masks, areas = [], [], [], []
    for side in Side:
        where = taught_spaces(position, side)
        there = np.zeros(change.shape, bool)
        whole = []
        for at in where:
            blob = _piece(change[at] > least, tint[at] > MIN_TINT)
            whole.append(float(blob.sum()))
            inner = cv2.erode(blob.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
            there[at] = inner if inner.sum() >= MIN_PIXELS else blob
            if there[at].sum() < MIN_PIXELS:
                raise ProfileUnusable(
                    _(
                        "I don't see {side}'s piece on space {space}. Use pieces that stand out from the board, and "
                        "check that the corners and the position are right.",
                        side=_(side.value.capitalize()),
                        space=at + 1,
                    )
                )
        if not where:
            raise ProfileUnusable(
                _("The position has no piece of {side} on the highway to learn from.", side=_(side.value.capitalize()))
            )
        sides.append(PieceColours.of(colours[there]))
        lights.append(road.light(there))
        masks.append(there)
        areas.append(float(np.mean(whole)))
    appearance = BoardAppearance(road, (sides[0], sides[1]), (lights[0], lights[1]), noise)
    evidence = appearance.weigh(taught)
    planes = (evidence.jade, evidence.obsidian)
    for there, own, other in zip(masks, planes, planes[::-1], strict=True):
        if (other[there] > own[there]).mean() > MAX_ALIKE:
            raise ProfileUnusable(_("Both sides' pieces look alike to this camera. Choose other pieces for one side."))
    return appearance, (areas[0], areas[1])


def learn_more(
    appearance: BoardAppearance, areas: tuple[float, float], shown: Pixels, pieces: Sequence[tuple[int, Top]]
) -> BoardAppearance:
    """Add the colours of further pieces to their sides'.

    areas: as from ``learn_pieces``. shown: patches of another picture, in the light of the empty one. pieces: spaces,
    from 0, and whose piece lies there; where none is seen, nothing is added.
    """
    spaces, rows, columns = appearance.road.shape
    now = lab(shown.reshape(spaces * rows, columns, 3))
    change, tint = (plane.reshape(spaces, rows, columns) for plane in appearance.road.distance(now))
    least = max(MIN_CHANGE, NOISE_FACTOR * appearance.noise)
    sides = list(appearance.sides)
    for at, top in pieces:
        side = list(Side).index(Side(top.value))
        blob = _piece(change[at] > least, tint[at] > MIN_TINT)
        inner = cv2.erode(blob.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        if blob.sum() >= MIN_SHARE * areas[side] and inner.sum() >= MIN_PIXELS:
            colours = now.reshape(spaces, rows, columns, 3)[at][inner]
            sides[side] = sides[side].extended(PieceColours.of(colours))
    return replace(appearance, sides=(sides[0], sides[1]))


def _piece(changed: NDArray[np.bool_], tinted: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the blob that covers most of the space, without its shadow if that can be told apart."""
    count, spots, facts, middles = cv2.connectedComponentsWithStats(changed.astype(np.uint8))
    if count < 2:
        return np.zeros_like(changed)
    apart = (middles[1:, 0] + 0.5 - changed.shape[1] / 2) / PITCH
    weights = facts[1:, cv2.CC_STAT_AREA] * np.exp(-((apart / 0.4) ** 2))
    blob = spots == 1 + int(weights.argmax())
    if (blob & tinted).sum() > max(MIN_PIXELS, MIN_TINTED * blob.sum()):
        blob &= tinted
    return np.asarray(blob, bool)

"""Lots that were thrown, pushed, or that a moved camera sees elsewhere."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.referee.events import Face, Lot
from hardware.registration.placement import is_same_layout

WIDTH = 1280
LAY = tuple(
    Lot(x=x, y=y, angle=30, face=face, confidence=1)
    for x, y, face in (
        (400, 260, Face.MARKED),
        (860, 300, Face.PLAIN),
        (420, 600, Face.PLAIN),
        (840, 660, Face.MARKED),
    )
)


def seen_from(turn: float, nearer: float, aside: tuple[float, float]) -> tuple[Lot, ...]:
    """The lots as a camera sees them that was turned by degrees, lowered and pushed, in another order."""
    matrix = cv2.getRotationMatrix2D((640, 480), turn, nearer) + np.array([[0, 0, aside[0]], [0, 0, aside[1]]])
    there = [(lot, matrix @ (lot.x, lot.y, 1)) for lot in LAY]
    return tuple(replace(lot, x=float(x), y=float(y)) for lot, (x, y) in reversed(there))


@pytest.mark.parametrize("how", [(0, 1.0, (150, -60)), (170, 1.0, (0, 0)), (-12, 0.9, (40, 30))])
def test_a_moved_camera_is_no_throw(how: tuple[float, float, tuple[float, float]]) -> None:
    """The lots lie to each other as before."""
    assert is_same_layout(seen_from(*how), LAY, WIDTH)


def test_one_lot_elsewhere_is_another_layout() -> None:
    """So it is with another face up, and where a lot is missing."""
    first, *rest = LAY

    assert not is_same_layout((replace(first, x=first.x + 60), *rest), LAY, WIDTH)
    assert not is_same_layout((replace(first, face=Face.PLAIN), *rest), LAY, WIDTH)
    assert not is_same_layout(tuple(rest), LAY, WIDTH)

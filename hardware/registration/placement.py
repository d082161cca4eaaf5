"""Tell lots that were thrown from lots that were pushed, or that a moved camera sees elsewhere."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from companion.referee.events import Lot, same_placement

MAX_NUDGE = 0.03
"""Share of the picture's width. If all four lots are within this distance of where they were, they were pushed, not
thrown. In 540 pairs of labelled throws of the same lots, no throw comes so close, and one has one lot that does."""

MAX_MISFIT = 0.012
"""Share of the picture's width by which lots that lie to each other as before may be off once the camera's motion is
undone: a phone that was taken up and laid back looks a little less straight down. Higher takes a throw for a moved
camera: of 580 pairs of labelled throws of the same lots none is so alike at 0.012, one at 0.02. At 0.012 a camera 40 cm
above the tray may be tilted by five degrees more."""


MIN_SCALE = 0.8
"""Smallest change of scale for a moved camera. Lower lets more throws pass for one."""


def is_pushed(lots: tuple[Lot, ...], before: tuple[Lot, ...], width: int) -> bool:
    """Return whether the lots of an earlier reading were pushed, not thrown. width: of the picture, in pixels.

    That is so if one of them has not moved, because a throw moves all four, if all are close to where they were, or if
    all lie to each other as they did, because then the camera was moved.
    """
    if not before:
        return False
    still = any(same_placement((lot,), (old,)) for lot in lots for old in before)
    reach = MAX_NUDGE * width
    near = [any(abs(lot.x - old.x) <= reach and abs(lot.y - old.y) <= reach for old in before) for lot in lots]
    return still or (len(near) == len(before) and all(near)) or is_same_layout(lots, before, width)


def is_same_layout(lots: tuple[Lot, ...], before: tuple[Lot, ...], width: int) -> bool:
    """Return whether the lots lie to each other as before, with the same faces up, seen from wherever.

    The picture may be moved, turned, and scaled.
    """
    if len(lots) != len(before) or len(lots) < 4:
        return False
    then = np.array([complex(lot.x, lot.y) for lot in before])
    then -= then.mean()
    for order in permutations(lots):
        if any(lot.face is not old.face for lot, old in zip(order, before, strict=True)):
            continue
        now = np.array([complex(lot.x, lot.y) for lot in order])
        now -= now.mean()
        turn = (then.conj() @ now) / max(float(np.abs(then) @ np.abs(then)), 1e-9)
        if MIN_SCALE <= abs(turn) <= 1 / MIN_SCALE and np.abs(now - turn * then).max() <= MAX_MISFIT * width:
            return True
    return False

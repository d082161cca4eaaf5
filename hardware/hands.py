"""Does anything reach into the picture that was not there when the tray was taught?"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.camera import Pixels

WIDTH = 160
"""Columns that pictures are shrunk to for this. More sees thinner things and costs time in proportion."""

APART = 0.09
LEVELS = 10.0
"""A place is strange where one colour differs from the empty tray's, in the light of now, by this share of its
brightness and by this many grey levels. Lower takes light that changed unevenly for a hand, higher overlooks skin on
pale wood. Chosen over the four labelled clips and 144 labelled stills: every hand in view is seen, where 0.12 and 14
overlook fingertips, and nothing else is taken for one but the shadow of a hand that is just leaving."""

THICK = 5
"""Columns and rows that a strange thing at the border has to fill to count: half a finger. Lower takes a table's edge
that shifted for a hand, higher overlooks fingertips."""

BUMP = 0.04
"""Share of the picture's width by which the camera may have shifted since the tray was taught. More may find a shift
where there is none."""

DARK = 2.0
"""Grey levels added before brightness is compared as a share, so that noise in black places counts little."""

BURNT_OUT = 250.0
"""Grey level from which a colour no longer tells how bright a place is."""

BEND = 1.5
"""Times the usual misfit from which a place counts less in telling how the light has changed. Higher lets a hand pull
at that, lower makes it forget the dark and bright places that tell of contrast."""

ROUNDS = 6
"""Times that the change of light is fitted anew, with less regard to what does not follow it. More changes little."""

STIFF = 0.5
_UNCHANGED = np.array([0, 0, 0, 0, 0, 0, 1.0])
"""How firmly, in places, the fit holds on to no change where a picture tells nothing, as when it is all one grey."""

FLICKER = 0.15
"""Largest share by which a flickering lamp makes a band of rows brighter or darker than the rest of the picture."""

Colours = NDArray[np.float32]
Mask = NDArray[np.uint8]


class Hands:
    """Knows the empty tray, and what else players said belongs into the picture."""

    def __init__(self, empty: Pixels) -> None:
        """``empty``: the empty tray, of any size."""
        self._empty = coarse(empty)
        self._belongs: Colours | None = None

    def strange(self, now: Colours) -> Mask:
        """1 wherever ``now``, made by ``coarse``, does not show the empty tray; else 0."""
        return _apart(now, self._empty)

    def reaches_in(self, now: Colours) -> bool:
        """Whether something as thick as half a finger comes in over the picture's border that does not belong there."""
        thick = _opened(self.strange(now))
        _, spots = cv2.connectedComponents(thick)
        rim = np.unique(np.concatenate([spots[0], spots[-1], spots[:, 0], spots[:, -1]]))
        reaching = np.isin(spots, rim[rim > 0])
        if not reaching.any() or self._belongs is None or self._belongs.shape != now.shape:
            return bool(reaching.any())
        return bool(_opened(_apart(now, self._belongs) * reaching).any())

    def accept(self, now: Colours) -> None:
        """A person has said that what ``now`` shows at the border belongs there."""
        self._belongs = now


def coarse(pixels: Pixels) -> Colours:
    """The picture WIDTH columns wide, softened, in colour; of a picture of any size."""
    rows, columns = pixels.shape[:2]
    size = (WIDTH, max(THICK, round(rows * WIDTH / columns)))
    shrunk = cv2.resize(pixels, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    return cv2.blur(shrunk, (3, 3)).astype(np.float32)


def _opened(mask: Mask) -> Mask:
    """What of the mask is THICK both ways; beyond the picture there is nothing."""
    kernel = np.ones((THICK, THICK), np.uint8)
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    return opened.astype(np.uint8)


def _apart(now: Colours, then: Colours) -> Mask:
    """1 where ``now`` does not show what ``then`` shows, in any light and after a bump of the camera."""
    if then.shape != now.shape:
        then = cv2.resize(then, now.shape[1::-1], interpolation=cv2.INTER_AREA).astype(np.float32)
    masks = [_unlike(now, then)]
    shifted = _shifted(then, now)
    if shifted is not None:
        masks.append(_unlike(now, shifted))
    return min(masks, key=lambda mask: int(mask.sum()))


def _unlike(now: Colours, then: Colours) -> Mask:
    expected = _in_the_light_of(now, then)
    apart = np.abs(now - expected)
    strange = (apart > APART * (np.maximum(now, expected) + DARK)) & (apart > LEVELS)
    return np.asarray(strange.any(axis=2), np.uint8)


def _shifted(then: Colours, now: Colours) -> Colours | None:
    """``then`` as a camera would have seen it that was bumped the way that one was; None where it was not."""
    one, other = (np.log(picture + DARK).mean(axis=2, dtype=np.float32) for picture in (then, now))
    rows, columns = one.shape
    fading = cv2.createHanningWindow((columns, rows), cv2.CV_32F)
    (right, down), _ = cv2.phaseCorrelate(one - one.mean(), other - other.mean(), fading)
    if not 0.1 < max(abs(right), abs(down)) < BUMP * columns:
        return None
    move = np.array([[1, 0, right], [0, 1, down]])
    return cv2.warpAffine(then, move, (columns, rows), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)


def _in_the_light_of(now: Colours, then: Colours) -> Colours:
    """``then`` as it would look in the light, the exposure and the contrast of now.

    How light changes is taken to be smooth over the picture; a fit that overlooks what does not follow it tells how.
    """
    before, after = np.log(then + DARK), np.log(now + DARK)
    some, seen = before[::4, ::4].reshape(-1, 3), after[::4, ::4].reshape(-1, 3)
    # Where it is burnt out, neither picture tells how bright it is.
    sound = ((then[::4, ::4] < BURNT_OUT) & (now[::4, ::4] < BURNT_OUT)).all(axis=2).reshape(-1)
    places = _places(*before.shape[:2])
    where = places[::4, ::4].reshape(-1, places.shape[2])
    left = np.zeros_like(seen)
    lit = np.empty_like(before)
    parts = np.zeros((3, where.shape[1] + 1))
    for _ in range(ROUNDS):
        off = np.abs(left).max(axis=1)
        usual = max(0.04, 1.48 * float(np.median(off[sound]))) if sound.any() else 1.0
        trust = sound / np.maximum(1, (off / (BEND * usual)) ** 1.5)
        for colour in range(3):
            terms = np.column_stack([where, some[:, colour]])
            held = terms.T * trust
            # Held a little to what there is if nothing changed: brightness times one, and nothing added.
            parts[colour] = np.linalg.solve(
                held @ terms + STIFF * np.eye(terms.shape[1]), held @ seen[:, colour] + STIFF * _UNCHANGED
            )
            left[:, colour] = seen[:, colour] - terms @ parts[colour]
    for colour in range(3):
        lit[..., colour] = places @ parts[colour, :-1] + parts[colour, -1] * before[..., colour]
    bands = cv2.blur(np.median((after - lit).mean(axis=2), axis=1, keepdims=True), (1, 5)).reshape(-1, 1, 1)
    lit += np.clip(bands, -FLICKER, FLICKER)
    return np.asarray(np.minimum(np.exp(lit) - DARK, 255), np.float32)


def _places(rows: int, columns: int) -> NDArray[np.float32]:
    """What the change of light may depend on at each place: 1, how far across and down it is, and their squares."""
    y, x = np.meshgrid(np.linspace(-0.5, 0.5, rows), np.linspace(-0.5, 0.5, columns), indexing="ij")
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=2).astype(np.float32)

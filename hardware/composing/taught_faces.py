"""The eight faces in the pictures that teach a reader: their outlines, their tray, and both sides upright."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.calibration.forecast import Remedy
from hardware.cameras.camera import Pixels
from hardware.composing.cutouts import PAD, Outlined, OutlinedPicture, Plane, TrayScene, covered, filled
from hardware.reader.judge.shipped_judge import taught_lots

AROUND = 0.3, 1.5
"""How far beyond the taught lots other lots may be laid, as a share of a lot's length, for sticks and for small lots.
Higher lays more of them apart, but also on the tray's rim."""

UPRIGHT = 80, 160
"""Columns of a straightened stick and of a straightened small lot."""

TALLEST = 720
"""Most rows of a straightened stick."""

MARGIN = 0.15
"""Tray shown around a straightened lot, as a share of its width."""

GAP = 40
"""Columns between the two sides."""

DARK, NOTICED = 60.0, 8.0
"""Mean lightness of the lots, 0 to 255, below which more light is the best advice, and the difference in lightness from
which the sides are said to differ by it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TaughtFaces:
    """The lots in the marked and in the plain picture. outlines: (n, 2) in pixels of these."""

    empty: Pixels
    pictures: tuple[Pixels, Pixels]
    outlines: tuple[tuple[Plane, ...], tuple[Plane, ...]]
    is_long: bool

    @classmethod
    def found(cls, empty: Pixels, marked: Pixels, plain: Pixels) -> TaughtFaces:
        """Find the lots in three pictures of one size. Raises ProfileUnusable if they are not found."""
        lots = taught_lots(empty, marked, plain)
        scale = lots.tray.scale
        # Lots are convex, but light wood on a light tray leaves gaps in their outlines.
        sides = [
            tuple(((cv2.convexHull(one).reshape(-1, 2) + 0.5) * scale - 0.5).astype(np.float32) for one in side)
            for side in lots.outlines
        ]
        return cls(empty=empty, pictures=(marked, plain), outlines=(sides[0], sides[1]), is_long=lots.shape.is_long)

    def scene(self) -> TrayScene:
        """The tray and the lots cut out of both pictures. No noise is to be added: the backgrounds have it already."""
        taught = [
            OutlinedPicture(
                pixels=picture.astype(np.float32),
                outlines=side,
                free=[Outlined.around(one, number, marked=marked) for number, one in enumerate(side)],
            )
            for picture, side, marked in zip(self.pictures, self.outlines, (True, False), strict=True)
        ]
        return TrayScene.measured(
            "",
            self.empty.astype(np.float32),
            self._floor(),
            taught,
            is_long=self.is_long,
            noise=np.zeros(256, np.float32),
        )

    def backgrounds(self, reach: float) -> tuple[Pixels, Pixels]:
        """Both pictures without their lots. They have noise of their own, which the empty tray's would not have.

        reach: of the lots' shadows, in pixels.
        """
        grow = round(PAD + reach + MARGIN * self._length)
        found = []
        for picture, side in zip(self.pictures, self.outlines, strict=True):
            own = covered(picture.shape, side, grow)
            bare = ~own[::4, ::4]
            gain = np.median(picture[::4, ::4][bare] / np.maximum(self.empty[::4, ::4][bare], 1.0), axis=0)
            soft = cv2.GaussianBlur(own.astype(np.float32), (0, 0), 2)[..., None]
            laid = picture * (1 - soft) + self.empty * gain.astype(np.float32) * soft
            found.append(np.clip(np.round(laid), 0, 255).astype(np.uint8))
        return found[0], found[1]

    def upright(self) -> tuple[Pixels, Pixels]:
        """The four marked and the four plain faces, each beside the others, upright and at one scale."""
        boxes = [cv2.minAreaRect(one) for side in self.outlines for one in side]
        length, width = (float(max(pick(box[1]) for box in boxes)) for pick in (max, min))
        around = 2 * MARGIN * width
        columns = UPRIGHT[0 if self.is_long else 1]
        rows = min(TALLEST, round(columns * (length + around) / (width + around)))
        scale = min(columns / (width + around), rows / (length + around))
        sides = []
        for picture, side in zip(self.pictures, self.outlines, strict=True):
            faces = [_straightened(picture, one, scale, (columns, rows)) for one in side]
            faces = [min((face, face[::-1, ::-1]), key=lambda way: _apart(way, faces[0])) for face in faces]
            sides.append(np.hstack(faces) if self.is_long else np.vstack([np.hstack(faces[:2]), np.hstack(faces[2:])]))
        return sides[0], sides[1]

    def side_by_side(self) -> Pixels:
        """Both sides in one picture, the marked one on the left."""
        marked, plain = self.upright()
        return np.hstack([marked, np.full((marked.shape[0], GAP, 3), 255, np.uint8), plain])

    def remedy(self) -> Remedy:
        """What would tell the sides apart better."""
        marked, plain = (self._colours(side) for side in (0, 1))
        if min(marked[0], plain[0]) < DARK:
            return Remedy.LIGHT
        lighter, other = abs(marked[0] - plain[0]), float(np.hypot(*(marked - plain)[1:]))
        return Remedy.COLOUR if lighter > 2 * other + NOTICED else Remedy.MARK

    def _colours(self, side: int) -> Plane:
        """The mean colour of one side's lots, in Lab."""
        picture = self.pictures[side]
        own = np.maximum.reduce([filled(picture.shape, one, 2) for one in self.outlines[side]]) > 0
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB)[own].mean(axis=0), np.float32)

    @property
    def _length(self) -> float:
        return float(np.median([max(cv2.minAreaRect(one)[1]) for side in self.outlines for one in side]))

    def _floor(self) -> Plane:
        """The outline of where the taught lots lie and a little more, (n, 2)."""
        turns = np.radians(np.arange(0, 360, 20))
        ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * self._length * AROUND[0 if self.is_long else 1]
        points = np.concatenate([one + step for side in self.outlines for one in side for step in ring])
        rows, columns = self.empty.shape[:2]
        inside = np.clip(points, PAD + 2, np.array([columns, rows]) - PAD - 3).astype(np.float32)
        return np.asarray(cv2.convexHull(inside).reshape(-1, 2), np.float32)


def _straightened(picture: Pixels, outline: Plane, scale: float, size: tuple[int, int]) -> Pixels:
    """The lot with its longer side upright, in the middle of (columns, rows)."""
    lot = Outlined.around(outline, 0, marked=False)
    turn = np.asarray(cv2.getRotationMatrix2D((lot.x, lot.y), lot.angle - 90, scale), np.float64)
    turn[:, 2] += np.array([size[0] / 2 - lot.x, size[1] / 2 - lot.y])
    return np.asarray(cv2.warpAffine(picture, turn, size, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _apart(one: Pixels, other: Pixels) -> float:
    return float(cv2.absdiff(np.ascontiguousarray(one), np.ascontiguousarray(other)).mean())

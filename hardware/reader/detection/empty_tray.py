"""Aligns the empty tray's picture with the tray's present place and light."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.errors import ProfileUnusable, TrayMoved
from companion.i18n import _
from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats
from hardware.reader.detection.tray_light import tray_light
from hardware.registration.lighting import in_light_of, straightened
from hardware.registration.tray_moves import TrayMoves, shrunk

DARK = 8.0
"""Grey levels added before ratios are taken. Lower makes noise in the dark look like change."""


@dataclass(frozen=True, eq=False)
class Scene:
    """A picture and the empty tray, aligned with its place and light.

    small, bare : both at the working size. factor : pixels of ``given`` per pixel of that size.
    """

    given: Pixels
    small: Pixels
    bare: Floats
    factor: float

    @cached_property
    def mean(self) -> Floats:
        """The empty tray's mean colour, (3,)."""
        return np.asarray(self.bare[::4, ::4].mean(axis=(0, 1)), np.float32)

    @cached_property
    def light(self) -> Floats:
        """How much light falls on each pixel of the empty tray, relative to the mean: (rows, columns)."""
        return tray_light(self.bare)

    @cached_property
    def change(self) -> Floats:
        """Logarithm of how bright each pixel is beside the empty tray, (rows, columns, 3)."""
        return np.asarray(cv2.log((self.small + np.float32(DARK)) / (self.bare + DARK)), np.float32)


class EmptyTray:
    """The empty tray as it was when the reader was taught. Immutable, so threads may share it."""

    def __init__(self, empty: Pixels) -> None:
        self._shape = empty.shape
        self.small = shrunk(empty)
        self.scale = empty.shape[1] / self.small.shape[1]
        self._moves = TrayMoves(self.small)

    def scene(self, pixels: Pixels) -> Scene | None:
        """The picture with the aligned empty tray, or None if the tray is not found.

        Where the camera answers to light otherwise than when it was taught, the picture is given that contrast.
        """
        small = shrunk(pixels)
        laid = self._laid(small)
        if not laid:
            return None
        table = straightened(small, laid[0])
        if table is not None:
            pixels, small = (np.asarray(cv2.LUT(one, table), np.uint8) for one in (pixels, small))
        return Scene(pixels, small, _lit_alike(small, laid), self.scale)

    def taught_scene(self, name: str, picture: Pixels) -> Scene:
        """The picture of that name that teaches. Raises ProfileUnusable, with advice, if it does not show the tray."""
        if picture.shape != self._shape:
            raise ProfileUnusable(
                _(
                    "The {name} picture is {size} and the empty one {empty}: take all three with one camera setting.",
                    name=_(name),
                    size=_size(picture.shape),
                    empty=_size(self._shape),
                )
            )
        scene = self.scene(picture)
        if scene is None:
            raise TrayMoved(
                _(
                    "The {name} picture does not show the tray of the empty one: keep camera and tray where they are.",
                    name=_(name),
                )
            )
        return scene

    def aligned(self, small: Pixels) -> Floats | None:
        """The empty tray as it would look in this picture, (rows, columns, 3) as both are; None if it is not found."""
        laid = self._laid(small)
        return _lit_alike(small, laid) if laid else None

    def _laid(self, small: Pixels) -> list[Pixels]:
        """The empty tray in each place where it may lie; nothing if it is not found."""
        size, border = self.small.shape[1::-1], cv2.BORDER_REPLICATE
        moves = self._moves.found(small)
        return [np.asarray(cv2.warpAffine(self.small, move, size, borderMode=border), np.uint8) for move in moves]


def _lit_alike(small: Pixels, laid: list[Pixels]) -> Floats:
    """The empty tray in the picture's light, channel by channel.

    A nudged tray moves relative to the table: of two places each pixel has the one that explains what is around it.
    """
    first, *others = (in_light_of(small, one) for one in laid)
    for other in others:
        worse, better = (cv2.blur(farthest(small, one), (9, 9)) for one in (first, other))
        first = np.asarray(cv2.copyTo(other, cv2.compare(better, worse, cv2.CMP_LT), first), np.float32)
    return first


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[1]} x {shape[0]}"


def farthest(small: Pixels | Floats, bare: Floats) -> Floats:
    """Largest difference of any channel, (rows, columns)."""
    # Channel by channel, because NumPy takes twenty times as long along an axis of three.
    blue, green, red = cv2.split(cv2.absdiff(np.asarray(small, np.float32), bare))
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)

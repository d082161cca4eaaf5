"""A camera that replays a folder of pictures, one per throw."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CameraLost, PictureUnusable, Unknown
from companion.i18n import _
from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.pacing import FramePacer
from hardware.cameras.picture_files import load_picture

SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp"})
FRAME_WIDTH_PX = 640
MOVING_S = 0.9
"""Seconds for which a throw moves. Half a second is enough for motion detection; more makes players wait."""

_log = logging.getLogger(__name__)


def _natural_order(path: Path) -> list[tuple[int, int, str]]:
    """Sort key that puts t2 before t10."""
    parts = re.split(r"([0-9]+)", path.name.lower())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def _is_picture(path: Path) -> bool:
    """Return whether the suffix is a picture's. Hidden files belong to file managers."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()


class FolderCamera:
    """Replays the pictures of a folder in the order of their names, in a loop.

    Before the first throw, frames show a blur, so that nothing is read yet. Each throw moves for about a second;
    then the next picture lies at rest. Files without a picture's suffix are ignored; pictures that cannot be loaded
    are skipped with a warning.

    clock: returns monotonic seconds. sleep: waits for the given number of seconds.
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises Unknown if the folder is missing or has no pictures, CameraLost if none of them can be loaded."""
        try:
            self._files = sorted((file for file in folder.iterdir() if _is_picture(file)), key=_natural_order)
        except OSError as error:
            raise Unknown(
                _(
                    "There is no folder of pictures at {folder} ({error}).",
                    folder=folder,
                    error=error.strerror,
                )
            ) from error
        if not self._files:
            raise Unknown(_("The folder {folder} has no pictures. Put in one .jpg or .png per throw.", folder=folder))
        self._folder = folder
        self._pacer = FramePacer(clock=clock, sleep=sleep)
        self._closed = False
        self._turn = 0
        self._thrown_at = float("-inf")
        full = self._next_picture()
        self._turn -= 1  # the first picture is yet to be thrown
        rows, columns = full.shape[:2]
        coarse = cv2.resize(full, (64, max(1, round(64 * rows / columns))), interpolation=cv2.INTER_AREA)
        blurred = cv2.resize(cv2.GaussianBlur(coarse, (0, 0), 3), (columns, rows), interpolation=cv2.INTER_CUBIC)
        self._show(np.asarray(blurred, dtype=np.uint8))

    def next_frame(self) -> Frame:
        """Wait for the next frame, 640 px wide, about 15 a second; it moves for MOVING_S after a throw."""
        self._check_open()
        return self._frame(self._small)

    def still(self) -> Frame:
        """Return the picture at full size; it moves for MOVING_S after a throw."""
        self._check_open()
        return self._frame(self._full)

    def throw(self) -> None:
        """Go on to the next picture. Raises CameraLost if none can be loaded any more."""
        self._check_open()
        self._show(self._next_picture())
        self._thrown_at = self._pacer.now()

    def close(self) -> None:
        """Stop. Later calls raise CameraLost."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise CameraLost(_("The pictures in {folder} are closed.", folder=self._folder))

    def _frame(self, at_rest: Pixels) -> Frame:
        taken_at = self._pacer.wait()
        pixels = self._tumbling(at_rest, taken_at - self._thrown_at)
        pixels.flags.writeable = False
        return Frame(pixels, taken_at)

    def _next_picture(self) -> Pixels:
        for _try in self._files:
            file = self._files[self._turn % len(self._files)]
            self._turn += 1
            try:
                picture: Pixels = load_picture(file)
                return picture
            except PictureUnusable as problem:
                _log.warning("Skipped a throw: %s", problem)
        raise CameraLost(
            _(
                "None of the {count} pictures in {folder} can be opened. Replace them.",
                count=len(self._files),
                folder=self._folder,
            )
        )

    def _show(self, full: Pixels) -> None:
        rows, columns = full.shape[:2]
        size = (FRAME_WIDTH_PX, max(1, round(rows * FRAME_WIDTH_PX / columns)))
        self._full = full
        self._small = np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    @staticmethod
    def _tumbling(pixels: Pixels, age_s: float) -> Pixels:
        """Return the picture as it looks ``age_s`` seconds after the throw: blurred, with four whirling smears.

        The background stays in place. If all of it moved, that would look like a moving camera, not like a throw.
        """
        if age_s >= MOVING_S:
            return pixels
        rows, columns = pixels.shape[:2]
        coarse = cv2.resize(pixels, (24, 18), interpolation=cv2.INTER_AREA)
        blurred = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_CUBIC)
        # The smears contrast with any picture.
        shade = 20 if coarse.mean() > 110 else 230
        side = min(rows, columns)
        for stick in range(4):
            around = np.pi / 2 * stick + 9 * age_s
            out = side * (0.30 - 0.12 * np.cos(6 * age_s + stick))
            centre = round(columns / 2 + out * np.cos(around)), round(rows / 2 + out * np.sin(around))
            turned = float(np.degrees(1.7 * stick - 14 * age_s))
            cv2.ellipse(blurred, centre, (side // 7, side // 30), turned, 0, 360, (shade, shade, shade), -1)
        return np.asarray(cv2.blur(blurred, (1 + side // 30, 1 + side // 30)), dtype=np.uint8)

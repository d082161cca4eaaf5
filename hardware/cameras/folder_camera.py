"""A folder of pictures in place of a camera: one picture a throw, round and round."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CameraLost, PictureUnusable, Unknown
from companion.words import _
from hardware.camera import Frame, Pixels
from hardware.pace import Pace
from hardware.pictures import load_picture

SUFFIXES = frozenset({".bmp", ".jpeg", ".jpg", ".pgm", ".png", ".ppm", ".tif", ".tiff", ".webp"})
WATCH_WIDTH_PX = 640
MOVING_S = 0.9
"""How long a throw moves. Half a second is enough for settling to notice; longer makes players wait."""

_log = logging.getLogger(__name__)


def _natural(path: Path) -> list[tuple[int, int, str]]:
    """Sorts t2 before t10, as people number their pictures."""
    parts = re.split(r"([0-9]+)", path.name.lower())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts if part]


def _is_picture(path: Path) -> bool:
    """Whether the name says so; hidden files are some file manager's."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()


class FolderCamera:
    """Shows the pictures of a folder in the order of their names, each as one throw. Repeats from the start.

    Until the first throw it shows a blur, so that nothing is read that was not thrown. Each throw tumbles for
    about a second, then the next picture lies at rest. Files that are no pictures by their suffix are passed over in
    silence; one that turns out not to be readable is passed over with a warning, and the next one takes its place.
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Raises Unknown for a folder that is missing or holds no pictures; CameraLost if none of them can be read."""
        try:
            self._files = sorted((file for file in folder.iterdir() if _is_picture(file)), key=_natural)
        except OSError as error:
            raise Unknown(
                _(
                    "There is no folder of pictures at {folder} ({error}); folder:DIR needs an existing one.",
                    folder=folder,
                    error=error.strerror,
                )
            ) from error
        if not self._files:
            raise Unknown(
                _("The folder {folder} holds no pictures; put in one .jpg or .png for each throw.", folder=folder)
            )
        self._folder = folder
        self._pace = Pace(clock=clock, sleep=sleep)
        self._closed = False
        self._turn = 0
        self._thrown_at = float("-inf")
        full = self._next_picture()
        # The first picture is still to be thrown.
        self._turn -= 1
        self._show(np.asarray(cv2.GaussianBlur(full, (0, 0), max(full.shape) / 20), dtype=np.uint8))

    def watch(self) -> Frame:
        """The picture 640 px wide, about 15 times a second: tumbling for a while after a throw, then at rest."""
        self._check_open()
        return self._frame(self._small)

    def still(self) -> Frame:
        """The picture in full, as the file has it; tumbling like the small one while the throw still moves."""
        self._check_open()
        return self._frame(self._full)

    def throw(self) -> None:
        """Take the next readable picture. Raises CameraLost when none can be read any more."""
        self._check_open()
        self._show(self._next_picture())
        self._thrown_at = self._pace.now()

    def close(self) -> None:
        """Stop; frames asked for later raise CameraLost."""
        self._closed = True

    def _check_open(self) -> None:
        if self._closed:
            raise CameraLost(_("The pictures in {folder} were closed; open the folder again.", folder=self._folder))

    def _frame(self, at_rest: Pixels) -> Frame:
        taken_at = self._pace.exposure()
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
                _log.warning("Passing over a throw: %s", problem)
        raise CameraLost(
            _(
                "None of the {count} pictures in {folder} can be read; replace them.",
                count=len(self._files),
                folder=self._folder,
            )
        )

    def _show(self, full: Pixels) -> None:
        rows, columns = full.shape[:2]
        size = (WATCH_WIDTH_PX, max(1, round(rows * WATCH_WIDTH_PX / columns)))
        self._full = full
        self._small = np.asarray(cv2.resize(full, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)

    @staticmethod
    def _tumbling(pixels: Pixels, age_s: float) -> Pixels:
        """The picture ``age_s`` seconds after the throw: out of focus with four smears that whirl; then itself.

        The picture as a whole stays where it is, as a table would: if all of it swung, that would look like a camera
        being carried about rather than like a throw.
        """
        if age_s >= MOVING_S:
            return pixels
        rows, columns = pixels.shape[:2]
        coarse = cv2.resize(pixels, (24, 18), interpolation=cv2.INTER_AREA)
        blurred = cv2.resize(coarse, (columns, rows), interpolation=cv2.INTER_CUBIC)
        # Whatever the picture, the smears stand out from it.
        shade = 20 if coarse.mean() > 110 else 230
        side = min(rows, columns)
        for stick in range(4):
            around = np.pi / 2 * stick + 9 * age_s
            out = side * (0.30 - 0.12 * np.cos(6 * age_s + stick))
            centre = round(columns / 2 + out * np.cos(around)), round(rows / 2 + out * np.sin(around))
            turned = float(np.degrees(1.7 * stick - 14 * age_s))
            cv2.ellipse(blurred, centre, (side // 7, side // 30), turned, 0, 360, (shade, shade, shade), -1)
        return np.asarray(cv2.blur(blurred, (1 + side // 30, 1 + side // 30)), dtype=np.uint8)

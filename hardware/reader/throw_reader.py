"""Reads the count of a settled throw from a picture, or gives the reason why it cannot."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from companion.errors import PictureUnusable
from companion.i18n import _
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.judge.shipped_judge import judged_reader
from hardware.reader.lots import enlarged
from hardware.reader.profile import Profile
from hardware.registration.sheet_registration import SheetRegistration


class ThrowReader:
    """Reads throws of the lots and the tray in ``profile``. Stateless between pictures, so threads may share it.

    leads : log-odds by which the other taught faces recognise each face of the calibration; below 0 they do not.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._sheet = SheetRegistration(profile.empty)
        self._judge = judged_reader(profile.empty, profile.marked, profile.plain, profile.shown)
        self.leads = self._judge.leads

    @classmethod
    def calibrate(cls, empty: Pixels, marked: Pixels, plain: Pixels) -> ThrowReader:
        """Fit a reader to the pictures of a calibration; its ``profile`` is the one to save.

        Parameters
        ----------
        empty, marked, plain : (rows, columns, 3) uint8 arrays
            The tray without lots, with all four marked side up, and with all four plain side up; blue-green-red.

        Raises
        ------
        ProfileUnusable
            With advice, if a picture does not show this; FacesAlike if only the faces cannot be told apart.
        """
        reader = cls(Profile(empty=empty, marked=marked, plain=plain, separation=0.0))
        reader.profile = replace(reader.profile, separation=reader._judge.separation)
        return reader

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
        """Count the marked faces, or return why the count is uncertain. Lots are in pixels of the given picture.

        Raises PictureUnusable if the picture's proportions differ from the calibration's.
        """
        rows, columns = self.profile.empty.shape[:2]
        scale = pixels.shape[1] / columns
        if abs(pixels.shape[0] - rows * scale) > 2:
            raise PictureUnusable(
                _(
                    "The picture is {size} but the camera was taught at {taught}. Teach it again at this resolution.",
                    size=f"{pixels.shape[1]}x{pixels.shape[0]}",
                    taught=f"{columns}x{rows}",
                )
            )
        if pixels.shape != self.profile.empty.shape:
            pixels = cv2.resize(pixels, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.uint8)
        straight = self._sheet.register(pixels)
        if straight is None:
            return ThrowUnreadable(reason="moved")
        answer = self._judge.read(straight)
        # What may be several lots is given as often.
        lots = tuple(enlarged(straight.to_original(lot), scale) for lot in dict.fromkeys(answer.lots))
        return replace(answer, lots=lots)

"""Reads the count of a settled throw from a picture, or gives the reason why it cannot."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import cv2
import numpy as np

from companion.errors import PictureUnusable, ProfileUnusable, TrayMoved
from companion.i18n import _
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels
from hardware.reader.general.empty_tray import EmptyTray
from hardware.reader.general.general_reader import GeneralReader
from hardware.reader.general.shipped_model import general_reader
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.shipped_judge import judged_reader
from hardware.reader.lots import doubted, enlarged
from hardware.reader.picture_noise import grain, is_drowned
from hardware.reader.profile import Profile
from hardware.reader.reading_comparison import (
    agrees,
    certain_lots,
    hides_a_face,
    sees_four,
    takes_two_for_one,
    unmatched,
)
from hardware.registration.sheet_registration import RegisteredPicture, SheetRegistration

HIDING = frozenset({"leaning", "glare"})
"""Reasons of the judge for which a lot that certainly shows no face is asked about without the general reader."""


class ThrowReader:
    """Reads throws of the lots and the tray in ``profile``. Stateless between pictures, so threads may share it.

    Two readers look, the judged and the general one. What one of them reads counts if the other has found the same
    four; of small lots also what the judged one alone is sure of.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._sheet = SheetRegistration(profile.empty)
        self._grain = grain(profile.empty)
        self._general = self._taught_general()
        self._tray = self._general.lesson.tray if self._general else EmptyTray(profile.empty)

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
        taught = reader._general or reader._judged
        assert taught is not None
        reader.profile = replace(reader.profile, separation=taught.separation)
        return reader

    def _taught_general(self) -> GeneralReader | None:
        """The general reader; None if it cannot be taught and the judged one may read alone, else ProfileUnusable."""
        try:
            return general_reader(self.profile.empty, self.profile.marked, self.profile.plain)
        except TrayMoved:
            raise
        except ProfileUnusable:
            judge = self._judged
            # Of sticks it would overlook a fifth one, and other lots may look like the wrong side, too.
            if judge is None or judge.reads_sticks or judge.mixes_up:
                raise
            return None

    @property
    def leads(self) -> tuple[float, ...]:
        """Log-odds by which the other taught faces recognise each face of the calibration; below 0 they do not."""
        taught = self._judged or self._general
        assert taught is not None
        return taught.leads

    @cached_property
    def _judged(self) -> JudgedReader | None:
        """The judged reader, taught on first use because that takes as long as several readings; None if it cannot
        be."""
        try:
            return judged_reader(self.profile.empty, self.profile.marked, self.profile.plain, self.profile.shown)
        except ProfileUnusable:
            return None

    def prepare(self) -> None:
        """Teach now what the first reading would, which then takes far longer."""
        self._judged  # noqa: B018 - a cached property

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
        answer = self._read(straight)
        # What may be several lots is given as often.
        lots = tuple(enlarged(straight.to_original(lot), scale) for lot in dict.fromkeys(answer.lots))
        if isinstance(answer, ThrowSeen) and is_drowned(pixels, self._grain):
            return ThrowUnreadable(reason="unclear", lots=lots)
        return replace(answer, lots=lots)

    def _read(self, picture: RegisteredPicture) -> ThrowSeen | ThrowUnreadable:
        scene = self._tray.scene(picture.pixels)
        if scene is None:
            return ThrowUnreadable(reason="moved")
        judged = self._judged.read(picture, scene) if self._judged else None
        if isinstance(judged, ThrowUnreadable) and judged.reason in HIDING and hides_a_face(judged.lots):
            return judged
        general = self._general.read(picture, scene) if self._general else None
        if judged is None or self._judged is None:
            assert general is not None
            return general
        if general is None:
            return judged if isinstance(judged, ThrowUnreadable) or self._judged.is_sure(judged) else _doubted(judged)
        return self._together(self._judged, judged, general)

    def _together(
        self, judge: JudgedReader, judged: ThrowSeen | ThrowUnreadable, general: ThrowSeen | ThrowUnreadable
    ) -> ThrowSeen | ThrowUnreadable:
        """What one of the two reads, if the other agrees.

        The general one takes a lot on its edge for one that lies flat, and two small lots that lie half on each other
        for one; the judged one may take a lot for none, a shadow for part of one, and a stick that lies along another
        for the same.
        """
        if len(certain_lots(general.lots)) > LOTS:
            return ThrowUnreadable(reason="count", lots=general.lots)
        if isinstance(judged, ThrowSeen):
            if judge.is_sure(judged) or agrees(general, judged):
                return judged
            return general if isinstance(general, ThrowUnreadable) else _doubted(judged)
        # What players put right only the judged one learns.
        may_count = not judge.mixes_up and not self.profile.shown
        if isinstance(general, ThrowSeen) and may_count:
            if sees_four(judged) and agrees(judged, general):
                return general
            if judge.reads_sticks and takes_two_for_one(judged, general):
                return general
        strange = [replace(lot, face=Face.UNKNOWN, confidence=0.0) for lot in unmatched(general.lots, judged.lots)]
        lots = (*judged.lots, *strange)
        return replace(judged, lots=lots) if len(lots) == LOTS else judged


def _doubted(seen: ThrowSeen) -> ThrowUnreadable:
    return ThrowUnreadable(reason="unclear", lots=tuple(doubted(seen.lots)))

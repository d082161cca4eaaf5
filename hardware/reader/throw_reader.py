"""Reads the count of a settled throw from a picture, or gives the reason why it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property

import cv2
import numpy as np

from companion.errors import FacesAlike, PictureUnusable, ProfileUnusable, TrayMoved
from companion.i18n import _
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.face_check import FaceCheck
from hardware.reader.general.general_reader import GeneralReader
from hardware.reader.general.shipped_model import face_weights, general_reader
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.shipped_judge import judged_reader
from hardware.reader.lots import doubted, enlarged
from hardware.reader.measured_reader import MeasuredReader
from hardware.reader.picture_noise import grain, is_drowned
from hardware.reader.profile import Profile
from hardware.reader.reading_comparison import certain_lots, confirms, hides_a_face, overrules, sees_four, unmatched
from hardware.reader.taught_lots import LOTS, teach
from hardware.reader.tray import Difference
from hardware.reader.tray_moves import Move
from hardware.registration.sheet_registration import RegisteredPicture, SheetRegistration

STICKS_ANSWERABLE = frozenset({"touching", "leaning", "unclear"})
"""Reasons of the measured reader that the general one may settle. With more of them it would overlook a fifth stick
that lies half on another."""


class ThrowReader:
    """Reads throws of the lots and the tray in ``profile``. Stateless between pictures, so threads may share it.

    Of sticks the measured reader's answer counts, unless the judged one is certain that one does not lie flat. Where it
    asks or cannot be taught, the judged and the general reader look too; what one of these reads counts if another has
    found the same four, and the measured one no fifth beside them. Small lots are read by the judged reader, and where
    that is not sure by whichever of it and the general one can read them, if the other has found the same four.
    """

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        self._sheet = SheetRegistration(profile.empty)
        self._grain = grain(profile.empty)
        self._measured = self._measured_reader()

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
        reader.profile = replace(reader.profile, separation=reader._separation)
        return reader

    def _measured_reader(self) -> MeasuredReader | None:
        """The measured reader of sticks; where it does not find them, it is told where the general reader does.

        None for small lots, or if it cannot be taught and another can. Raises ProfileUnusable if none can read alone.
        """
        pictures = self.profile.empty, self.profile.marked, self.profile.plain
        refusal = None
        try:
            taught = teach(*pictures, self.profile.shown)
            if taught.shape.is_long:
                return MeasuredReader(taught)
        except TrayMoved:
            raise
        except ProfileUnusable as error:
            refusal = error
            if self._general and self._general.lesson.shape.is_long and not isinstance(error, FacesAlike):
                with suppress(ProfileUnusable):
                    return MeasuredReader(teach(*pictures, self.profile.shown, self._general.outlines), told=True)
        if self._general is None and not self._judge_may_read_alone:
            raise refusal or self._refusal
        return None

    @property
    def leads(self) -> tuple[float, ...]:
        """Margin by which the other taught faces recognise each face of the calibration; below 0 they do not."""
        taught = self._measured or self._judged or self._general
        assert taught is not None
        return taught.leads

    @property
    def _separation(self) -> float:
        taught = self._measured or self._general or self._judged
        assert taught is not None
        return taught.separation

    @cached_property
    def _general(self) -> GeneralReader | None:
        """The general reader, taught on first use because that takes as long as several readings."""
        try:
            return general_reader(self.profile.empty, self.profile.marked, self.profile.plain)
        except ProfileUnusable as refusal:
            self._refusal = refusal
            return None

    @cached_property
    def _judged(self) -> JudgedReader | None:
        """The judged reader, taught on first use; None if it cannot be."""
        try:
            return judged_reader(self.profile.empty, self.profile.marked, self.profile.plain, self.profile.shown)
        except ProfileUnusable:
            return None

    @cached_property
    def _check(self) -> FaceCheck | None:
        """The face check, taught with the readings of the calibration's pictures; None if they are not read."""
        sides = []
        for pixels in (self.profile.marked, self.profile.plain):
            picture = RegisteredPicture(pixels, np.eye(3))
            _, answer = self._by_measuring(picture)
            if isinstance(answer, ThrowSeen):
                sides.append((pixels, answer.lots))
        return FaceCheck(face_weights(), self.profile.empty, sides[0], sides[1]) if len(sides) == 2 else None

    def prepare(self) -> None:
        """Teach now what the first reading would, which then takes far longer."""
        if self._is_corrected:
            return
        if self._measured:
            self._check  # noqa: B018 - a cached property
        else:
            self._general  # noqa: B018 - a cached property
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
        if self._is_corrected:
            _, corrected = self._by_measuring(picture)
            assert corrected is not None
            return corrected
        return self._read_sticks(picture) if self._reads_sticks else self._read_small_lots(picture)

    def _read_small_lots(self, picture: RegisteredPicture) -> ThrowSeen | ThrowUnreadable:
        """What the judged reader is sure of, or either one reads if the other has found the same four.

        The general one takes a lot on its edge for one that lies flat, and two that lie half on each other for one; the
        judged one may take a lot for none, and a shadow for part of one.
        """
        judge, judged = self._judged, self._judged.read(picture) if self._judged else None
        if isinstance(judged, ThrowUnreadable) and judged.reason == "leaning":
            return judged
        general = self._general.read(picture) if self._general else None
        if general and len(certain_lots(general.lots)) > LOTS:
            return ThrowUnreadable(reason="count", lots=general.lots)
        if judge is None or judged is None:
            assert general is not None
            return general
        if isinstance(judged, ThrowSeen) and (judge.is_sure(judged) or (general and confirms(general, judged))):
            return judged
        if isinstance(judged, ThrowSeen):
            return ThrowUnreadable(reason="unclear", lots=tuple(doubted(judged.lots)))
        if general is None:
            return judged
        certain = judged.reason != "touching" and not judge.mixes_up
        if isinstance(general, ThrowSeen) and certain and confirms(judged, general):
            return general
        strange = [replace(lot, face=Face.UNKNOWN, confidence=0.0) for lot in unmatched(general.lots, judged.lots)]
        lots = (*judged.lots, *strange)
        return replace(judged, lots=lots) if len(lots) == LOTS else judged

    def _by_measuring(self, picture: RegisteredPicture) -> tuple[Difference | None, ThrowSeen | ThrowUnreadable | None]:
        """The difference from the empty tray, None if that is not found, and the measured reader's answer.

        Both are None if it could not be taught.
        """
        if self._measured is None:
            return None, None
        seen = self._measured.compare(picture)
        return seen, self._measured.read(picture, seen) if seen else ThrowUnreadable(reason="moved")

    @property
    def _is_corrected(self) -> bool:
        """Whether players put readings of sticks right: only the measured reader learns from that, and reads alone."""
        return self._measured is not None and bool(self.profile.shown)

    @property
    def _reads_sticks(self) -> bool:
        return bool(self._measured) or (self._general is not None and self._general.lesson.shape.is_long)

    @property
    def _judge_may_read_alone(self) -> bool:
        """Whether it knows small lots here, and mixes up no face. Of sticks it would overlook a fifth one."""
        return self._judged is not None and not self._judged.reads_sticks and not self._judged.mixes_up

    def _read_sticks(self, picture: RegisteredPicture) -> ThrowSeen | ThrowUnreadable:
        """What the measured reader or the others read of sticks, if the judged one sees none that does not lie flat."""
        seen, first = self._by_measuring(picture)
        if first and seen is None:
            return first
        moves = seen.moves if seen else ()
        judged = self._judged.read(picture, moves) if self._judged else None
        if isinstance(judged, ThrowUnreadable) and judged.reason == "leaning" and hides_a_face(judged.lots):
            return first if isinstance(first, ThrowUnreadable) else judged
        if seen and isinstance(first, ThrowSeen):
            return self._confirmed(first, picture, seen, judged)
        assert not isinstance(first, ThrowSeen)
        return self._sticks_again(first, judged, picture, moves)

    def _sticks_again(
        self,
        first: ThrowUnreadable | None,
        judged: ThrowSeen | ThrowUnreadable | None,
        picture: RegisteredPicture,
        moves: Sequence[Move],
    ) -> ThrowSeen | ThrowUnreadable:
        """What the judged or the general reader reads of sticks, if another reader found the same four.

        To confirm it the judged one may only doubt a face, the measured one also whether sticks that touch lie flat,
        and the general one anything. first, judged : what those two read, if they could be taught.
        """
        if first and sees_four(first) and isinstance(judged, ThrowSeen) and confirms(first, judged):
            return judged
        general = self._general.read(picture, moves) if self._general else None
        pairs: list[tuple[ThrowSeen | ThrowUnreadable | None, ThrowSeen | ThrowUnreadable | None]] = [(judged, general)]
        if judged and sees_four(judged):
            pairs.append((general, judged))
        if first and first.reason in STICKS_ANSWERABLE:
            pairs.append((general, first))
        for read, other in pairs:
            if not isinstance(read, ThrowSeen) or other is None or not confirms(other, read):
                continue
            if not any(one and overrules(one, read) for one in (first, judged, general)):
                return read
        if first is not None:
            return first
        assert general is not None
        if judged is None or isinstance(general, ThrowUnreadable):
            return general
        return ThrowUnreadable(reason="unclear", lots=tuple(doubted(general.lots)))

    def _confirmed(
        self,
        first: ThrowSeen,
        picture: RegisteredPicture,
        seen: Difference,
        judged: ThrowSeen | ThrowUnreadable | None,
    ) -> ThrowSeen | ThrowUnreadable:
        """The measured reader's result, if it is reliable by itself or another reader comes to the same count."""
        assert self._measured is not None
        checked = self._check is not None and not self._check.contradicts(picture.pixels, first.lots, seen.moves)
        # It may not read its own calibration's pictures, take one of the faces there for the opposite one, or have been
        # told where the lots lie because its masks mix things up.
        if checked and min(self.leads) >= 0 and not self._measured.told:
            return first
        # Where looks speak against it the general reader, which compares them alike, is no further witness.
        general = self._general if checked or self._check is None else None
        seconds = (judged, general.read(picture, seen.moves) if general else None)
        if any(isinstance(second, ThrowSeen) and second.marked == first.marked for second in seconds):
            return first
        return ThrowUnreadable(reason="unclear", lots=first.lots)

"""Reads the count of a settled throw from a picture, or gives the reason why it cannot."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from hardware.reader.reading_comparison import (
    area,
    certain_lots,
    confirms,
    contradict,
    hides_a_face,
    is_beside,
    is_same_lot,
    overrules,
    sees_four,
    shows,
    unmatched,
)
from hardware.reader.taught_lots import LOTS
from hardware.reader.tray import Difference
from hardware.reader.tray_moves import Move
from hardware.registration.sheet_registration import RegisteredPicture, SheetRegistration

STICKS_ANSWERABLE = frozenset({"touching", "leaning", "unclear"})
SMALL_ANSWERABLE = STICKS_ANSWERABLE | {"covered"}
"""Reasons of the measured reader that the general one may settle for sticks and for small lots. With more of them it
would overlook a fifth stick that lies half on another, or that a small lot is missing."""

PART = 0.5
"""Share of a small lot's area below which a thing may be a part of one. Lower takes parts of a fifth lot for crumbs."""


class ThrowReader:
    """Reads throws of the lots and the tray in ``profile``. Stateless between pictures, so threads may share it.

    Of sticks the measured reader's answer counts, unless the judged one is certain that one does not lie flat. Where it
    asks or cannot be taught, the judged and the general reader look too; what one of these reads counts if another has
    found the same four, and the measured one no fifth beside them. Small lots are read by the judged reader, if the
    measured one knows no fifth, and by the other two where that is not sure.
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
        reader.profile = replace(reader.profile, separation=reader._taught.separation)
        return reader

    def _measured_reader(self) -> MeasuredReader | None:
        """The measured reader; where it does not find the lots, it is told where the general reader does.

        None if it cannot be taught and another can; if none can read alone, its refusal is raised.
        """
        pictures = self.profile.empty, self.profile.marked, self.profile.plain
        try:
            return MeasuredReader(*pictures, self.profile.shown)
        except ProfileUnusable as refusal:
            if isinstance(refusal, TrayMoved):
                raise
            if self._general is not None and not isinstance(refusal, FacesAlike):
                with suppress(ProfileUnusable):
                    return MeasuredReader(*pictures, self.profile.shown, self._general.outlines)
            if self._general is None and not self._judge_may_read_alone:
                raise
            return None

    @property
    def leads(self) -> tuple[float, ...]:
        """Margin by which the other taught faces recognise each face of the calibration; below 0 they do not."""
        return self._taught.leads

    @property
    def _taught(self) -> MeasuredReader | GeneralReader | JudgedReader:
        taught = self._measured or self._general or self._judged
        assert taught is not None
        return taught

    @cached_property
    def _general(self) -> GeneralReader | None:
        """The general reader, taught on first use because that takes as long as several readings."""
        try:
            return general_reader(self.profile.empty, self.profile.marked, self.profile.plain)
        except ProfileUnusable:
            return None

    @cached_property
    def _judged(self) -> JudgedReader | None:
        """The judged reader, taught on first use; None if it cannot be."""
        try:
            return judged_reader(self.profile.empty, self.profile.marked, self.profile.plain)
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
        if self._reads_sticks:
            return self._read_sticks(picture)
        judge = self._judged
        if judge is None:
            return self._measured_first(picture)
        judged = judge.read(picture)
        is_final = judge.is_sure(judged) if isinstance(judged, ThrowSeen) else judged.reason == "leaning"
        if is_final:
            return (self._with_a_fifth(picture) if isinstance(judged, ThrowSeen) else None) or judged
        if self._measured is None and self._general is None:
            reason = judged.reason if isinstance(judged, ThrowUnreadable) else "unclear"
            return ThrowUnreadable(reason=reason, lots=judged.lots)
        other = self._measured_first(picture, judged)
        if isinstance(other, ThrowUnreadable):
            return other
        agreed = isinstance(judged, ThrowSeen) and judged.marked == other.marked
        misses = isinstance(judged, ThrowUnreadable) and judged.reason != "moved" and len(judged.lots) < LOTS
        if misses or (judge.mixes_up and not agreed):
            return ThrowUnreadable(reason="unclear", lots=other.lots)
        return other

    def _with_a_fifth(self, picture: RegisteredPicture) -> ThrowUnreadable | None:
        """What the measured reader sees if it knows the faces of five small lots: the judged one took one for none."""
        _, first = self._by_measuring(picture)
        return replace(first, reason="count") if isinstance(first, ThrowUnreadable) and _knows_five(first) else None

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
        """Whether players have put readings right. Only the measured reader learns from that, and so reads alone."""
        return self._measured is not None and bool(self.profile.shown)

    @property
    def _reads_sticks(self) -> bool:
        if self._measured:
            return self._measured.reads_sticks
        return self._general is not None and self._general.lesson.shape.is_long

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

    def _measured_first(
        self, picture: RegisteredPicture, judged: ThrowSeen | ThrowUnreadable | None = None
    ) -> ThrowSeen | ThrowUnreadable:
        """Read small lots with the measured reader, and with the others where it asks.

        judged : the judged reading, if known.
        """
        seen, first = self._by_measuring(picture)
        if first is None:
            assert self._general is not None
            return self._general.read(picture)
        if seen is None:
            return first
        if isinstance(first, ThrowSeen):
            return self._confirmed(first, picture, seen, judged)
        return self._small_again(first, picture, seen, judged)

    def _small_again(
        self,
        first: ThrowUnreadable,
        picture: RegisteredPicture,
        seen: Difference,
        judged: ThrowSeen | ThrowUnreadable | None,
    ) -> ThrowSeen | ThrowUnreadable:
        """Let the general reader, and then the judged one, settle what the measured one asks about small lots."""
        if first.reason in SMALL_ANSWERABLE and self._general and not _knows_five(first):
            for reader, second in self._readings(picture, seen, judged):
                joined = self._joined(first, second, picture, seen, reader)
                if joined:
                    return joined
        return first

    def _readings(
        self,
        picture: RegisteredPicture,
        seen: Difference,
        judged: ThrowSeen | ThrowUnreadable | None,
        *,
        general: bool = True,
    ) -> Iterator[tuple[GeneralReader | JudgedReader, ThrowSeen | ThrowUnreadable]]:
        """The general reader and the judged one, if they could be taught, each with its reading when that is asked for.

        judged : the judged reading, if known. general : False for the judged one alone.
        """
        if general and self._general is not None:
            yield self._general, self._general.read(picture, seen.moves)
        if self._judged is not None:
            yield self._judged, judged or self._judged.read(picture, seen.moves)

    def _joined(
        self,
        first: ThrowUnreadable,
        second: ThrowSeen | ThrowUnreadable,
        picture: RegisteredPicture,
        seen: Difference,
        reader: GeneralReader | JudgedReader,
    ) -> ThrowSeen | None:
        """The four small lots of which either reader is certain; None if they are not four, or not all there is.

        reader : the one that gave the second reading.
        """
        assert self._general is not None
        whole = first.reason == "unclear" or reader is self._judged
        if whole and isinstance(second, ThrowUnreadable):
            return None
        lots = certain_lots(second.lots)
        known = certain_lots(first.lots) if self._check else []
        if contradict(known, lots):
            return None
        lots += [lot for lot in known if not any(is_same_lot(lot, other) for other in lots)]
        if len(lots) != LOTS or not all(any(shows(one, lot) for one in first.lots) for lot in lots):
            return None
        # A lot that looked like neither face must be as certain as the taught ones: it may be another make of lot.
        strange = [one for one in first.lots if one.face is Face.UNKNOWN and one.confidence > 0]
        if any(is_same_lot(one, lot) and lot.confidence < reader.least_confidence for one in strange for lot in lots):
            return None
        # A clump is given as often as the lots that it may be.
        if any(0 < sum(shows(one, lot) for lot in lots) < first.lots.count(one) for one in first.lots):
            return None
        left = unmatched(first.lots, lots)
        if reader is self._judged:
            # It looked at whatever lies alone and may be a lot, and saw that it is none.
            left = [one for one in left if any(is_beside(one, lot) or area(one) < PART * area(lot) for lot in lots)]
        if self._general.leaves_out(picture, lots, left, seen.moves):
            return None
        if self._check and self._check.contradicts(picture.pixels, lots, seen.moves):
            return None
        confidence = float(np.prod([lot.confidence for lot in lots]))
        return ThrowSeen(marked=sum(lot.face is Face.MARKED for lot in lots), confidence=confidence, lots=tuple(lots))

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
        seconds = self._readings(picture, seen, judged, general=checked or self._check is None)
        if any(isinstance(second, ThrowSeen) and second.marked == first.marked for _, second in seconds):
            return first
        return ThrowUnreadable(reason="unclear", lots=first.lots)


def _knows_five(first: ThrowUnreadable) -> bool:
    """Whether a reading knows the faces of more small lots than were thrown."""
    return len(certain_lots(first.lots)) > LOTS

"""The reader of a running game: it remembers its last pictures, and can be replaced by a better one at any time."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass, replace
from threading import Lock
from uuid import uuid4

import cv2

from companion.cases.case_collector import ReadingSource
from companion.cases.case_folder import CaseFolder
from companion.cases.training_record import TrainingRecord
from companion.errors import ProfileUnusable
from companion.referee.events import ThrowSeen, ThrowUnreadable
from companion.service.malloc import release_free
from hardware.cameras.camera import Pixels
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader

log = logging.getLogger(__name__)

REMEMBERED_READINGS = 4
"""Pictures kept in memory, about 4 MB each. A throw takes two or more readings. More keeps the exact picture of a
throw that is corrected late; fewer saves memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Basis:
    """What a reading is based on: a calibration, and which of the profiles trained from it, if any."""

    calibrated: Profile
    name: str
    sticks: str
    profile: str


class SwappableReader:
    """Reads with the newest profile of a calibration. The camera's thread reads; other threads may query and reload.

    folder: where cases and trained profiles are stored. Nothing is written there before the first case.
    """

    def __init__(self, folder: CaseFolder) -> None:
        self._folder, self._lock = folder, Lock()
        self._basis: _Basis | None = None
        self._reader: ThrowReader | None = None
        self._recent: OrderedDict[str, tuple[Pixels, _Basis]] = OrderedDict()
        self._reading = False

    @property
    def is_reading(self) -> bool:
        """Whether a picture is being read now."""
        return self._reading

    @property
    def calibration(self) -> str:
        """The name of the present calibration; empty before there is one."""
        return self._basis.name if self._basis else ""

    def use_calibration(self, profile: Profile, sticks: str, *, reader: ThrowReader | None = None) -> SwappableReader:
        """Read with a calibration and what has been trained from it so far. Returns this reader.

        sticks: the name of the set of lots. reader: has been fitted to the profile already.
        """
        # A calibration is identified by its pictures, not by the name of the sticks.
        name = replace(profile, name="").sticks.removeprefix("#")
        reader = reader or ThrowReader(profile)
        with self._lock:
            self._basis = _Basis(calibrated=profile, name=name, sticks=sticks, profile="")
            self._reader = reader
        self.reload()
        release_free()
        return self

    def reload(self) -> None:
        """Switch to the best profile trained so far."""
        now = self._basis
        if now is None:
            return
        place = self._folder.calibration(now.name)
        best = TrainingRecord.of(place).profile
        if best == now.profile:
            return
        try:
            profile = Profile.load(place / best) if best else now.calibrated
        except ProfileUnusable as error:
            log.warning("Cannot use the trained profile: %s", error)
            return
        reader = ThrowReader(profile)
        with self._lock:
            if self._basis is now:
                self._reader, self._basis = reader, replace(now, profile=best)

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
        """Read a picture as ThrowReader does, and remember it by the reading's id."""
        reading_id = uuid4().hex
        with self._lock:
            assert self._reader is not None
            assert self._basis is not None
            reader = self._reader
            self._recent[reading_id] = pixels, self._basis
            if len(self._recent) > REMEMBERED_READINGS:
                self._recent.popitem(last=False)
        self._reading = True
        try:
            return replace(reader.read(pixels), reading_id=reading_id)
        finally:
            self._reading = False
            release_free()

    def source(self, reading_id: str) -> ReadingSource | None:
        """Return the calibration and, if it is remembered, the exact picture of a reading; None before a calibration.

        Raises ProfileUnusable if the calibration cannot be stored with its cases.
        """
        with self._lock:
            pixels, basis = self._recent.get(reading_id, (None, self._basis))
        if basis is None:
            return None
        place = self._folder.calibration(basis.name)
        if not any(place.glob("*.npz")):
            basis.calibrated.save(place)
        png = None if pixels is None else cv2.imencode(".png", pixels)[1].tobytes()
        return ReadingSource(sticks=basis.sticks, calibration=basis.name, png=png)

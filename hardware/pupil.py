"""The reader that watches a game: it remembers what it has just read, and is replaced by a better one in mid-game."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass, replace
from threading import Lock

import cv2

from companion.cases.folder import CaseFolder
from companion.cases.keeper import Source
from companion.cases.lore import Lore
from companion.errors import ProfileUnusable
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.camera import Pixels
from hardware.pictures import encode
from hardware.profile import Profile
from hardware.throw_reader import ThrowReader

log = logging.getLogger(__name__)

REMEMBERED = 4
"""Pictures held in memory, some 4 MB each: a throw is looked at twice or more before it is believed. More keeps a case
exact where something stirs between reading and correcting, fewer saves memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lore:
    """What the present reader goes by: a calibration, and which profile of those made from it."""

    calibrated: Profile
    name: str
    sticks: str
    profile: str


class Pupil:
    """Reads as it was taught and with what it has learnt since. The camera's thread reads; others may ask and swap.

    folder: where cases are kept and what was learnt from them. Nothing is written there before the first case.
    """

    def __init__(self, folder: CaseFolder) -> None:
        self._folder, self._lock = folder, Lock()
        self._lore: _Lore | None = None
        self._reader: ThrowReader | None = None
        self._last: deque[tuple[Pixels, _Lore]] = deque(maxlen=REMEMBERED)
        self._reading = False

    @property
    def is_reading(self) -> bool:
        """Whether a throw is being read at this moment."""
        return self._reading

    @property
    def calibration(self) -> str:
        """What the present calibration is called; empty before there is one."""
        return self._lore.name if self._lore else ""

    def taught(self, profile: Profile, sticks: str) -> Pupil:
        """This reader, from now on with that calibration and what was learnt beside it before.

        sticks: what the set of lots is called here.
        """
        # Whatever it is called, a calibration is told from others by its pictures.
        name = replace(profile, name="").sticks.removeprefix("#")
        with self._lock:
            self._lore = _Lore(calibrated=profile, name=name, sticks=sticks, profile="")
            self._reader = ThrowReader(profile)
        self.adopt()
        return self

    def adopt(self) -> None:
        """Read with the best profile that there is by now."""
        now = self._lore
        if now is None:
            return
        place = self._folder.calibration(now.name)
        best = Lore.of(place).profile
        if best == now.profile:
            return
        try:
            profile = Profile.load(place / best) if best else now.calibrated
        except ProfileUnusable as error:
            log.warning("What was learnt cannot be used: %s", error)
            return
        reader = ThrowReader(profile)
        with self._lock:
            if self._lore is now:
                self._reader, self._lore = reader, replace(now, profile=best)

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
        """What that picture shows, as ThrowReader says it."""
        with self._lock:
            assert self._reader is not None
            assert self._lore is not None
            reader = self._reader
            self._last.append((pixels, self._lore))
        self._reading = True
        try:
            return reader.read(pixels)
        finally:
            self._reading = False

    def source(self, jpeg: bytes) -> Source | None:
        """Where that evidence comes from: the very picture if it is remembered; None before there is a calibration.

        Raises ProfileUnusable where the calibration cannot be kept beside its cases.
        """
        with self._lock:
            last, lore = tuple(self._last), self._lore
        png = None
        for pixels, read_with in reversed(last):
            if encode(pixels).jpeg == jpeg:
                lore, png = read_with, cv2.imencode(".png", pixels)[1].tobytes()
                break
        if lore is None:
            return None
        place = self._folder.calibration(lore.name)
        if not any(place.glob("*.npz")):
            lore.calibrated.save(place)
        return Source(sticks=lore.sticks, calibration=lore.name, png=png)

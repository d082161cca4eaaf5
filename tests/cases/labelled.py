"""Verdicts and cases as a table of drawn sticks would bring them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from companion.cases.case import Case, case_of
from companion.cases.folder import CaseFolder
from companion.referee.events import Face
from companion.referee.verdict import Verdict
from hardware.camera import Pixels
from hardware.pictures import encode
from hardware.profile import Profile, calibrate
from hardware.pupil import Pupil
from hardware.throw_reader import ThrowReader
from tests.hardware.drawing import calibration

AT = "2026-11-21T20:{:02}:00.000+00:00"


def verdict(profile: Profile, pixels: Pixels, marked: int, *, number: int = 1, faces: tuple[Face, ...] = ()) -> Verdict:
    """What the players said of the reading of that picture, the ``number``-th event, so many minutes past eight."""
    return Verdict(
        number=number,
        at=AT.format(number),
        reading=ThrowReader(profile).read(pixels),
        jpeg=encode(pixels).jpeg,
        marked=marked,
        faces=faces,
    )


class School:
    """A table's folder of cases, and a reader taught drawn sticks."""

    def __init__(self, data: Path) -> None:
        self.data, self.folder = data, CaseFolder(data)
        self.profile = replace(calibrate(*calibration()), name="Drawn")
        self.pupil = Pupil(self.folder).taught(self.profile, "Drawn")

    @property
    def place(self) -> Path:
        """Where the calibration is kept."""
        return self.folder.calibration(self.pupil.calibration)

    def tell(self, pixels: Pixels, marked: int, *, number: int = 1, faces: tuple[Face, ...] = ()) -> Case:
        """Have that picture read, and keep it with what the players say of it."""
        self.pupil.read(pixels)
        said = verdict(self.profile, pixels, marked, number=number, faces=faces)
        source = self.pupil.source(said.jpeg)
        assert source is not None
        assert source.png is not None
        case = case_of(said, sticks=source.sticks, calibration=source.calibration, exact=True)
        self.folder.keep(case, source.png)
        return case

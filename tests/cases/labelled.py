"""Player verdicts and cases, as a table with drawn sticks produces them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from companion.cases.case import Case, case_from
from companion.cases.case_folder import CaseFolder
from companion.referee.events import Face
from companion.referee.labelled_reading import LabelledReading
from hardware.cameras.camera import Pixels
from hardware.cameras.picture_files import encode_picture
from hardware.reader.profile import Profile
from hardware.tracking.swappable_reader import SwappableReader
from tests.hardware.reader.drawing import taught_reader

AT = "2026-11-21T20:{:02}:00.000+00:00"


@cache
def drawn_profile() -> Profile:
    return replace(taught_reader().profile, name="Drawn")


class School:
    """A table's folder of cases, and a reader calibrated for drawn sticks."""

    def __init__(self, data: Path) -> None:
        self.data, self.folder = data, CaseFolder(data)
        self.profile = drawn_profile()
        self.reader = SwappableReader(self.folder).use_calibration(self.profile, "Drawn", reader=taught_reader())

    @property
    def place(self) -> Path:
        """The folder of the calibration."""
        return self.folder.calibration(self.reader.calibration)

    def tell(self, pixels: Pixels, marked: int, *, number: int = 1, faces: tuple[Face, ...] = ()) -> Case:
        """Read that picture, and keep it with the players' verdict, at ``number`` minutes past eight."""
        reading = self.reader.read(pixels)
        said = LabelledReading(
            number=number,
            at=AT.format(number),
            reading=reading,
            jpeg=encode_picture(pixels).jpeg,
            marked=marked,
            faces=faces,
        )
        source = self.reader.source(reading.reading_id)
        assert source is not None
        assert source.png is not None
        case = case_from(said, sticks=source.sticks, calibration=source.calibration, exact=True)
        self.folder.keep(case, source.png)
        return case

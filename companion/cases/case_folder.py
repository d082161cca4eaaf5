"""The folder that cases are kept in: each whole or not at all, whenever the power goes."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from companion.advice.keeping import replacing, to_disk
from companion.cases.case import SPELLING, Case, Outcome
from companion.errors import Unknown

FILE = "case.json"
CALIBRATIONS = "calibrations"

MOST_TOLD = 100
"""Cases kept in which the players had to help. Higher fills the card (up to some 2 MB each, so 200 MB) and makes
learning slower, because each is read again; lower forgets sooner what the reader once could not do."""

MOST_RIGHT = 12
"""Cases kept in which the reader was right, the newest: learning must leave them as they are. Higher guards better
against a slip of the players' fingers and costs time as above."""


class CaseFolder:
    """The cases of one table, in ``data``/cases. Made with the first case; any process may look into it.

    cases/57-1a2b3c/case.json, picture.png
    cases/calibrations/0a1b2c3d/           what the reader had been taught, and what it has learnt since
    """

    def __init__(self, data: Path) -> None:
        self.path = data / "cases"

    def calibration(self, name: str) -> Path:
        """Where the profile of that calibration belongs."""
        return self.path / CALIBRATIONS / name

    def calibrations(self) -> list[Path]:
        """The folders of all calibrations that cases were kept of."""
        place = self.path / CALIBRATIONS
        return sorted(one for one in place.iterdir() if one.is_dir()) if place.is_dir() else []

    def sweep(self, present: str) -> None:
        """Take away the calibrations that no case is of any more, but the present one. Raises OSError."""
        needed = {present, *(case.calibration for case in self.all())}
        for place in self.calibrations():
            if place.name not in needed:
                shutil.rmtree(place)

    def all(self) -> list[Case]:
        """The cases, oldest first. One that is damaged or being taken away is passed over."""
        if not self.path.is_dir():
            return []
        names = [one.name for one in self.path.iterdir() if one.name != CALIBRATIONS and not one.name.startswith(".")]
        found = [case for case in map(self._load, names) if case is not None]
        return sorted(found, key=lambda case: (case.at, case.id))

    def get(self, name: str) -> Case:
        """The case of that id. Raises Unknown."""
        for case in self.all():
            if case.id == name:
                return case
        raise Unknown(f"There is no case '{name[:40]}' in '{self.path}'; puluc cases lists them.")

    def picture(self, case: Case) -> Path:
        """The file with its picture."""
        return self.path / case.id / case.picture

    def keep(self, case: Case, picture: bytes) -> None:
        """Keep a case, on the disk when this returns; or the new truth of one that is kept already.

        Raises OSError; then it is not kept, or as it was.
        """
        there = self._load(case.id)
        if there is not None:
            self._write(there.id, replace(there, marked=case.marked, faces=case.faces))
            return
        if not self.path.is_dir():
            self.path.mkdir(parents=True)
            to_disk(self.path.parent)
        _sweep(self.path.glob(".new-*"))
        fresh = self.path / f".new-{case.id}"
        fresh.mkdir()
        with replacing(fresh / case.picture) as file:
            file.write_bytes(picture)
        self._write(fresh.name, case)
        fresh.rename(self.path / case.id)
        to_disk(self.path)

    def forget(self, names: Iterable[str]) -> None:
        """Take those cases away. Raises OSError."""
        _sweep(self.path.glob(".old-*"))
        for name in names:
            if (self.path / name).is_dir():
                # Out of sight first, so that nobody ever finds half of one.
                (self.path / name).rename(self.path / f".old-{name}")
        _sweep(self.path.glob(".old-*"))

    def superfluous(self, taught: frozenset[str] = frozenset()) -> list[str]:
        """The ids of the oldest cases beyond those that are to be kept. taught: those that something was learnt from,
        which go last."""
        cases = self.all()
        right = [case for case in cases if case.outcome is Outcome.RIGHT]
        told = [case for case in cases if case.outcome is not Outcome.RIGHT]
        told.sort(key=lambda case: case.id in taught)
        gone = right[:-MOST_RIGHT] + told[: max(0, len(told) - MOST_TOLD)]
        return [case.id for case in gone]

    def _load(self, name: str) -> Case | None:
        try:
            case = SPELLING.validate_json((self.path / name / FILE).read_bytes())
        except (OSError, ValidationError):
            return None
        return case if case.id == name and Path(case.picture).name == case.picture else None

    def _write(self, name: str, case: Case) -> None:
        with replacing(self.path / name / FILE) as file:
            file.write_bytes(SPELLING.dump_json(case, indent=1))


def _sweep(left: Iterable[Path]) -> None:
    """Take away what was begun and never finished, or gone but not yet removed."""
    for path in left:
        shutil.rmtree(path, ignore_errors=True)

"""The folder of cases, which survives a power cut: a case is complete or absent."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from companion.cases.case import CASE_JSON, Case, Outcome
from companion.errors import Unknown
from companion.storage.atomic_file import replacing, to_disk

FILE = "case.json"
CALIBRATIONS = "calibrations"

MAX_CORRECTED = 100
"""Cases to keep that the reader asked about or misread. Higher fills the card (up to 2 MB each, so 200 MB) and slows
learning, which reads each again; lower forgets old failures sooner."""

MAX_RIGHT = 12
"""Newest right readings to keep; learning must not change them. Higher protects better against wrong labels, and
costs time as above."""


class CaseFolder:
    """The cases of one table, in ``data``/cases. Created with the first case; other processes may read it.

    cases/57-1a2b3c/case.json, picture.png
    cases/calibrations/0a1b2c3d/           the reader's profile, and profiles learnt since
    """

    def __init__(self, data: Path) -> None:
        self.path = data / "cases"

    def calibration(self, name: str) -> Path:
        """The folder of a calibration's profile."""
        return self.path / CALIBRATIONS / name

    def calibrations(self) -> list[Path]:
        """The folders of all calibrations that have cases."""
        place = self.path / CALIBRATIONS
        return sorted(one for one in place.iterdir() if one.is_dir()) if place.is_dir() else []

    def sweep(self, present: str) -> None:
        """Remove calibrations without cases, except the present one. Raises OSError."""
        needed = {present, *(case.calibration for case in self.all())}
        for place in self.calibrations():
            if place.name not in needed:
                shutil.rmtree(place)

    def all(self) -> list[Case]:
        """The cases, oldest first, without damaged ones and ones being removed."""
        if not self.path.is_dir():
            return []
        names = [one.name for one in self.path.iterdir() if one.name != CALIBRATIONS and not one.name.startswith(".")]
        found = [case for case in map(self._load, names) if case is not None]
        # A clock may jump back, and the events of a new file are numbered from 1 again.
        return sorted(found, key=lambda case: (case.sequence, case.at, case.id))

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
        """Save a case durably, or update the labels of a case that is there already.

        Raises OSError; then nothing has changed.
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
        sequence = 1 + max((one.sequence for one in self.all()), default=0)
        self._write(fresh.name, replace(case, sequence=sequence))
        fresh.rename(self.path / case.id)
        to_disk(self.path)

    def forget(self, names: Iterable[str]) -> None:
        """Remove cases. Raises OSError."""
        _sweep(self.path.glob(".old-*"))
        for name in names:
            if (self.path / name).is_dir():
                # Renamed first, so that no partly removed case is ever found.
                (self.path / name).rename(self.path / f".old-{name}")
        _sweep(self.path.glob(".old-*"))

    def superfluous(self, taught: frozenset[str] = frozenset()) -> list[str]:
        """The ids of the oldest cases beyond the limits. taught: cases that a profile was made from, removed last."""
        cases = self.all()
        right = [case for case in cases if case.outcome is Outcome.RIGHT]
        corrected = [case for case in cases if case.outcome is not Outcome.RIGHT]
        corrected.sort(key=lambda case: case.id in taught)
        gone = right[:-MAX_RIGHT] + corrected[: max(0, len(corrected) - MAX_CORRECTED)]
        return [case.id for case in gone]

    def _load(self, name: str) -> Case | None:
        try:
            case = CASE_JSON.validate_json((self.path / name / FILE).read_bytes())
        except (OSError, ValidationError):
            return None
        return case if case.id == name and Path(case.picture).name == case.picture else None

    def _write(self, name: str, case: Case) -> None:
        with replacing(self.path / name / FILE) as file:
            file.write_bytes(CASE_JSON.dump_json(case, indent=1))


def _sweep(left: Iterable[Path]) -> None:
    """Remove unfinished and half-removed folders."""
    for path in left:
        shutil.rmtree(path, ignore_errors=True)

"""The record of learning, beside each calibration: the best profile and the cases it was made from."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from companion.cases.case import Case
from companion.storage.atomic_file import replacing

FILE = "learnt.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRecord:
    """The best profile of a calibration so far.

    profile: the name of its folder; empty for the calibration's own.
    taught, tried: labels by case id: of the cases it was made from, and of those that learning was tried with.
    """

    profile: str = ""
    taught: dict[str, str] = field(default_factory=dict)
    tried: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, calibration: Path) -> TrainingRecord:
        """Load the record of a calibration; an empty one if the file is missing or damaged."""
        try:
            record = _RECORD_JSON.validate_json((calibration / FILE).read_bytes())
        except (OSError, ValidationError):
            return cls()
        return record if record.profile.isdecimal() or not record.profile else cls()

    def stands(self, cases: Sequence[Case]) -> bool:
        """Whether the labels that the profile was made from are unchanged."""
        now = truths(cases)
        return all(now.get(name) == truth for name, truth in self.taught.items())

    def untried(self, cases: Sequence[Case]) -> list[Case]:
        """The cases to learn from, newest first."""
        return [case for case in reversed(cases) if case.teaches and self.tried.get(case.id) != _truth(case)]

    def after(self, tried: Sequence[Case], taught: Sequence[str]) -> TrainingRecord:
        """The record after learning was tried with those cases and used those ids."""
        now = truths(tried)
        return replace(
            self, tried={**self.tried, **now}, taught={**self.taught, **{name: now[name] for name in taught}}
        )

    def keep(self, calibration: Path) -> None:
        """Save the record and remove all other learnt profiles. Raises OSError."""
        with replacing(calibration / FILE) as file:
            file.write_bytes(_RECORD_JSON.dump_json(self, indent=1))
        for number in _profiles(calibration):
            if str(number) != self.profile:
                shutil.rmtree(calibration / str(number), ignore_errors=True)


_RECORD_JSON = TypeAdapter(TrainingRecord)


def truths(cases: Sequence[Case]) -> dict[str, str]:
    """The labels of each case, by id."""
    return {case.id: _truth(case) for case in cases}


def _truth(case: Case) -> str:
    return f"{case.marked} {' '.join(case.faces)}"


def next_profile(calibration: Path) -> str:
    """An unused name for a profile's folder."""
    return str(max(_profiles(calibration), default=0) + 1)


def _profiles(calibration: Path) -> list[int]:
    return [int(one.name) for one in calibration.iterdir() if one.name.isdecimal()]

"""What has been learnt from which cases, beside the calibration that it goes beyond."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from companion.advice.keeping import replacing
from companion.cases.case import Case

FILE = "learnt.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Lore:
    """Which profile of a calibration's folder is the best so far.

    profile: the name of its folder there; empty while that is the calibration's own.
    taught, tried: the truths, by the cases' ids, that it was made from, and that learning was tried with.
    """

    profile: str = ""
    taught: dict[str, str] = field(default_factory=dict)
    tried: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, calibration: Path) -> Lore:
        """What has been learnt there. Nothing, where what was written down is damaged."""
        try:
            lore = _SPELLING.validate_json((calibration / FILE).read_bytes())
        except (OSError, ValidationError):
            return cls()
        return lore if lore.profile.isdecimal() or not lore.profile else cls()

    def stands(self, cases: Sequence[Case]) -> bool:
        """Whether all that it was made from is still held true."""
        now = truths(cases)
        return all(now.get(name) == truth for name, truth in self.taught.items())

    def untried(self, cases: Sequence[Case]) -> list[Case]:
        """The cases to learn from, the newest first."""
        return [case for case in reversed(cases) if case.teaches and self.tried.get(case.id) != _truth(case)]

    def after(self, tried: Sequence[Case], taught: Sequence[str]) -> Lore:
        """What is known after learning was tried with those, and of some of them by id came to something."""
        now = truths(tried)
        return replace(
            self, tried={**self.tried, **now}, taught={**self.taught, **{name: now[name] for name in taught}}
        )

    def keep(self, calibration: Path) -> None:
        """From now on this holds there; other profiles that were learnt go. Raises OSError."""
        with replacing(calibration / FILE) as file:
            file.write_bytes(_SPELLING.dump_json(self, indent=1))
        for number in _profiles(calibration):
            if str(number) != self.profile:
                shutil.rmtree(calibration / str(number), ignore_errors=True)


_SPELLING = TypeAdapter(Lore)


def truths(cases: Sequence[Case]) -> dict[str, str]:
    """What is held true of each case, by its id."""
    return {case.id: _truth(case) for case in cases}


def _truth(case: Case) -> str:
    return f"{case.marked} {' '.join(case.faces)}"


def next_profile(calibration: Path) -> str:
    """The name of a folder there that no profile has yet."""
    return str(max(_profiles(calibration), default=0) + 1)


def _profiles(calibration: Path) -> list[int]:
    return [int(one.name) for one in calibration.iterdir() if one.name.isdecimal()]

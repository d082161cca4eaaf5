"""The command that started this table, to be typed again with other options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class StartCommand:
    """How this table was started. program: up to the options. is_service: whether systemd starts it."""

    program: str = "puluc play"
    options: tuple[str, ...] = ()
    is_service: bool = False

    @classmethod
    def from_words(cls, words: Sequence[str], folder: Path) -> Self:
        """words: as in ``sys.argv``. folder: where they were typed."""
        started = Path(words[0])
        start = started.parents[1] / "start.py" if started.name == "__main__.py" else None
        if start is None:
            typed = [words[0], "play"]
        elif start.exists():
            typed = ["python3", start.name if start.parent == folder else str(start)]
        else:
            typed = ["python3", "-m", "companion", "play"]
        return cls(program=shlex.join(typed), options=tuple(words[2:]))

    def again(self, *new: str) -> tuple[str, ...]:
        """The program and its options, each with its value, ``new`` in place of those of the same names.

        Addresses are left out, because they may hold a password.

        >>> StartCommand(options=("--data", "my games", "--host=127.0.0.1")).again("--host 0.0.0.0")
        ('puluc play', "--data 'my games'", '--host 0.0.0.0')
        """
        given: list[list[str]] = []
        for word in self.options:
            if word.startswith("--"):
                given.append([])
            given[-1].append(re.sub(r"(?<=://).+", "…", word))
        names = {option.partition(" ")[0] for option in new}
        kept = [shlex.join(option) for option in given if option[0].partition("=")[0] not in names]
        return self.program, *kept, *new

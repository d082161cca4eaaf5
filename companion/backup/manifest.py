"""What a backup holds, as its manifest tells it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.referee.swap import GAMES, KEPT

MANIFEST = "manifest.json"
VERSION = 1
DEEPEST = 6
"""Parts that a file's name in a backup has at most. What is kept has four."""


class Held(BaseModel):
    """A file in the backup: its name there, its size, and the digest of what is in it."""

    model_config = ConfigDict(frozen=True)

    path: str = Field(max_length=300)
    bytes: int = Field(ge=0)
    sha256: str = Field(min_length=64, max_length=64)

    @property
    def is_ours(self) -> bool:
        """Whether a backup may hold a file of that name. Any other could be put where it does harm."""
        parts = PurePosixPath(self.path).parts
        plain = "/".join(parts) == self.path and all(part.isprintable() and "\\" not in part for part in parts)
        if not plain or ".." in parts or len(parts) > DEEPEST:
            return False
        return self.path == GAMES or (parts[0] in KEPT and parts[0] != GAMES and len(parts) > 1)


class Manifest(BaseModel):
    """What a backup says of itself.

    made: when, in UTC. program: the version that made it. games, events, cases: how many of them. sticks: whether the
    camera's profile is in it. solved: the games that had been solved, whose tables are not in it because they can be
    made again.
    """

    model_config = ConfigDict(frozen=True)

    kind: Literal["puluc-backup"] = "puluc-backup"
    version: int = VERSION
    made: str
    program: str
    games: int
    events: int
    cases: int
    sticks: bool
    solved: list[str]
    files: list[Held]

    @property
    def bytes(self) -> int:
        """The size of all that is in it, unpacked."""
        return sum(held.bytes for held in self.files)


def kept_in(folder: Path) -> list[str]:
    """The files of a table's folder that belong into a backup beside the games, by their names in it."""
    found = []
    for name in KEPT:
        if name == GAMES:
            continue
        for path in sorted((folder / name).rglob("*")):
            inside = path.relative_to(folder)
            # What begins with a dot is being written or taken away just now, and so is what ends in .new.
            if path.is_file() and path.suffix != ".new" and not any(part.startswith(".") for part in inside.parts):
                found.append(inside.as_posix())
    return found


def solved_in(folder: Path) -> list[str]:
    """The names of the tables of solved games in a table's folder."""
    place = folder / "tables"
    return sorted(path.name for path in place.iterdir() if path.is_file()) if place.is_dir() else []

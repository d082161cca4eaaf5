"""The manifest of a backup, and which files belong in one."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from companion.storage.restore import GAMES, KEPT

MANIFEST = "manifest.json"
VERSION = 1
DEEPEST = 6
"""Most parts of a file's path in a backup. Ours have four."""


class BackupFile(BaseModel):
    """A file in a backup: its path there, its size and its SHA-256 digest."""

    model_config = ConfigDict(frozen=True)

    path: str = Field(max_length=300)
    bytes: int = Field(ge=0)
    sha256: str = Field(min_length=64, max_length=64)

    @property
    def is_allowed(self) -> bool:
        """Whether a backup may hold a file of that path. Any other could be written where it does harm."""
        parts = PurePosixPath(self.path).parts
        plain = "/".join(parts) == self.path and all(part.isprintable() and "\\" not in part for part in parts)
        if not plain or ".." in parts or len(parts) > DEEPEST:
            return False
        return self.path == GAMES or (parts[0] in KEPT and parts[0] != GAMES and len(parts) > 1)


class Manifest(BaseModel):
    """What a backup says about itself.

    made: when, in UTC. program: the version that made it. games, events, cases: how many of them. sticks: whether the
    camera's profile is included. solved: the names of solved tables, which are left out because they can be computed
    again.
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
    files: list[BackupFile]

    @property
    def bytes(self) -> int:
        """The total size of its files, unpacked."""
        return sum(held.bytes for held in self.files)


def files_to_back_up(folder: Path) -> list[str]:
    """The files of a table's folder that a backup holds besides the games, as paths in it. Links are left out."""
    found = []
    for name in KEPT:
        if name == GAMES:
            continue
        for path in sorted((folder / name).rglob("*")):
            inside = path.relative_to(folder)
            if not path.is_file() or path.is_symlink():
                continue
            # A leading dot or a trailing .new marks what is being written or removed.
            if path.suffix != ".new" and not any(part.startswith(".") for part in inside.parts):
                found.append(inside.as_posix())
    return found


def solved_tables(folder: Path) -> list[str]:
    """The names of the solved tables in a table's folder."""
    place = folder / "tables"
    return sorted(path.name for path in place.iterdir() if path.is_file()) if place.is_dir() else []

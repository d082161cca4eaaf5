"""Replaces the contents of a table's folder atomically, even across a power cut."""

from __future__ import annotations

import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from companion.camera_spec import TaughtFolder
from companion.errors import StoreDamaged
from companion.i18n import _
from companion.storage.atomic_file import to_disk

GAMES = "puluc.sqlite3"
NEWEST = f"{GAMES}-newest"
WITH_GAMES = (NEWEST, f"{GAMES}-wal", f"{GAMES}-shm", f"{GAMES}-journal")
"""Files beside the games that are moved with them."""
LOCK = "puluc.lock"
"""Locked by the process that has the games open."""
KEPT = (GAMES, *TaughtFolder, "cases")
"""The parts of a table's folder that a backup contains."""
READY = "restoring"
PLAN = "plan.json"
ASIDE = "before-restore-"
ASIDE_KEPT = 2
"""How many states from before a restore are kept aside. Higher fills the card, lower leaves no way back from a
mistake."""
DAMAGED = "damaged-"
"""Prefix of the folders for damaged games. They are never removed."""

Name = Annotated[str, StringConstraints(pattern=rf"^({'|'.join(KEPT)})$")]


class Plan(BaseModel):
    """The plan of a restore.

    names: the new files. aside: the folder for the old ones. replaces: names that go aside even without a new file.
    """

    model_config = ConfigDict(frozen=True)

    names: tuple[Name, ...]
    aside: Annotated[str, StringConstraints(pattern=rf"^({ASIDE}|{DAMAGED})\d{{1,9}}$")]
    replaces: tuple[Name, ...] = KEPT


def commit(staged: Path, *, replaces: Collection[str] = KEPT, aside: str = ASIDE) -> None:
    """Replace the table's files with those in ``staged``, a folder within the table's own.

    Before this call the old state is complete; from here on the new one is, even if the power fails before this
    returns: ``finish`` then does the rest. Nobody may have the games open. Raises OSError.

    replaces: files to move aside even if nothing replaces them. aside: the name of the folder for the old files.
    """
    folder = staged.parent
    names = tuple(name for name in KEPT if (staged / name).exists())
    plan = Plan(names=names, aside=next_aside(folder, aside).name, replaces=tuple(replaces))
    (staged / PLAN).write_text(plan.model_dump_json())
    to_disk(staged / PLAN)
    to_disk(staged)
    staged.rename(folder / READY)
    to_disk(folder)
    finish(folder)


def finish(folder: Path) -> None:
    """Finish a restore that was begun; does nothing if there is none.

    Raises OSError, and StoreDamaged if the plan cannot be read; then nothing has changed.
    """
    ready = folder / READY
    if not ready.is_dir():
        return
    if (ready / PLAN).exists():
        plan = _plan(folder)
        aside = folder / plan.aside
        aside.mkdir(exist_ok=True)
        to_disk(folder)
        for name in (*WITH_GAMES, *plan.replaces):
            comes = (ready / name).exists()
            # New files must not go aside again; old ones that the backup lacks still do.
            if (folder / name).exists() and (comes or name not in plan.names):
                _move(folder / name, aside / name)
            if comes:
                _move(ready / name, folder / name)
        (ready / PLAN).unlink()
        to_disk(ready)
    shutil.rmtree(ready)
    for old in asides(folder)[ASIDE_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def asides(folder: Path, prefix: str = ASIDE) -> list[Path]:
    """The folders of earlier states, newest first."""
    numbers = (path.name.removeprefix(prefix) for path in folder.glob(f"{prefix}*"))
    found = sorted((int(number) for number in numbers if number.isascii() and number.isdigit()), reverse=True)
    return [folder / f"{prefix}{number}" for number in found]


def next_aside(folder: Path, prefix: str) -> Path:
    """An unused folder name for an earlier state."""
    newest = asides(folder, prefix)
    return folder / f"{prefix}{int(newest[0].name.removeprefix(prefix)) + 1 if newest else 1}"


def _plan(folder: Path) -> Plan:
    try:
        return Plan.model_validate_json((folder / READY / PLAN).read_bytes())
    except ValidationError as error:
        raise StoreDamaged(
            _(
                "Restoring a backup to '{folder}' was interrupted, and the record of its progress is damaged. Copy "
                "the folder somewhere safe, then restore the backup into a new folder with --data.",
                folder=folder,
            ),
            folder,
        ) from error


def _move(one: Path, to: Path) -> None:
    one.replace(to)
    # Sync the destination first: a file recorded in neither folder would be lost, one in both is only moved again.
    to_disk(to.parent)
    to_disk(one.parent)

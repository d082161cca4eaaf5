"""What a backup brings back takes its place: all of it or nothing, whenever the power goes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from companion.advice.keeping import to_disk

GAMES = "puluc.sqlite3"
WITH_GAMES = (f"{GAMES}-wal", f"{GAMES}-shm", f"{GAMES}-journal")
"""What lies beside the games while they are open; it goes where they go."""
KEPT = (GAMES, "profile", "profile-simulated", "cases")
"""What of a table's folder is kept in a backup."""
READY = "restoring"
PLAN = "plan.json"
ASIDE = "before-restore-"
ASIDE_KEPT = 2
"""How many states from before a restore are kept aside. Higher fills the card, lower leaves no way back from a slip."""


def commit(staged: Path) -> None:
    """Decide that what lies in ``staged``, a folder in the table's own, replaces what is there, and replace it.

    Before this the old state is whole; from here on the new one is, even if the power goes before this returns:
    ``finish`` then does the rest. Nobody may have the games open. Raises OSError.
    """
    folder = staged.parent
    plan = {"names": [name for name in KEPT if (staged / name).exists()], "aside": f"{ASIDE}{_newest(folder) + 1}"}
    (staged / PLAN).write_text(json.dumps(plan))
    to_disk(staged / PLAN)
    to_disk(staged)
    staged.rename(folder / READY)
    to_disk(folder)
    finish(folder)


def finish(folder: Path) -> None:
    """Do what is left of a restore that was decided; nothing where none was. Raises OSError."""
    ready = folder / READY
    if not ready.is_dir():
        return
    if (ready / PLAN).exists():
        plan = json.loads((ready / PLAN).read_text())
        aside = folder / plan["aside"]
        aside.mkdir(exist_ok=True)
        to_disk(folder)
        for name in (*WITH_GAMES, *KEPT):
            comes = (ready / name).exists()
            # What came already must not go away again; what is not in the backup goes aside all the same.
            if (folder / name).exists() and (comes or name not in plan["names"]):
                _move(folder / name, aside / name)
            if comes:
                _move(ready / name, folder / name)
        (ready / PLAN).unlink()
        to_disk(ready)
    shutil.rmtree(ready)
    for old in _asides(folder)[:-ASIDE_KEPT]:
        shutil.rmtree(folder / f"{ASIDE}{old}", ignore_errors=True)


def aside(folder: Path) -> Path | None:
    """Where the state from before the last restore is kept; None where there was none."""
    return folder / f"{ASIDE}{_newest(folder)}" if _asides(folder) else None


def _move(one: Path, to: Path) -> None:
    one.replace(to)
    # In this order: seen in neither place it would be lost, seen in both it is only moved again.
    to_disk(to.parent)
    to_disk(one.parent)


def _asides(folder: Path) -> list[int]:
    numbers = (path.name.removeprefix(ASIDE) for path in folder.glob(f"{ASIDE}*"))
    return sorted(int(number) for number in numbers if number.isascii() and number.isdigit())


def _newest(folder: Path) -> int:
    return max(_asides(folder), default=0)

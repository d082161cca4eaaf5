"""A restore is atomic: the power may be cut between any two of its steps."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.storage import restore
from companion.storage.restore import ASIDE_KEPT, asides, commit, finish
from tests.backup.tables import table, thrown


class PowerCut(BaseException):
    """Raised in place of a power cut."""


def cut_after(steps: int, monkeypatch: pytest.MonkeyPatch, work: Callable[[], object]) -> bool:
    """Allow this many changes of the disk, then cut the power. Returns whether the work was finished."""
    left = steps

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def step(*words: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise PowerCut
            return real(*words, **named)

        return step

    with monkeypatch.context() as cutting:
        for name in ("rename", "replace", "mkdir", "unlink", "write_text"):
            cutting.setattr(Path, name, counting(getattr(Path, name)))
        cutting.setattr(shutil, "rmtree", counting(shutil.rmtree))
        try:
            work()
        except PowerCut:
            return False
    return True


def folders(place: Path) -> tuple[Path, Path]:
    """A table's folder, with another table's games and sticks staged in it."""
    folder = table(place / "old", 4, 1, 2, name="Ana")
    other = table(place / "new", 3, name="Mia")
    staged = folder / ".restore-staged"
    staged.mkdir()
    for name in ("puluc.sqlite3", "profile"):
        (other / name).rename(staged / name)
    return folder, staged


def state(folder: Path) -> tuple[bytes, bool, list[int]]:
    """The sticks, whether there are cases, and the throws."""
    return (folder / "profile" / "profile.npz").read_bytes()[:3], (folder / "cases").exists(), thrown(folder)


OLD, NEW = (b"Ana", True, [4, 1, 2]), (b"Mia", False, [3])


def test_all_comes_and_all_that_was_there_is_kept_aside(tmp_path: Path) -> None:
    """Games, sticks and cases are exchanged together; the code and the solved tables stay."""
    folder, staged = folders(tmp_path)
    commit(staged)
    kept = next(iter(asides(folder)), None)

    assert state(folder) == NEW
    assert kept is not None
    assert state(kept) == OLD
    assert (folder / "code").exists()
    assert (folder / "tables").exists()
    assert not staged.exists()
    assert not (folder / "restoring").exists()


def test_a_power_cut_at_any_step_leaves_the_old_state_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds for a second cut during recovery too. States are never mixed, and nothing is lost."""
    pristine, _ = folders(tmp_path / "pristine")
    seen = set()
    for step in count():
        folder = tmp_path / f"cut-{step}"
        shutil.copytree(pristine, folder)
        done = cut_after(step, monkeypatch, partial(commit, folder / ".restore-staged"))
        cut_after(step % 3, monkeypatch, partial(finish, folder))
        finish(folder)
        seen.add(now := str(state(folder)))
        kept = next(iter(asides(folder)), None)
        assert now in (str(OLD), str(NEW)), step
        if now == str(NEW):
            assert kept is not None
            assert state(kept) == OLD
        shutil.rmtree(folder)
        if done:
            break

    assert seen == {str(OLD), str(NEW)}
    assert step >= 8


def test_only_the_last_states_are_kept_aside(tmp_path: Path) -> None:
    """Repeated restores do not fill the card."""
    folder, staged = folders(tmp_path)
    for _ in range(ASIDE_KEPT + 2):
        commit(staged)
        staged.mkdir()
        shutil.copy(folder / "puluc.sqlite3", staged)

    assert len(list(folder.glob("before-restore-*"))) == ASIDE_KEPT
    assert asides(folder)[0] == folder / f"before-restore-{ASIDE_KEPT + 2}"


def test_a_disk_that_cannot_be_written_leaves_all_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing changes if the restore cannot be recorded."""
    folder, staged = folders(tmp_path)

    def refuse(*_words: object) -> int:
        raise OSError(30, os.strerror(30))

    with monkeypatch.context() as full:
        full.setattr(restore, "to_disk", refuse)
        with pytest.raises(OSError, match="Read-only"):
            commit(staged)

    assert state(folder) == OLD

"""What is packed comes back as it was, and what is no backup is refused before anything is touched."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from companion.backup import unpacking
from companion.backup.contents import Held
from companion.backup.unpacking import STAGED, unpacked
from companion.errors import BackupNotMade, BackupUnusable
from companion.referee import copies
from companion.referee.copies import copied, looked_at
from companion.referee.events import ThrowEntered, Undone
from companion.referee.referee import Referee
from companion.referee.store import MIGRATIONS, Store
from companion.referee.swap import commit
from tests.backup.tables import FIRST, backup_of, table, thrown


def test_everything_comes_back(tmp_path: Path) -> None:
    """Games, sticks and cases; neither the code, nor solved tables, nor what was being taken away."""
    file = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "backup.zip")
    staged, manifest = unpacked(file, tmp_path / "other")
    commit(staged)
    other = tmp_path / "other"

    assert thrown(other) == [4, 1, 2]
    assert (other / "profile" / "profile.npz").read_bytes() == b"Ana" * 1000
    assert (manifest.games, manifest.events, manifest.cases, manifest.sticks) == (1, 4, 1, True)
    assert manifest.solved == ["puluc.table"]
    assert b"secret22" not in file.read_bytes()
    assert sorted(path.relative_to(other).as_posix() for path in other.rglob("*") if path.is_file()) == [
        "cases/3-abc/case.json",
        "profile/profile.npz",
        "puluc.sqlite3",
    ]


def test_a_backup_while_a_game_goes_on_is_of_one_moment(tmp_path: Path) -> None:
    """Copied file by file from a companion that writes all the time, every copy is whole, and none goes back."""
    referee = Referee(Store(tmp_path), first=FIRST)
    chance, ending = Random(1), False

    def play() -> None:
        while not ending:
            referee.submit(
                ThrowEntered(chance.randrange(5)) if chance.random() < 0.6 or not referee.table().before else Undone()
            )

    player = Thread(target=play)
    events = []
    referee.submit(ThrowEntered(1))
    player.start()
    try:
        for number in range(12):
            at_least = referee.snapshot().number
            events.append((at_least, copied(tmp_path, tmp_path / f"copy-{number}").events))
    finally:
        ending = True
        player.join()
        referee.close()

    assert all(found >= at_least for at_least, found in events)
    assert [found for _, found in events] == sorted(found for _, found in events)


def test_a_log_that_is_begun_anew_while_it_is_copied_is_copied_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was torn between two logs is never taken for a copy."""
    folder = table(tmp_path / "one", 4, 1)
    headers = iter([b"one", b"two", b"two", b"two", *[b"three", b"four"] * copies.TRIES])
    (folder / "puluc.sqlite3-wal").write_bytes(b"")
    monkeypatch.setattr(copies, "_header", lambda _log: next(headers))

    assert copied(folder, tmp_path / "copy").events == 3
    with pytest.raises(BackupNotMade, match="change faster"):
        copied(folder, tmp_path / "copy")


def altered(file: Path, name: str, content: bytes | None) -> Path:
    """That backup with one file in it otherwise, or left out."""
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(file.with_name("altered.zip"), "w") as new:
        for entry in old.namelist():
            if entry != name:
                new.writestr(entry, old.read(entry))
        if content is not None:
            new.writestr(name, content)
    return file.with_name("altered.zip")


def manifest_with(file: Path, **changes: object) -> bytes:
    with zipfile.ZipFile(file) as pack:
        return json.dumps({**json.loads(pack.read("manifest.json")), **changes}).encode()


def test_what_is_no_whole_backup_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    """Cut short, altered, of another kind, from a newer program, or holding what is no part of a table."""
    file = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "backup.zip")
    folder = table(tmp_path / "other", 3, name="Mia")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    whole = file.read_bytes()
    (tmp_path / "half.zip").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "letter.zip").write_text("Dear Ana")
    (tmp_path / "hurt.zip").write_bytes(whole[:2000] + bytes(100) + whole[2100:])
    held = json.loads(manifest_with(file))["files"]
    outside = manifest_with(file, files=[*held, {"path": "../../etc/passwd", "bytes": 1, "sha256": "0" * 64}])
    wrong = {
        tmp_path / "half.zip": "no backup",
        tmp_path / "letter.zip": "no backup",
        tmp_path / "hurt.zip": "damaged|no backup",
    }
    for path, why in wrong.items():
        with pytest.raises(BackupUnusable, match=why):
            unpacked(path, folder)
    for name, content, why in (
        ("manifest.json", None, "no backup"),
        ("manifest.json", b"{}", "no backup"),
        ("manifest.json", manifest_with(file, version=2), "newer version"),
        ("manifest.json", outside, "does not hold what it says"),
        ("profile/profile.npz", b"another's", "damaged"),
        ("extra.txt", b"?", "does not hold what it says"),
        ("puluc.sqlite3", None, "does not hold what it says"),
    ):
        with pytest.raises(BackupUnusable, match=why):
            unpacked(altered(file, name, content), folder)

    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert not (folder / STAGED).exists()


@pytest.mark.parametrize(
    "path",
    ["../up", "/etc/passwd", "profile", "profile/../../x", "code", "tables/x", "cases\\x", "profile//x", "cases/a\nb"],
)
def test_no_file_gets_anywhere_else(path: str) -> None:
    """Only names that a backup has are taken from one."""
    assert not Held(path=path, bytes=0, sha256="0" * 64).is_ours


def test_games_that_cannot_be_played_are_refused(tmp_path: Path) -> None:
    """Whole pages are not enough: each game is played through before it may replace another."""
    folder = table(tmp_path / "one", 4, 1)
    with sqlite3.connect(folder / "puluc.sqlite3") as db:
        db.execute("UPDATE events SET kind = 'Passed', body = '{}' WHERE number = 2")
    db.close()
    with pytest.raises(BackupUnusable, match="damaged"):
        unpacked(backup_of(folder, tmp_path / "backup.zip"), tmp_path / "other")
    with sqlite3.connect(folder / "puluc.sqlite3") as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()

    with pytest.raises(BackupUnusable, match="newer version"):
        unpacked(backup_of(folder, tmp_path / "backup.zip"), tmp_path / "other")


def test_damaged_pages_are_found(tmp_path: Path) -> None:
    """A copy with a page of rubbish in it is no copy."""
    folder = table(tmp_path / "one", *[1, 2] * 40)
    file = folder / "puluc.sqlite3"
    data = bytearray(file.read_bytes())
    data[4096 * 2 : 4096 * 4] = Random(1).randbytes(4096 * 2)
    file.write_bytes(data)

    with pytest.raises(BackupUnusable, match="damaged"):
        looked_at(file)


def test_a_disk_without_room_is_told_before_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How much is missing is said, and a file that says it is huge is no backup."""
    file = backup_of(table(tmp_path / "one", 4), tmp_path / "backup.zip")
    with monkeypatch.context() as patch:
        patch.setattr(unpacking, "LEFT_FREE", 10**15)
        with pytest.raises(BackupUnusable, match="MB are missing"):
            unpacked(file, tmp_path / "other")
    monkeypatch.setattr(unpacking, "MOST_BYTES", 100)

    with pytest.raises(BackupUnusable, match="larger than any"):
        unpacked(file, tmp_path / "other")

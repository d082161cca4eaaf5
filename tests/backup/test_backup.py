"""A backup restores everything, and an invalid one is refused before anything changes."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from threading import Thread
from time import monotonic

import pytest

from companion.backup import unpacking
from companion.backup.manifest import BackupFile
from companion.backup.unpacking import STAGED, stage_backup
from companion.camera_spec import CameraSpec
from companion.errors import BackupUnusable
from companion.referee.events import ThrowEntered, Undone
from companion.referee.referee import Referee
from companion.storage.database_copy import copy_games, inspect
from companion.storage.restore import commit
from companion.storage.schema import MIGRATIONS
from companion.storage.store import Store
from tests.backup.tables import DELETING, ENDLESS, ENDLESS_EVENTS, FIRST, backup_of, forged, table, thrown


def test_everything_is_restored(tmp_path: Path) -> None:
    """Games, sticks, board and cases, but not the code, solved tables, or files being deleted."""
    file = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "backup.zip")
    staged, manifest = stage_backup(file, tmp_path / "other")
    commit(staged)
    other = tmp_path / "other"

    assert thrown(other) == [4, 1, 2]
    assert (other / "profile" / "profile.npz").read_bytes() == b"Ana" * 1000
    assert (manifest.games, manifest.events, manifest.cases, manifest.sticks) == (1, 4, 1, True)
    assert manifest.solved == ["puluc.table"]
    assert b"secret22" not in file.read_bytes()
    assert sorted(path.relative_to(other).as_posix() for path in other.rglob("*") if path.is_file()) == [
        "board/board.npz",
        "cases/3-abc/case.json",
        "profile/profile.npz",
        "puluc.lock",
        "puluc.sqlite3",
    ]


@pytest.mark.parametrize("camera", ["usb:0", "simulated", "simulated:board"])
def test_what_a_camera_was_taught_is_restored(tmp_path: Path, camera: str) -> None:
    """A backup holds the sticks and the board of every kind of camera."""
    spec = CameraSpec.parse(camera)
    taught = [f"{spec.sticks_folder}/profile.npz", f"{spec.board_folder}/board.npz"]
    folder = table(tmp_path / "one", 4)
    for name in taught:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"taught")
    commit(stage_backup(backup_of(folder, tmp_path / "backup.zip"), tmp_path / "other")[0])

    assert [(tmp_path / "other" / name).read_bytes() for name in taught] == [b"taught"] * 2


def test_a_backup_during_a_game_is_consistent(tmp_path: Path) -> None:
    """While a companion writes continuously, every copy is complete, and later copies have no fewer events."""
    referee = Referee(Store(tmp_path), first=FIRST)
    chance, ending = Random(1), False

    def play() -> None:
        while not ending:
            referee.submit(
                ThrowEntered(chance.randrange(5)) if chance.random() < 0.6 or not referee.state().before else Undone()
            )

    player = Thread(target=play)
    events = []
    referee.submit(ThrowEntered(1))
    player.start()
    try:
        for number in range(12):
            at_least = referee.snapshot().number
            events.append((at_least, copy_games(tmp_path, tmp_path / f"copy-{number}").events))
    finally:
        ending = True
        player.join()
        referee.close()

    assert all(found >= at_least for at_least, found in events)
    assert [found for _, found in events] == sorted(found for _, found in events)


def altered(file: Path, name: str, content: bytes | None) -> Path:
    """The backup with one file changed or removed."""
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


def test_an_invalid_backup_is_refused_and_nothing_changes(tmp_path: Path) -> None:
    """Truncated, altered, of another format, from a newer version, or with files that no table has."""
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
        tmp_path / "half.zip": "isn.t a Puluc backup",
        tmp_path / "letter.zip": "isn.t a Puluc backup",
        tmp_path / "hurt.zip": "damaged|isn.t a Puluc backup",
    }
    for path, why in wrong.items():
        with pytest.raises(BackupUnusable, match=why):
            stage_backup(path, folder)
    for name, content, why in (
        ("manifest.json", None, "isn.t a Puluc backup"),
        ("manifest.json", b"{}", "isn.t a Puluc backup"),
        ("manifest.json", manifest_with(file, version=2), "newer version"),
        ("manifest.json", outside, "does not match its list of contents"),
        ("profile/profile.npz", b"another's", "damaged"),
        ("extra.txt", b"?", "does not match its list of contents"),
        ("puluc.sqlite3", None, "does not match its list of contents"),
    ):
        with pytest.raises(BackupUnusable, match=why):
            stage_backup(altered(file, name, content), folder)

    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
    assert not (folder / STAGED).exists()


@pytest.mark.parametrize(
    "path",
    ["../up", "/etc/passwd", "profile", "profile/../../x", "code", "tables/x", "cases\\x", "profile//x", "cases/a\nb"],
)
def test_no_file_is_extracted_outside_the_folder(path: str) -> None:
    """Only names that a backup may contain are extracted."""
    assert not BackupFile(path=path, bytes=0, sha256="0" * 64).is_allowed


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        (ENDLESS_EVENTS, "not those of this program"),
        ([f"CREATE VIEW more AS {ENDLESS}"], "not those of this program"),
        (DELETING, "not those of this program"),
        (["CREATE TABLE more (a)"], "not those of this program"),
        (["CREATE INDEX more ON events (at)"], "not those of this program"),
        (["DROP INDEX events_by_game"], "not those of this program"),
        (["ALTER TABLE events ADD COLUMN more TEXT DEFAULT 'x'"], "not those of this program"),
        (["DROP TABLE events"], "not those of this program"),
        ([f"PRAGMA user_version = {len(MIGRATIONS) + 1}"], "newer version"),
        (["PRAGMA user_version = 2"], "not those of this program"),
        (["UPDATE events SET kind = 'Passed', body = '{}' WHERE number = 2"], "event 2"),
        (["UPDATE events SET kind = 'Cheated' WHERE number = 2"], "no events called Cheated"),
        (["UPDATE events SET body = '{' WHERE number = 2"], "event 2"),
        (["UPDATE events SET body = CAST('{}' AS BLOB) WHERE number = 2"], "event 2 is no text"),
        (["UPDATE events SET body = CAST(x'ff' AS TEXT) WHERE number = 2"], "damaged"),
        (["UPDATE events SET at = 'yesterday' WHERE number = 2"], "event 2"),
        (["UPDATE events SET game = 2 WHERE number = 3"], "another game"),
        (["UPDATE events SET number = -1 WHERE number = 3"], "out of order"),
        (["UPDATE events SET body = printf('%s%*c', body, 1000000, ' ') WHERE number = 2"], "too long"),
        (["DELETE FROM events WHERE number = 1"], "event 2"),
        (
            [
                "PRAGMA writable_schema = ON",
                "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'games')"
                " WHERE name = 'events'",
            ],
            "damaged",
        ),
    ],
)
def test_only_our_own_tables_with_valid_events_are_restored(tmp_path: Path, changes: Sequence[str], why: str) -> None:
    """A foreign schema is never executed, every event is replayed, and a refused backup leaves nothing behind."""
    file = forged(backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "backup.zip"), *changes)
    began = monotonic()

    with pytest.raises(BackupUnusable, match=why):
        stage_backup(file, tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []
    assert monotonic() - began < 5


def test_derived_data_is_never_restored(tmp_path: Path) -> None:
    """Forged scores, lists and counts are recomputed from the events."""
    file = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "backup.zip")
    true, _ = stage_backup(file, tmp_path / "true")
    forgery, _ = stage_backup(
        forged(
            file,
            "UPDATE games SET winner = 'jade', phase = 'over', name = 'Won'",
            "INSERT INTO throws VALUES (1, NULL, 'hand', 4)",
        ),
        tmp_path / "other",
    )
    stores = Store(true), Store(forgery)
    games, counts = [store.games() for store in stores], [store.throws.tallies() for store in stores]
    for store in stores:
        store.close()

    assert games[0] == games[1]
    assert counts[0] == counts[1]
    assert thrown(forgery) == [4, 1, 2]


def test_checking_a_backup_takes_a_bounded_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A backup whose games take too long to check is refused and leaves nothing behind."""
    file = backup_of(table(tmp_path / "one", *[1, 2] * 40), tmp_path / "backup.zip")
    monkeypatch.setattr(unpacking, "IMPORT_S", 0.0)

    with pytest.raises(BackupUnusable, match="takes too long"):
        stage_backup(file, tmp_path / "other")
    assert list((tmp_path / "other").iterdir()) == []


def test_backups_of_every_earlier_schema_are_restored(tmp_path: Path) -> None:
    """A backup of an older version is upgraded by replaying it."""
    file = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "backup.zip")
    first = [
        "DROP INDEX events_by_game",
        "DROP TABLE games",
        "ALTER TABLE events DROP COLUMN game",
    ]
    drops = {3: ["DROP TABLE verdicts"], 2: ["DROP TABLE throws", "DROP TABLE uncounted"], 1: first}
    changes: list[str] = []
    for version, drop in drops.items():
        changes += drop
        older = forged(file, *changes, f"PRAGMA user_version = {version}")
        staged, manifest = stage_backup(older, tmp_path / f"version-{version}")

        assert thrown(staged) == [4, 1, 2]
        assert (manifest.games, manifest.events) == (1, 4)


def test_damaged_pages_are_found(tmp_path: Path) -> None:
    """A copy with a corrupted page is rejected."""
    folder = table(tmp_path / "one", *[1, 2] * 40)
    file = folder / "puluc.sqlite3"
    data = bytearray(file.read_bytes())
    data[4096 * 2 : 4096 * 4] = Random(1).randbytes(4096 * 2)
    file.write_bytes(data)

    with pytest.raises(BackupUnusable, match="damaged"):
        inspect(file)


def test_a_disk_without_room_is_reported_before_it_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error gives the missing space, and a file that claims a huge size is no backup."""
    file = backup_of(table(tmp_path / "one", 4), tmp_path / "backup.zip")
    with monkeypatch.context() as patch:
        patch.setattr(unpacking, "LEFT_FREE", 10**15)
        with pytest.raises(BackupUnusable, match="MB more"):
            stage_backup(file, tmp_path / "other")
    monkeypatch.setattr(unpacking, "MOST_BYTES", 100)

    with pytest.raises(BackupUnusable, match="too large to be a Puluc backup"):
        stage_backup(file, tmp_path / "other")

"""The commands that back up and restore everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion.backup.unpacking import STAGED
from tests.backup.tables import backup_of, table, thrown
from tests.service.companion_process import running_companion


def puluc(*words: str | Path, answer: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "companion", "backup", *map(str, words)],
        capture_output=True,
        text=True,
        input=answer,
        check=False,
    )


def test_a_backup_is_restored_into_another_folder(tmp_path: Path) -> None:
    """Existing games need a confirmation and are kept aside; "no" changes nothing."""
    one, other = table(tmp_path / "one", 4, 1, 2), table(tmp_path / "other", 3, name="Mia")
    exported = puluc("export", "--data", one, tmp_path / "all.zip")
    refused = puluc("restore", "--data", other, tmp_path / "all.zip", answer="n\n")
    assert thrown(other) == [3]
    restored = puluc("restore", "--data", other, tmp_path / "all.zip", answer="y\n")

    assert (exported.returncode, refused.returncode, restored.returncode) == (0, 1, 0)
    assert "1 game with 4 events" in exported.stderr
    assert "It holds 1 game." in restored.stderr
    assert "before-restore-1" in restored.stderr
    assert thrown(other) == [4, 1, 2]
    assert thrown(other / "before-restore-1") == [3]
    assert (tmp_path / "all.zip").stat().st_mode & 0o077 == 0


def damaged(folder: Path) -> bytes:
    """Corrupt the schema of the games there. Returns the file's content afterwards."""
    games = folder / "puluc.sqlite3"
    games.write_bytes(bytes(4096) + games.read_bytes()[4096:])
    return games.read_bytes()


def test_damaged_games_are_rescued(tmp_path: Path) -> None:
    """The result of each way is listed; the chosen one runs once, and the damaged file is kept unchanged."""
    folder = table(tmp_path / "one", 4, 1, 2)
    sound = puluc("rescue", "--data", folder)
    harmed = damaged(folder)
    listed = puluc("rescue", "--data", folder)
    done = puluc("rescue", "--data", folder, "rescue")
    again = puluc("rescue", "--data", folder, "rescue")

    assert (sound.returncode, listed.returncode, done.returncode, again.returncode) == (2, 0, 0, 2)
    assert "are sound" in sound.stderr
    assert "are damaged" in listed.stderr
    assert [line.split()[:3] for line in listed.stdout.splitlines()] == [
        ["rescue", "1", "game,"],
        ["empty", "no", "games"],
    ]
    assert thrown(folder) == [4, 1, 2]
    assert (folder / "damaged-1" / "puluc.sqlite3").read_bytes() == harmed


def test_a_folder_without_its_games_is_rescued(tmp_path: Path) -> None:
    """If a copy of them is left, or an interrupted restore."""
    copied, restoring = table(tmp_path / "copied", 4, 1), table(tmp_path / "restoring", 4, 1)
    (copied / "copies").mkdir()
    (copied / "puluc.sqlite3").rename(copied / "copies" / "0001-2026-11-21-3.sqlite3")
    (restoring / "restoring").mkdir()
    (restoring / "puluc.sqlite3").rename(restoring / "restoring" / "puluc.sqlite3")
    (restoring / "restoring" / "plan.json").write_text("{")
    done = [puluc("rescue", "--data", folder, "copy") for folder in (copied, restoring)]

    assert [one.returncode for one in done] == [0, 0]
    assert thrown(copied) == thrown(restoring) == [4, 1]


def test_damaged_games_that_cannot_be_replaced_stay(tmp_path: Path) -> None:
    """The reason is one line, as on a full disk, and the next try replaces them."""
    folder = table(tmp_path / "one", 4, 1, 2)
    harmed = damaged(folder)
    (folder / STAGED).write_text("in the way")
    refused = puluc("rescue", "--data", folder, "empty")
    kept = (folder / "puluc.sqlite3").read_bytes()
    (folder / STAGED).unlink()
    done = puluc("rescue", "--data", folder, "empty")

    assert (refused.returncode, done.returncode) == (2, 0)
    assert f"The games in '{folder}' cannot be replaced: File exists." in refused.stderr.splitlines()[-1]
    assert "Traceback" not in refused.stderr
    assert kept == harmed


def test_a_backup_replaces_damaged_games(tmp_path: Path) -> None:
    """The damaged file is kept where later restores do not remove it."""
    file = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "all.zip")
    folder = table(tmp_path / "other", 3, name="Mia")
    harmed = damaged(folder)
    restored = puluc("restore", "--yes", "--data", folder, file)

    assert restored.returncode == 0
    assert thrown(folder) == [4, 1, 2]
    assert (folder / "damaged-1" / "puluc.sqlite3").read_bytes() == harmed


def test_while_a_companion_plays_there(tmp_path: Path) -> None:
    """Export works; restoring is refused and changes nothing."""
    file = backup_of(table(tmp_path / "one", 4, 1, 2), tmp_path / "all.zip")
    with running_companion(tmp_path / "live", "--open", "--camera", "none") as companion:
        companion.ask("POST", "/api/throw", {"marked": 3})
        exported = puluc("export", "--data", tmp_path / "live", tmp_path / "live.zip")
        refused = puluc("restore", "--yes", "--data", tmp_path / "live", file)
        assert companion.ask("POST", "/api/throw", {"marked": 2})["number"] == 3
    puluc("restore", "--yes", "--data", tmp_path / "copy", tmp_path / "live.zip")

    assert exported.returncode == 0
    assert refused.returncode == 2
    assert "another companion runs" in refused.stderr
    assert thrown(tmp_path / "copy") == [3]


def test_wrong_requests_name_the_fault(tmp_path: Path) -> None:
    """A missing folder, a missing file, an invalid backup: one line, status 2."""
    (tmp_path / "letter.zip").write_text("Dear Ana")
    for words, said in (
        (("export", "--data", tmp_path / "nowhere", tmp_path / "x.zip"), "No games are kept"),
        (("rescue", "--data", tmp_path / "nowhere"), "No games are kept"),
        (("restore", "--data", tmp_path / "new", tmp_path / "none.zip"), "There is no file"),
        (("restore", "--data", tmp_path / "new", tmp_path / "letter.zip"), "isn't a Puluc backup"),
        (("export", "--data", table(tmp_path / "one", 1), "/proc/x.zip"), "cannot be written"),
    ):
        done = puluc(*words)
        assert done.returncode == 2
        assert said in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "nowhere").exists()

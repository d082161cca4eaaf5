"""A phone downloads a backup and restores it: with the table's code, in parts, after a confirmation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.backup import transfers as transfers_module
from companion.backup.transfers import BackupTransfers
from companion.backup.unpacking import stage_backup
from companion.errors import NotAllowed
from companion.referee.events import ThrowEntered
from companion.referee.referee import Referee
from tests.backup.tables import backup_of, table, thrown
from tests.service.companion_process import CompanionProcess, running_companion
from tests.web.conftest import CODE
from web.app import create_app


class Stopped:
    """Records that the companion was asked to stop."""

    count = 0

    def __call__(self) -> None:
        self.count += 1


@pytest.fixture
def stopped() -> Stopped:
    return Stopped()


@pytest.fixture
def transfers(referee: Referee, tmp_path: Path, stopped: Stopped) -> BackupTransfers:
    return BackupTransfers(tmp_path, copy=referee.copy, stop=stopped)


@pytest.fixture
def app(referee: Referee, transfers: BackupTransfers) -> Flask:
    app = create_app(referee, code=CODE, backups=transfers)
    app.testing = True
    return app


@pytest.fixture
def zipped(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Another table's backup."""
    place = tmp_path_factory.mktemp("other")
    return backup_of(table(place / "data", 4, 1, 2), place / "backup.zip").read_bytes()


def fields(answer: TestResponse) -> dict[str, Any]:
    """The JSON of the response."""
    assert answer.json is not None
    return dict(answer.json)


def hand_in(player: FlaskClient, content: bytes, size: int = 1000) -> TestResponse:
    """Upload a file in parts; returns the last response."""
    for at in range(0, len(content), size):
        answer = player.post(f"/api/backup/part?at={at}", data=content[at : at + size])
        assert answer.status_code == 200, answer.json
    return answer


def test_a_player_fetches_everything(
    player: FlaskClient, watcher: FlaskClient, referee: Referee, tmp_path: Path
) -> None:
    """The file can be restored; a watcher gets none, and no temporary file is left."""
    referee.submit(ThrowEntered(3))
    answer = player.get("/api/backup")
    (tmp_path / "fetched.zip").write_bytes(answer.data)

    assert answer.headers["Content-Type"] == "application/zip"
    assert 'filename="puluc-20' in answer.headers["Content-Disposition"]
    assert stage_backup(tmp_path / "fetched.zip", tmp_path / "there")[1].events == 2
    assert watcher.get("/api/backup").status_code == 401
    assert not list(tmp_path.glob(".backup-*"))


def test_one_at_a_time(player: FlaskClient) -> None:
    """While one phone downloads a backup, another must wait; a phone that disconnects or sends HEAD does not block the
    next.
    """
    first = player.get("/api/backup", buffered=False)
    assert player.get("/api/backup").status_code == 409
    first.close()
    assert player.head("/api/backup").status_code == 200
    assert player.get("/api/backup").status_code == 200


def test_an_upload_is_checked_and_confirmed(
    player: FlaskClient, zipped: bytes, transfers: BackupTransfers, stopped: Stopped, referee: Referee
) -> None:
    """Only the token from the check restores, and only once; nothing changes before that."""
    assert hand_in(player, zipped).json == {"bytes": len(zipped)}
    found = fields(player.post("/api/backup/check"))
    assert (found["games"], found["events"], found["cases"], found["sticks"]) == (1, 4, 1, True)
    assert player.post("/api/backup/restore", json={"word": "yes"}).status_code == 409
    assert (stopped.count, transfers.wanted) == (0, None)
    assert player.post("/api/backup/restore", json={"word": found["word"]}).json == {"restoring": True}

    assert stopped.count == 1
    assert transfers.wanted is not None
    assert thrown(transfers.wanted) == [4, 1, 2]
    assert player.post("/api/backup/restore", json={"word": found["word"]}).status_code == 409
    assert referee.snapshot().number == 1


def test_a_wrong_upload_is_refused(player: FlaskClient, watcher: FlaskClient, zipped: bytes) -> None:
    """The code or the first part is missing, a part is too large, it is no backup, or nothing was uploaded."""
    assert watcher.post("/api/backup/part?at=0", data=b"PK").status_code == 401
    assert player.post("/api/backup/part?at=99", data=b"PK").status_code == 409
    assert player.post("/api/backup/part?at=x", data=b"PK").status_code == 422
    assert player.post("/api/backup/part?at=0", data=bytes(3_000_000)).status_code == 413
    hand_in(player, b"Dear Ana, this is no backup.")
    assert "isn't a Puluc backup" in fields(player.post("/api/backup/check"))["problem"]
    assert player.post("/api/backup/check").status_code == 409
    hand_in(player, zipped[:-100])

    assert "isn't a Puluc backup" in fields(player.post("/api/backup/check"))["problem"]


def test_a_full_disk_is_told(player: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The upload is deleted from it."""
    player.post("/api/backup/part?at=0", data=b"PK")
    monkeypatch.setattr(transfers_module, "LEFT_FREE", 10**15)
    answer = player.post("/api/backup/part?at=2", data=b"PK")

    assert (answer.status_code, "not enough room" in fields(answer)["problem"]) == (409, True)
    assert not list(tmp_path.glob(".restore-*"))


def test_an_open_table_is_not_restored_from_the_page(referee: Referee, transfers: BackupTransfers) -> None:
    """Otherwise anybody in the network could restore it."""
    client = create_app(referee, code=None, backups=transfers).test_client()

    assert "command" in fields(client.post("/api/backup/part?at=0", data=b"PK"))["problem"]
    assert b'<input type="file"' not in client.get("/backup").data


def test_left_over_pieces_are_swept(referee: Referee, tmp_path: Path, stopped: Stopped) -> None:
    """The remains of an upload after a power cut are deleted at the next start."""
    for name in (".backup-1234", ".restore-handed-in"):
        (tmp_path / name).write_bytes(b"half")
    (tmp_path / ".restore-staged").mkdir()
    BackupTransfers(tmp_path, copy=referee.copy, stop=stopped)

    assert not list(tmp_path.glob(".backup-*")) + list(tmp_path.glob(".restore-*"))


@pytest.fixture
def table_with_code(tmp_path: Path) -> Iterator[tuple[CompanionProcess, str]]:
    options = ("--camera", "none", "--buttons", "mock", "--https", "--https-port", "0")
    with running_companion(tmp_path / "live", *options) as companion:
        yield companion, companion.address.partition("?code=")[2]


def test_the_table_starts_again_with_it(
    table_with_code: tuple[CompanionProcess, str], zipped: bytes, tmp_path: Path
) -> None:
    """In the same process, at the same addresses, with the same code; what was there is kept aside."""
    companion, code = table_with_code
    companion.request("POST", "/api/throw", {"marked": 3}, code=code)
    connection = HTTPConnection("127.0.0.1", companion.port, timeout=10)
    headers = {"Authorization": f"Bearer {code}"}
    connection.request("POST", "/api/backup/part?at=0", zipped, headers)
    assert json.loads(connection.getresponse().read())["bytes"] == len(zipped)
    found = companion.request("POST", "/api/backup/check", code=code)[1]
    assert companion.request("POST", "/api/backup/restore", {"word": found["word"]}, code=code)[0] == 200
    connection.close()

    def back(seen: dict[str, Any]) -> bool:
        return bool(seen["players"]["jade"]["name"] == "Ana")

    table = companion.until(back, ignoring=(OSError,))
    assert table["number"] == 4
    assert companion.request("POST", "/api/undo", code=code)[0] == 200
    assert companion.process.poll() is None
    companion.process.terminate()
    assert companion.process.wait(15) == 0
    assert thrown(tmp_path / "live" / "before-restore-1") == [3]
    assert companion.process.stderr is not None
    first, again = re.findall(r"https://[\w.]+:(\d+)/;", companion.process.stderr.read())
    assert first == again


def test_what_is_not_restored_is_removed(referee: Referee, zipped: bytes, tmp_path: Path, stopped: Stopped) -> None:
    """It is removed after a quarter of an hour, with the next upload, and at the end, but never during a restore."""
    now = 0.0
    transfers = BackupTransfers(tmp_path, copy=referee.copy, stop=stopped, clock=lambda: now)

    def left() -> list[str]:
        return sorted(path.name for path in tmp_path.glob(".restore-*"))

    def checked() -> str:
        transfers.receive(zipped, 0)
        return transfers.check()[0]

    word = checked()
    transfers.expire()
    assert left() == [".restore-staged"]
    now = 1000.0
    transfers.expire()
    assert left() == []
    with pytest.raises(NotAllowed):
        transfers.restore(word)
    transfers.receive(zipped[:100], 0)
    now = 2000.0
    transfers.expire()
    assert left() == []
    checked()
    transfers.receive(zipped[:100], 0)
    assert left() == [".restore-handed-in"]
    checked()
    transfers.close()
    assert left() == []
    transfers.restore(checked())
    transfers.close()

    assert left() == [".restore-staged"]

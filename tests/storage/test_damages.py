"""Whatever becomes of the file, the service stays up, says what is wrong, and offers a way on that changes nothing."""

from __future__ import annotations

import http.client
import json
import os
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlencode

import pytest

from companion.cli import main
from companion.storage.daily_copies import DailyCopies
from companion.storage.restore import DAMAGED, GAMES, asides
from companion.storage.store import Store
from tests.storage.damages import DAMAGES

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table's folder with four games and a daily copy of them."""
    folder = shutil.copytree(
        Path(__file__).parents[1] / "data" / "folder-0.1", tmp_path_factory.mktemp("sound") / "data"
    )
    with closing(Store(folder)) as store:
        daily = DailyCopies(folder, copy=store.copy, last=lambda: store.last)
        while daily.step():
            pass
    return folder


# The program's modules are imported once, so that eighty services start in a minute or two.
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(["companion.app", "companion.commands.play", "web.app"])


def run(words: list[str], log: Path) -> None:
    """Be the program, with those words."""
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = ["puluc", *words]
    main()


class Service:
    """``puluc play --stay`` on a folder."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        words = ["play", "--port", str(self.port), "--data", str(folder), "--camera", "none", "--stay", "--no-solve"]
        self.log = folder.with_name("log")
        self.process = FORKS.Process(target=run, args=(words, self.log))
        self.process.start()

    def request(self, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str]:
        """Status and body, as soon as somebody answers."""
        end = monotonic() + PATIENCE_S
        while True:
            try:
                with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as page:
                    page.request(method, path, body, headers)
                    answer = page.getresponse()
                    return answer.status, answer.read().decode()
            except (OSError, http.client.HTTPException):
                assert self.process.is_alive(), self.log.read_text()
                assert monotonic() < end
                sleep(0.05)

    def health(self) -> dict[str, Any]:
        return dict(json.loads(self.request("GET", "/healthz")[1]))

    def choices(self) -> dict[str, dict[str, Any]]:
        """The ways on, once they are known."""
        while (found := self.health()["choices"]) is None:
            sleep(0.1)
        return {choice["way"]: choice for choice in found}

    def choose(self, way: str, code: str) -> int:
        form = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": f"Bearer {code}"}
        return self.request("POST", "/recovery", urlencode({"way": way}), **form)[0]

    def games(self) -> int:
        """The games on the list, once the table is served."""
        end = monotonic() + PATIENCE_S
        while self.health()["status"] != "ok":
            assert monotonic() < end
            sleep(0.1)
        return len(json.loads(self.request("GET", "/api/games")[1])["games"])


@contextmanager
def serving(folder: Path) -> Iterator[Service]:
    service = Service(folder)
    try:
        yield service
        assert service.process.is_alive(), service.log.read_text()
    finally:
        service.process.kill()
        service.process.join()
        service.process.close()


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


@pytest.mark.parametrize("kind", DAMAGES)
def test_service_on_damaged_games(sound: Path, tmp_path: Path, kind: str) -> None:
    """It plays on, or a page says why not; then what is chosen is played on with, and the damaged file is kept."""
    damage = DAMAGES[kind]
    folder = shutil.copytree(sound, tmp_path / "data")
    damage.harm(folder)
    harmed = content(folder / GAMES)
    with serving(folder) as service:
        health = service.health()
        if damage.rescued is None:
            assert health["status"] == "ok", health
            assert service.games() == 3
            return
        code = (folder / "code").read_text()
        choices = service.choices()
        page = service.request("GET", "/", Accept="text/html", Authorization=f"Bearer {code}")
        way = "rescue" if damage.rescued else "copy" if damage.copy else "empty"

        assert health["status"] == "waiting"
        assert choices.get("rescue", {"games": 0})["games"] == damage.rescued
        assert ("copy" in choices) == damage.copy
        assert page[0] == 503
        assert f'value="{way}"' in page[1]
        assert content(folder / GAMES) == harmed
        assert service.choose(way, code) == 202
        games, listed = choices[way].get("games", 0), service.games()
        # One of the four is deleted, so not on the list.
        assert games - 1 <= listed <= games
    kept = asides(folder, DAMAGED)

    assert harmed in [content(aside / GAMES) for aside in kept] or harmed is None
    with closing(Store(folder)) as store:
        assert len(store.games()) == listed

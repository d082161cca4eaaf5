"""Protection against DNS rebinding by the Host header."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.referee.referee import Referee
from tests.web.conftest import CODE
from web.app import create_app

OURS = (
    "localhost",
    "127.0.0.1:8080",
    "192.168.1.7:8080",
    "[::1]:8080",
    "[fe80::1]",
    "puluc",
    "puluc.local:8080",
    "Puluc.Local.",
    "pi.lan",
    "table.home.arpa",
)
THEIRS = (
    "evil.example",
    "evil.example:8080",
    "192.168.1.7.evil.example",
    "puluc.local.evil.example",
    "127.0.0.1.nip.io",
)


@pytest.mark.parametrize("host", OURS)
def test_numbers_and_local_names_are_ours(watcher: FlaskClient, host: str) -> None:
    """Nobody on the internet can own them."""
    assert watcher.get("/api/table", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", THEIRS)
@pytest.mark.parametrize("path", ["/", "/api/table", "/api/events", f"/?code={CODE}", "/static/table/table.js"])
def test_names_of_the_internet_are_not(watcher: FlaskClient, host: str, path: str) -> None:
    """Even reading is refused, because a page of that name could read the response. The message says what helps."""
    answer = watcher.get(path, headers={"Host": host})

    assert answer.status_code == 421
    assert "--name" in answer.get_json()["problem"]
    assert "Set-Cookie" not in answer.headers


def test_nothing_is_done_by_another_name(player: FlaskClient, app: Flask) -> None:
    """A code or a pass makes no difference."""
    headers = {"Host": "evil.example", "Authorization": f"Bearer {CODE}", "Origin": "http://evil.example"}

    assert player.post("/api/throw", json={"marked": 3}, headers=headers).status_code == 421
    assert app.test_client().get("/api/table").json["number"] == 1  # type: ignore[index]  # it is the table


def test_a_name_can_be_made_ours(referee: Referee) -> None:
    """This is for a proxy, such as a museum's."""
    client = create_app(referee, code=CODE, names=["puluc.museum.example"]).test_client()

    assert client.get("/api/table", headers={"Host": "Puluc.museum.example"}).status_code == 200
    assert client.get("/api/table", headers={"Host": "museum.example"}).status_code == 421

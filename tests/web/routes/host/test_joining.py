"""Joining by QR code or typed code, and what only the host may do."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.access.credentials import Credentials, readable
from companion.referee.events import Resigned, ThrowEntered
from companion.referee.referee import Referee
from companion.rules.unit import Side
from tests.web.conftest import CODE, Clock
from web.app import create_app
from web.security.rate_limit import AT_ONCE
from web.serving.event_stream import ABSENCE_S, Listener
from web.serving.wsgi_adapter import KEEP_OPEN

CHROMIUM = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,"
    "application/signed-exchange;v=b3;q=0.7"
)
"""What that browser asks for where it is to show a page."""


@pytest.fixture
def phones(app: Flask) -> tuple[FlaskClient, FlaskClient]:
    """Two phones that have opened the printed address, the first of them the host."""
    both = app.test_client(), app.test_client()
    for phone in both:
        phone.get(f"/?code={CODE}")
    return both


@pytest.fixture
def listen() -> Callable[[FlaskClient], Listener]:
    """Keep the table's page open on a phone."""

    def listen(phone: FlaskClient) -> Listener:
        opened: list[Listener] = []
        phone.get("/api/events", environ_overrides={KEEP_OPEN: opened.append})
        return opened[0]

    return listen


def test_the_code_can_be_typed(watcher: FlaskClient) -> None:
    """The form works without scripts and in any spelling; the phone plays from then on."""
    page = watcher.get("/join")
    answer = watcher.post("/join", data={"code": CODE.upper()}, headers={"Origin": "http://localhost"})

    assert '<form class="card door" action="/join" method="post">' in page.text
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert watcher.post("/api/throw", json={"marked": 3}).status_code == 200


@pytest.mark.parametrize("code", ["23456789", "3e456789", "2e333333"])
def test_a_code_may_look_like_a_number(referee: Referee, code: str) -> None:
    """Codes of digits only, or in the form of a power of ten, are accepted or refused like any other."""
    right = create_app(referee, code=code).test_client().post("/join", data={"code": code})
    wrong = create_app(referee, code=CODE).test_client().post("/join", data={"code": code})

    assert (right.status_code, wrong.status_code) == (303, 401)


def test_a_wrong_code_is_told_and_soon_not_looked_at(watcher: FlaskClient) -> None:
    """The page says that it is wrong; after many attempts a phone must wait; players are not affected."""
    player = watcher.application.test_client()
    player.get(f"/?code={CODE}", environ_overrides={"REMOTE_ADDR": "192.0.2.1"})
    for number in range(AT_ONCE):
        answer = watcher.post("/join", data={"code": f"guess{number}"})
        assert answer.status_code == 401
        assert "not this table" in answer.text
    refused = watcher.post("/join", data={"code": CODE})

    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 11
    assert "Set-Cookie" not in refused.headers
    assert watcher.get(f"/?code={CODE}").status_code == 429
    assert watcher.post("/api/undo", headers={"Authorization": f"Bearer {CODE}"}).status_code == 429
    assert watcher.get("/api/table", headers={"Authorization": f"Bearer {CODE}"}).status_code == 200
    assert watcher.get("/api/welcome", headers={"Authorization": f"Bearer {CODE}"}).get_json()["play"] is False
    assert player.post("/api/throw", json={"marked": 3}).status_code == 200


def test_another_sites_form_cannot_bring_a_phone_in(watcher: FlaskClient) -> None:
    """It is refused even with the right code."""
    answer = watcher.post("/join", data={"code": CODE}, headers={"Origin": "http://elsewhere.test"})

    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "path", ["/", "/join", "/games", "/settings", "/api/table", "/api/welcome", "/api/openapi.json"]
)
def test_watchers_are_never_shown_the_code(app: Flask, watcher: FlaskClient, path: str) -> None:
    """It is in no body and no header; players find it on one page."""
    answer = watcher.get(path)
    player = app.test_client()
    player.get(f"/?code={CODE}")

    assert CODE not in answer.text + str(answer.headers)
    assert (readable(CODE) in player.get(path).text) == (path == "/join")


def test_the_invitation_leads_to_where_the_phone_is(referee: Referee) -> None:
    """Its address is the one by which the phone reached the table, or else that in the local network."""
    client = create_app(referee, code=CODE, served_on="192.0.2.9").test_client()
    client.get(f"/?code={CODE}")

    page = client.get("/join", headers={"Host": "localhost:8080"}).text
    assert "192.0.2.9:80/join" in page
    client.get(f"/?code={CODE}", base_url="http://192.0.2.77:8080")
    page = client.get("/join", base_url="http://192.0.2.77:8080").text
    assert "192.0.2.77:80" in page
    assert re.search(r'<svg [^>]*class="segno"', page)


@pytest.mark.parametrize(
    ("asked", "led_to"),
    [
        ("https://other.example:8443", "https://other.example:8443/"),
        ("https://192.0.2.77:8443", "https://table.example:8443/"),
        ("http://table.example:8080", "http://192.0.2.9:8080/"),
    ],
)
def test_with_a_certificate_the_invitation_leads_to_its_names(referee: Referee, asked: str, led_to: str) -> None:
    """A browser would warn of a number that the certificate does not name; a page without TLS has none."""
    names = ("table.example", "other.example")
    app = create_app(referee, code=CODE, served_on="192.0.2.9", names=names, certified=names)
    client = app.test_client()
    client.get(f"/?code={CODE}", base_url=asked)
    page = client.get("/join", base_url=asked).text

    assert f"{led_to.removeprefix('http://')}join" in page


def test_a_table_for_this_computer_says_how_to_let_phones_in(player: FlaskClient) -> None:
    """A QR code would lead phones to themselves."""
    page = player.get("/join").text

    assert "--host 0.0.0.0" in page
    assert "segno" not in page


HOSTS: tuple[tuple[str, dict[str, str], int], ...] = (
    ("/api/games", {}, 200),
    ("/api/games/1/resume", {}, 200),
    ("/api/games/1/delete", {}, 409),
    ("/api/scores/reset", {}, 200),
    ("/api/records", {"text": ""}, 422),
)
"""What only the host may do in the middle of a game, and the status for one who may: some ask what cannot be."""


@pytest.mark.parametrize(("path", "body", "status"), HOSTS)
def test_while_the_host_is_here_some_things_are_the_hosts(
    phones: tuple[FlaskClient, FlaskClient],
    listen: Callable[[FlaskClient], Listener],
    referee: Referee,
    path: str,
    body: dict[str, Any],
    status: int,
) -> None:
    """In mid-game another player's phone may not end the game; the host's phone and programs may."""
    host, other = phones
    referee.submit(ThrowEntered(3))
    listen(host)
    refused = other.post(path, json=body)
    played_on = other.post("/api/undo")
    referee.submit(ThrowEntered(3))
    program = other.application.test_client().post(path, json=body, headers={"Authorization": f"Bearer {CODE}"})

    assert refused.status_code == 403
    assert "host" in refused.get_json()["problem"]
    assert program.status_code == status
    assert host.post(path, json=body).status_code == status
    assert played_on.status_code == 200


def test_when_the_host_has_gone_everyone_may(
    phones: tuple[FlaskClient, FlaskClient], listen: Callable[[FlaskClient], Listener], referee: Referee, clock: Clock
) -> None:
    """A phone in a pocket, or one that went home, holds up nobody for more than a minute; nor is a game that has not
    begun anybody's. A stream that was only lost takes nothing from the host.
    """
    host, other = phones
    page = listen(host)
    assert other.post("/api/games", json={"variant": "bul"}).status_code == 200
    referee.submit(ThrowEntered(3))
    assert other.post("/api/games", json={"variant": "puluc"}).status_code == 403
    page.close()
    assert other.post("/api/games", json={"variant": "puluc"}).status_code == 403
    clock.now += ABSENCE_S

    assert other.post("/api/games", json={"variant": "puluc"}).status_code == 200


def test_a_host_who_looks_at_a_screen_is_here(
    phones: tuple[FlaskClient, FlaskClient], listen: Callable[[FlaskClient], Listener], clock: Clock
) -> None:
    """A request of its page counts like a stream, which only the table's page opens; pictures of the tray do not."""
    host, other = phones
    listen(host).close()
    for _ in range(3):
        clock.now += ABSENCE_S - 1
        host.get("/api/welcome")
    here = other.get("/api/welcome").get_json()["host_here"]
    clock.now += ABSENCE_S
    host.post("/api/camera/phone/picture", data=b"from over the tray")

    assert here
    assert other.get("/api/welcome").get_json()["host_here"] is False


def test_a_match_is_the_hosts_between_its_games_too(
    phones: tuple[FlaskClient, FlaskClient], listen: Callable[[FlaskClient], Listener], referee: Referee
) -> None:
    """Another phone may replace it before its first throw and after its last game, and always begin the next one."""
    host, other = phones
    listen(host)
    answers = []

    def replace() -> None:
        # Without a record nothing is replaced, whoever asks.
        answers.append(other.post("/api/records", json={"text": ""}).status_code)

    assert other.post("/api/games", json={"evening": ["puluc", "bul"]}).status_code == 200
    for _game in range(2):
        replace()
        for event in (ThrowEntered(4), ThrowEntered(1), Resigned(Side.JADE)):
            referee.submit(event)
        replace()
        assert other.post("/api/again").status_code == 200

    assert answers == [422, 403, 403, 422]


def test_the_host_can_hand_on(
    phones: tuple[FlaskClient, FlaskClient], listen: Callable[[FlaskClient], Listener]
) -> None:
    """Nobody can take over while the host is here; once released, the next who asks is host."""
    host, other = phones
    listen(host)
    listen(other)
    assert host.get("/api/welcome").get_json() == {
        "play": True,
        "host": True,
        "host_here": True,
        "players": 2,
        "watching": 0,
    }
    assert other.post("/api/host", json={"host": "me"}).status_code == 403
    assert other.post("/api/host", json={"host": "free"}).status_code == 403
    assert host.post("/api/host", json={"host": "free"}).get_json()["host"] is False
    assert other.post("/api/host", json={"host": "me"}).get_json()["host"] is True

    assert host.get("/api/welcome").get_json()["host"] is False
    assert host.post("/api/host", json={"host": "me"}).status_code == 403


def test_a_role_that_was_handed_over_waits_for_a_player(app: Flask, phones: tuple[FlaskClient, FlaskClient]) -> None:
    """A guest who joins meanwhile does not become host, and the page says that there is none."""
    host, other = phones
    host.post("/api/host", json={"host": "free"})
    guest = app.test_client()
    guest.get(f"/?code={CODE}")
    pages = [phone.get("/join").text for phone in (host, other, guest)]

    assert guest.get("/api/welcome").get_json()["host"] is False
    assert all("There is no host right now." in page and "Become the host" in page for page in pages)
    assert other.post("/api/host", json={"host": "me"}).get_json()["host"] is True
    assert "There is no host right now." not in guest.get("/join").text


def test_a_new_code_leaves_the_host_alone_in(phones: tuple[FlaskClient, FlaskClient]) -> None:
    """All other phones watch until they enter it; the old code is invalid."""
    host, other = phones
    program = {"Authorization": f"Bearer {CODE}"}
    assert other.post("/api/code").status_code == 403
    assert other.application.test_client().post("/api/code", headers=program).status_code == 403
    assert host.post("/api/code").status_code == 200

    assert host.post("/api/throw", json={"marked": 3}).status_code == 200
    assert host.get("/api/welcome").get_json()["host"] is True
    assert other.post("/api/undo").status_code == 401
    assert host.post("/api/undo", headers=program).status_code == 200
    assert other.post("/api/undo", headers=program).status_code == 401


def test_a_new_code_leaves_no_old_pass_in_a_browser(tmp_path: Path, referee: Referee) -> None:
    """The new pass replaces the old one, at the host's phone and at one that joins again, also after a restart."""

    def given(phone: FlaskClient, path: str) -> str:
        return phone.get(path).headers["Set-Cookie"].partition("=")[0]

    credentials = Credentials.load(tmp_path)
    phones = [create_app(referee, code=credentials).test_client() for _ in range(2)]
    before = {given(phone, f"/?code={credentials.code}") for phone in phones}
    phones[0].post("/api/code")
    restarted = create_app(referee, code=Credentials.load(tmp_path)).test_client()
    after = given(phones[0], "/"), *(given(one, f"/?code={credentials.code}") for one in (phones[1], restarted))

    assert set(after) == before
    assert len(before) == 1


def test_who_is_here_is_counted(
    app: Flask, phones: tuple[FlaskClient, FlaskClient], listen: Callable[[FlaskClient], Listener]
) -> None:
    """A phone with two pages is one player; every page without the code watches."""
    host, other = phones
    for phone in (host, host, other, app.test_client(), app.test_client(), app.test_client()):
        listen(phone)
    here = app.test_client().get("/api/welcome").get_json()

    assert (here["play"], here["players"], here["watching"]) == (False, 2, 3)


def test_the_player_who_invites_is_counted(
    phones: tuple[FlaskClient, FlaskClient], listen: Callable[[FlaskClient], Listener]
) -> None:
    """The invitation opens no stream, and still whoever looks at it plays; once more with a page open."""
    host, _other = phones
    alone = host.get("/api/welcome").get_json()
    listen(host)

    assert (alone["players"], alone["watching"]) == (1, 0)
    assert host.get("/api/welcome").get_json()["players"] == 1


@pytest.mark.parametrize(
    ("screen", "barred"),
    [("games", "delete games or put another"), ("scores", "reset the scores"), ("backup", "restore")],
)
def test_what_only_the_host_may_do_is_said_before_a_form(
    phones: tuple[FlaskClient, FlaskClient], listen: Callable[[FlaskClient], Listener], screen: str, barred: str
) -> None:
    """Other players see what that is on this screen; the host does not, nor does anyone without a host."""
    host, other = phones
    alone = other.get(f"/{screen}").text
    listen(host)

    assert "only the host can" not in alone
    assert "only the host can" not in host.get(f"/{screen}").text
    assert f"only the host can {barred}" in other.get(f"/{screen}").text


def test_a_browser_reads_a_refusal_as_a_page(watcher: FlaskClient) -> None:
    """A browser gets the reason and a link back; a program gets JSON."""
    page = watcher.get("/nowhere", headers={"Accept": CHROMIUM})
    data = watcher.get("/nowhere")
    anything = watcher.get("/nowhere", headers={"Accept": "*/*"})

    assert page.status_code == data.status_code == 404
    assert anything.get_json() == data.get_json()
    assert "There is nothing at this address." in page.text
    assert '<a class="back" href="/">' in page.text
    assert data.get_json() == {"problem": "There is nothing at this address."}

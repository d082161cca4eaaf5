"""Everyone may watch; playing needs the code, and requests from our own page."""

from __future__ import annotations

from html import unescape

import pytest
from flask import Flask, Response, request
from flask.testing import FlaskClient

from companion.access.credentials import Credentials
from companion.referee.referee import Referee
from tests.web.conftest import CODE, Clock
from web.app import create_app
from web.security.access import COOKIE, DAY, Access

THROW, STYLES = {"marked": 3}, "/static/styles/base.css"


def test_without_the_code_one_may_only_look(watcher: FlaskClient, referee: Referee) -> None:
    """Every GET is allowed; a POST without the code is refused and changes nothing."""
    before = referee.snapshot()
    answer = watcher.post("/api/throw", json=THROW)

    assert all(watcher.get(path).status_code == 200 for path in ("/", "/healthz", "/api/table", "/api/openapi.json"))
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert answer.json == {
        "problem": "To play, open the address with the code that the table shows. Without it you can watch."
    }
    assert referee.snapshot() is before
    assert watcher.get("/api/welcome").get_json()["play"] is False


@pytest.mark.parametrize("header", [f"Bearer {CODE}", f"bearer {CODE}"])
def test_a_program_shows_the_code_in_its_header(watcher: FlaskClient, header: str) -> None:
    """A bearer header with the code is accepted from any origin."""
    headers = {"Authorization": header, "Origin": "http://elsewhere.test"}

    assert watcher.post("/api/throw", json=THROW, headers=headers).status_code == 200


@pytest.mark.parametrize("header", ["Bearer maize-8", "Bearer", "Bearer \xfc", f"Basic {CODE}", "Basic \xff", CODE, ""])
def test_a_wrong_header_does_not_open(watcher: FlaskClient, header: str) -> None:
    """A wrong code, another scheme or a damaged header counts as none."""
    assert watcher.post("/api/throw", json=THROW, headers={"Authorization": header}).status_code == 401


def test_the_printed_address_opens_the_table_again_and_again(app: Flask) -> None:
    """Each visit redirects to the table and sets a cookie that scripts cannot read."""
    client = app.test_client()
    for _ in range(2):
        answer = client.get(f"/?code={CODE}")
        cookie = answer.headers["Set-Cookie"]

        assert answer.status_code == 200
        assert 'data-play="yes"' in answer.text
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert client.post("/api/throw", json=THROW).status_code == 200
    assert client.get("/api/welcome").get_json()["play"] is True


def test_a_phone_that_plays_keeps_its_pass(player: FlaskClient, watcher: FlaskClient) -> None:
    """Its month begins anew with each visit of the page; whoever only watches is given none."""
    first = player.get(f"/?code={CODE}").headers["Set-Cookie"]
    again = player.get("/").headers["Set-Cookie"]

    assert first == again
    assert "Max-Age=2592000" in again
    assert "Set-Cookie" not in watcher.get("/").headers


def test_a_page_that_stays_open_keeps_its_pass(player: FlaskClient, watcher: FlaskClient, clock: Clock) -> None:
    """Once a day any answer prolongs the pass, except one that a cache may keep and hand to somebody else."""
    given = player.get("/").headers["Set-Cookie"]
    clock.now += DAY
    kept, first, second = (player.get(path, buffered=True) for path in (STYLES, "/api/events", "/api/table"))
    clock.now += DAY
    refused = player.post("/api/throw", json={"marked": 9})

    assert [answer.headers.get("Set-Cookie") for answer in (kept, first, second)] == [None, given, None]
    assert (refused.status_code, refused.headers.get("Set-Cookie")) == (422, given)
    assert "Set-Cookie" not in watcher.get("/api/table").headers


def test_an_old_code_wins_no_race_against_a_new_one() -> None:
    """Whose code was right when it asked gets no pass if the host makes a new one before it is answered."""
    credentials = Credentials(CODE)
    access, answer = Access(credentials), Response()
    with Flask(__name__).test_request_context("/"):
        right = access.judge(request, CODE)
        credentials.renew_code(host="host")
        access.remember(request, answer)

    assert right
    assert "Set-Cookie" not in answer.headers


def test_two_tables_on_one_computer_share_a_browser(referee: Referee) -> None:
    """Browsers send the cookies of one port to all, so each table's pass has a name of its own."""
    tables = [create_app(referee, code=CODE).test_client() for _ in range(2)]
    given = [table.get(f"/?code={CODE}").headers["Set-Cookie"].partition(";")[0] for table in tables]
    both = {"Cookie": "; ".join(given)}
    browsers = [table.application.test_client(use_cookies=False) for table in tables]

    assert [browser.get("/api/welcome", headers=both).get_json()["host"] for browser in browsers] == [True, True]
    assert len({cookie.partition("=")[0] for cookie in given}) == 2


def test_a_pass_of_an_earlier_version_is_accepted(referee: Referee) -> None:
    """It has the same name at every table."""
    credentials = Credentials(CODE)
    credentials.add_phone("first")
    phone = create_app(referee, code=credentials).test_client()
    phone.set_cookie(COOKIE, credentials.issue_pass("first"))

    assert phone.get("/api/welcome").get_json()["host"] is True


def test_a_wrong_code_in_the_address_lets_one_watch(watcher: FlaskClient) -> None:
    """The page is shown with a note and sets no cookie."""
    answer = watcher.get("/?code=maize-8")

    assert answer.status_code == 200
    assert "The code in that address is not this table's." in unescape(answer.text)
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("origin", ["http://elsewhere.test", "null", "http://localhost:1"])
def test_another_sites_page_cannot_use_the_cookie(player: FlaskClient, origin: str) -> None:
    """A POST with another page's origin is refused, with or without the cookie."""
    answer = player.post("/api/throw", json=THROW, headers={"Origin": origin})

    assert answer.status_code == 403
    assert answer.json == {"problem": "Another site's page cannot play at this table."}


def test_our_own_page_may_use_the_cookie(player: FlaskClient) -> None:
    """The page's own origin is accepted, and so is a program that sends none."""
    assert player.post("/api/throw", json=THROW, headers={"Origin": "http://localhost"}).status_code == 200
    assert player.post("/api/throw", json=THROW).status_code == 200


def test_an_open_table_needs_no_code(referee: Referee) -> None:
    """Without a code everyone plays, but not from another site's page."""
    client = create_app(referee, code=None).test_client()

    assert client.get("/?code=whatever").status_code == 200
    assert client.post("/api/throw", json=THROW).status_code == 200
    assert client.post("/api/throw", json=THROW, headers={"Origin": "http://elsewhere.test"}).status_code == 403


def test_every_answer_is_guarded(watcher: FlaskClient) -> None:
    """Every response forbids foreign and inline content, MIME sniffing and referrers."""
    for path in ("/", "/api/table", STYLES, "/nowhere"):
        headers = watcher.get(path, buffered=True).headers

        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_an_empty_code_opens_to_nobody(referee: Referee) -> None:
    """A table whose code is empty accepts no code."""
    client = create_app(referee, code="").test_client()

    assert client.get("/?code=").status_code == 200
    assert client.post("/api/throw", json=THROW).status_code == 401
    for header in ("Bearer", "Bearer ", "Bearer x"):
        assert client.post("/api/throw", json=THROW, headers={"Authorization": header}).status_code == 401

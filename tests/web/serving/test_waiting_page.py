"""The page of a table with damaged games: players choose how to go on, others watch."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.access.credentials import Credentials
from companion.backup.recovery import Recovery, Way
from companion.errors import NotAllowed
from companion.storage.restore import GAMES
from companion.storage.store import Store
from tests.backup.tables import table, thrown
from web.security.access import Access
from web.serving.waiting_page import waiting_app

CODE = "k7mp3wqx"
HTML = {"Accept": "text/html"}
WHY = "The games are damaged."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A table's folder whose games lost their schema."""
    folder = table(tmp_path / "data", 4, 1, 2)
    games = folder / GAMES
    games.write_bytes(bytes(4096) + games.read_bytes()[4096:])
    return folder


@pytest.fixture
def recovery(folder: Path) -> Recovery:
    return Recovery(folder)


@pytest.fixture
def phone(recovery: Recovery) -> FlaskClient:
    """A phone that has not shown the code."""
    return waiting_app(WHY, recovery, Access(Credentials(CODE))).test_client()


def test_players_choose_and_the_damaged_file_is_kept(phone: FlaskClient, recovery: Recovery, folder: Path) -> None:
    """It searches for games that can be saved, then offers them; the choice is carried out once."""
    harmed = (folder / GAMES).read_bytes()
    entered = phone.post("/join", data={"code": CODE})
    looking = phone.get("/", headers=HTML)
    recovery.survey()
    offered = phone.get("/", headers=HTML)
    chosen = phone.post("/recovery", data={"way": "rescue"}, headers=HTML)
    again = phone.post("/recovery", data={"way": "empty"}, headers=HTML)

    assert (entered.status_code, looking.status_code, offered.status_code) == (303, 503, 503)
    assert "Looking for what can be saved" in looking.text
    assert "It has 1 game." in offered.text
    assert 'value="rescue"' in offered.text
    assert (chosen.status_code, again.status_code) == (202, 409)
    assert "The table starts in a moment." in chosen.text
    assert recovery.done.is_set()
    assert thrown(folder) == [4, 1, 2]
    assert (folder / "damaged-1" / GAMES).read_bytes() == harmed


def test_the_code_in_the_address_lets_one_choose(phone: FlaskClient, recovery: Recovery) -> None:
    """It works as for a normal table, and is removed from the address."""
    recovery.survey()
    entered = phone.get(f"/?code={CODE}")

    assert (entered.status_code, entered.location) == (303, "/")
    assert 'value="empty"' in phone.get("/", headers=HTML).text


def test_nobody_else_chooses(phone: FlaskClient, recovery: Recovery, folder: Path) -> None:
    """Without the code one sees what is wrong, and is asked for it; a wrong one and another site's page do nothing."""
    recovery.survey()
    seen = phone.get("/", headers=HTML)
    wrong = phone.post("/join", data={"code": "22222222"}, headers=HTML)
    refused = phone.post("/recovery", data={"way": "empty"})
    phone.post("/join", data={"code": CODE})
    foreign = phone.post("/recovery", data={"way": "empty"}, headers={"Origin": "http://elsewhere.example"})

    assert WHY in seen.text
    assert 'name="code"' in seen.text
    assert "/recovery" not in seen.text
    assert (wrong.status_code, refused.status_code, foreign.status_code) == (422, 401, 403)
    assert "not this table&#39;s code" in wrong.text
    assert not recovery.done.is_set()
    assert not (folder / "damaged-1").exists()


def test_programs_are_told_the_choices(phone: FlaskClient, recovery: Recovery) -> None:
    """They are in the JSON, null during the search. Other choices are refused."""
    first = phone.get("/healthz").get_json()
    recovery.survey()
    then = phone.get("/healthz").get_json()
    code = {"Authorization": f"Bearer {CODE}"}

    assert first == {"status": "waiting", "problem": WHY, "choices": None}
    assert [choice["way"] for choice in then["choices"]] == ["rescue", "empty"]
    assert then["choices"][0] | {"newest": ""} == {"way": "rescue", "games": 1, "cut": 0, "lost": 0, "newest": ""}
    assert phone.post("/recovery", data={"way": "copy"}, headers=code).status_code == 409
    assert phone.post("/recovery", data={"way": "magic"}, headers=code).status_code == 422


def test_games_that_another_companion_has_opened_stay(recovery: Recovery, folder: Path) -> None:
    """The other companion could be writing to them."""
    recovery.survey()
    other = Recovery(folder)
    other.survey()
    other.take(Way.EMPTY)
    store = Store(folder)

    with pytest.raises(NotAllowed, match="Another companion"):
        recovery.take(Way.EMPTY)
    store.close()

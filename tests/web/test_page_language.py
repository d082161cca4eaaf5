"""Phones get the language they ask for; programs that ask for none get English."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion.i18n import ENGLISH
from companion.referee.referee import Referee
from tests.i18n.pseudo import PSEUDO
from tests.web.conftest import CODE
from web.app import create_app

SPEAKING = {"en": ENGLISH, PSEUDO.code: PSEUDO}
ACCENTED = {"Accept-Language": f"{PSEUDO.code},en;q=0.5"}


@pytest.fixture
def phone(referee: Referee) -> FlaskClient:
    client = create_app(referee, code=CODE, offered=SPEAKING).test_client()
    client.get(f"/?code={CODE}")
    return client


def test_a_program_that_asks_for_no_language_gets_english(phone: FlaskClient) -> None:
    answer = phone.post("/api/move", json={"from": 1, "to": 2})

    assert answer.json == {"problem": "Throw the sticks first."}
    assert answer.headers["Content-Language"] == "en"
    assert phone.get("/api/table", headers={"Accept-Language": "qu, tlh"}).headers["Content-Language"] == "en"


def test_the_page_says_which_language_it_is_in(phone: FlaskClient) -> None:
    for path in ("/", "/rules"):
        assert f'<html lang="{PSEUDO.code}"' in phone.get(path, headers=ACCENTED).text
        assert '<html lang="en">' in phone.get(path).text


def test_what_the_phone_was_set_to_goes_before_what_its_browser_asks(phone: FlaskClient) -> None:
    phone.set_cookie("lang", PSEUDO.code)
    assert phone.get("/api/table", headers={"Accept-Language": "en"}).headers["Content-Language"] == PSEUDO.code

    phone.set_cookie("lang", "tlh")
    assert phone.get("/api/table", headers={"Accept-Language": "en"}).headers["Content-Language"] == "en"


def test_the_words_of_the_scripts_stay_at_their_address(phone: FlaskClient) -> None:
    found = re.search(r'data-words="([^"]+)"', phone.get("/", headers=ACCENTED).text)
    assert found
    script = phone.get(found[1])

    assert script.text.startswith("export const plural = (n) => Number(n != 1);\n")
    assert "immutable" in script.headers["Cache-Control"]
    assert phone.get("/words/en-000000000000.js").status_code == 404
    assert phone.get("/words/nothing.js").status_code == 404

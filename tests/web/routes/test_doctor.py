"""What the doctor found, as phones and programs get it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.doctor.finding import Check, Finding, State, doubt, skipped, well, wrong
from companion.referee.referee import Referee
from companion.words import _
from web.app import create_app

CODE = "code2345"
PLAYER = {"Authorization": f"Bearer {CODE}"}


class FakeDoctor:
    """Finds what it is told to find."""

    def __init__(self) -> None:
        self.found: list[Finding] = [
            well(Check.PYTHON, _("Python {version}, 64 bit.", version="3.13.5")),
            wrong(Check.CAMERA, "The Pi sees no camera.", "Check its ribbon, at both ends."),
            doubt(Check.LIGHT, "It is rather dark.", "Bring a lamp nearer."),
            skipped(Check.LAMP, "Nobody was asked whether it shines."),
        ]

    def findings(self) -> list[Finding]:
        return self.found


@pytest.fixture
def doctor() -> FakeDoctor:
    return FakeDoctor()


@pytest.fixture
def phone(referee: Referee, doctor: FakeDoctor) -> Iterator[FlaskClient]:
    with create_app(referee, code=CODE, doctor=doctor).test_client() as client:
        yield client


def test_players_see_what_is_wrong_first_and_what_helps(phone: FlaskClient) -> None:
    """The verdict, then what is wrong, then what could be better, then the rest."""
    text = phone.get("/doctor", headers=PLAYER).text
    order = [
        "Something is wrong: Camera.",
        "The Pi sees no camera.",
        "Check its ribbon, at both ends.",
        "It is rather dark.",
        "Python 3.13.5, 64 bit.",
    ]

    assert sorted(order, key=text.index) == order


def test_onlookers_are_told_to_ask_a_player(phone: FlaskClient) -> None:
    """What is wrong may name files and settings."""
    answer = phone.get("/doctor")

    assert answer.status_code == 200
    assert "You are watching." in answer.text
    assert "ribbon" not in answer.text
    assert phone.get("/api/doctor").status_code == 401


def test_programs_get_the_same(phone: FlaskClient, doctor: FakeDoctor) -> None:
    """All findings in order, and whether anything is wrong."""
    told = phone.get("/api/doctor", headers=PLAYER).json
    assert told is not None
    doctor.found = [one for one in doctor.found if one.state is not State.WRONG]
    mended = phone.get("/api/doctor", headers=PLAYER).json
    assert mended is not None

    assert (told["well"], mended["well"]) == (False, True)
    assert [one["check"] for one in told["findings"]] == ["python", "camera", "light", "lamp"]
    assert told["findings"][1]["cure"] == "Check its ribbon, at both ends."
    assert mended["summary"] == "You can play. Something could be better."


def test_table_that_nobody_looks_after_says_so(referee: Referee) -> None:
    """Nothing is claimed to be well."""
    with create_app(referee, code=None).test_client() as client:
        told = client.get("/api/doctor").json

    assert told is not None
    assert {one["state"] for one in told["findings"]} == {"skipped"}

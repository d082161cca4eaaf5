"""The doctor's findings on the page and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape

import pytest
from flask.testing import FlaskClient

from companion.doctor.finding import Check, Finding, FindingState, failed, passed, skipped, warning
from companion.i18n import _
from companion.referee.referee import Referee
from web.app import create_app

CODE = "code2345"
PLAYER = {"Authorization": f"Bearer {CODE}"}


class FakeDoctor:
    """Returns the given findings."""

    def __init__(self) -> None:
        self.found: list[Finding] = [
            passed(Check.PYTHON, _("Python {version}, 64 bit.", version="3.13.5")),
            failed(Check.CAMERA, "The Pi sees no camera.", "Check its ribbon, at both ends."),
            warning(Check.LIGHT, "It's a bit dark.", "Move a lamp closer."),
            skipped(Check.LAMP, "Not tested."),
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


def test_players_see_problems_and_remedies_first(phone: FlaskClient) -> None:
    """The summary, then problems, then warnings, then the rest."""
    text = unescape(phone.get("/doctor", headers=PLAYER).text)
    order = [
        "Problems found: Camera.",
        "The Pi sees no camera.",
        "Check its ribbon, at both ends.",
        "It's a bit dark.",
        "Python 3.13.5, 64 bit.",
    ]

    assert sorted(order, key=text.index) == order


def test_onlookers_see_no_findings(phone: FlaskClient) -> None:
    """Findings may name files and settings."""
    answer = phone.get("/doctor")

    assert answer.status_code == 200
    assert "watching, and only players can see this." in answer.text
    assert "ribbon" not in answer.text
    assert phone.get("/api/doctor").status_code == 401


def test_programs_get_the_same(phone: FlaskClient, doctor: FakeDoctor) -> None:
    """All findings in order, and whether there is a problem."""
    answer = phone.get("/api/doctor", headers=PLAYER).json
    assert answer is not None
    doctor.found = [one for one in doctor.found if one.state is not FindingState.ERROR]
    mended = phone.get("/api/doctor", headers=PLAYER).json
    assert mended is not None

    assert (answer["well"], mended["well"]) == (False, True)
    assert [one["check"] for one in answer["findings"]] == ["python", "camera", "light", "lamp"]
    assert answer["findings"][1]["cure"] == "Check its ribbon, at both ends."
    assert mended["summary"] == "You can play, but something could be better."


def test_table_without_checks_skips_them_all(referee: Referee) -> None:
    """All checks are skipped, and it does not say that everything is fine."""
    with create_app(referee, code=None).test_client() as client:
        answer = client.get("/api/doctor").json

    assert answer is not None
    assert {one["state"] for one in answer["findings"]} == {"skipped"}
    assert answer["summary"] == "Nothing is checked here."

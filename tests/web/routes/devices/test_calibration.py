"""The addresses of the calibration: access, states, and refusals."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.calibration.session import (
    FOLDER_CAMERA,
    Busy,
    CalibrationRequest,
    CalibrationState,
    CancelCalibration,
    ConfirmStep,
    GoBack,
    JudgeTestThrow,
    NoCalibration,
    Stage,
    StartCalibration,
    next_state,
    started,
)
from companion.referee.events import Face, Lot
from companion.referee.referee import Referee
from tests.web.conftest import CODE
from tests.web.test_openapi import check
from web.app import create_app

CORNERS = ((10.0, 10.0), (50.0, 10.0), (50.0, 20.0), (10.0, 20.0))
LOT = Lot(x=30, y=15, angle=0, face=Face.MARKED, confidence=0.9, outline=CORNERS)


class Desk:
    """A calibration without a camera that carries out each request."""

    def __init__(self) -> None:
        self.now = CalibrationState(sticks="Beans")
        self.wishes: list[CalibrationRequest] = []
        self.attended = 0
        self.jpeg: bytes | None = None
        self.faces: dict[Face, bytes] = {}

    def state(self, *, attended: bool = False) -> CalibrationState:
        self.attended += attended
        return self.now

    def picture(self, side: Face | None = None) -> bytes | None:
        return self.jpeg if side is None else self.faces.get(side)

    def submit(self, wish: CalibrationRequest, *, seen: int | None = None) -> CalibrationState:
        match wish:
            case StartCalibration():
                self.now = started(self.now, wish)
            case CancelCalibration():
                self.now = CalibrationState(step=self.now.step + 1)
            case _:
                self.now = next_state(self.now, wish, seen=seen)
        self.wishes.append(wish)
        return self.now


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def app(referee: Referee, desk: Desk) -> Flask:
    app = create_app(referee, code=CODE, calibration=desk)
    app.testing = True
    return app


def post(client: FlaskClient, path: str = "", **body: Any) -> Any:
    return client.post(f"/api/calibration{path}", json=body)


def test_each_address_makes_its_request(player: FlaskClient, desk: Desk) -> None:
    """Every POST returns the new state of the calibration."""
    first = post(player, sticks="Beans").json
    desk.now = replace(desk.now, busy=None)
    waiting = post(player, "/next", step=first["step"]).json
    desk.now = replace(desk.now, busy=None, stage=Stage.SHOWN, marked=2)
    judged = post(player, "/verdict", right=False).json
    desk.now = replace(desk.now, busy=None)
    back = post(player, "/back").json
    stopped = post(player, "/cancel").json

    assert desk.wishes == [
        StartCalibration("Beans"),
        ConfirmStep(),
        JudgeTestThrow(False),
        GoBack(),
        CancelCalibration(),
    ]
    assert (first["stage"], first["busy"], first["open"], first["sticks"]) == ("empty", "opening", True, "Beans")
    assert waiting["busy"] == "still"
    assert (judged["stage"], judged["throws"]) == ("throw", [False])
    assert (back["stage"], stopped["open"]) == ("plain", False)


@pytest.mark.parametrize("path", ["", "/next", "/back", "/verdict", "/cancel"])
def test_only_players_teach(watcher: FlaskClient, desk: Desk, path: str) -> None:
    """Without the table's code a phone may watch; watching does not keep a calibration open."""
    refused = post(watcher, path, right=True)
    looked = watcher.get("/api/calibration")

    assert (refused.status_code, looked.status_code) == (401, 200)
    assert (desk.wishes, desk.attended) == ([], 0)


def test_a_player_who_looks_keeps_it_open(player: FlaskClient, desk: Desk) -> None:
    """Both the page and the state's address count as watching."""
    player.get("/calibrate")
    player.get("/api/calibration")

    assert desk.attended == 2


@pytest.mark.parametrize(
    ("path", "body", "status", "said"),
    [
        ("/next", {}, 409, "Tap Start"),
        ("/verdict", {}, 422, "'right' is missing: it takes true if the count is right."),
        ("/verdict", {"right": 1}, 422, "'right' takes true"),
        ("/next", {"step": "x"}, 422, "'step' takes the step of the calibration you saw"),
        ("", {"sticks": "simulated"}, 422, "Use 1 to 40 characters for the name"),
        ("", {"stick": "x"}, 422, "There is no field 'stick' here"),
    ],
)
def test_refusals_are_sentences(player: FlaskClient, path: str, body: dict[str, Any], status: int, said: str) -> None:
    """This covers requests that do not fit the state, and malformed ones."""
    answer = post(player, path, **body)

    assert answer.status_code == status
    assert said in answer.json["problem"]


def test_a_step_done_by_another_phone_is_not_done_twice(player: FlaskClient, desk: Desk) -> None:
    """The request names its step."""
    seen = post(player).json["step"]
    desk.now = replace(desk.now, stage=Stage.MARKED, busy=None, step=seen + 1)
    late = post(player, "/next", step=seen)

    assert late.status_code == 409
    assert "already done" in late.json["problem"]
    assert desk.wishes == [StartCalibration("")]


def test_the_state_is_as_described(watcher: FlaskClient, desk: Desk) -> None:
    """It fits its schema in every stage, busy or not."""
    described: Any = watcher.get("/api/openapi.json").json
    schemas = described["components"]["schemas"]
    for stage in Stage:
        for busy in (None, *Busy):
            desk.now = CalibrationState(
                stage=stage, busy=busy, lots=(LOT,), width=64, height=48, marked=1, verdicts=(True,)
            )
            state: Any = watcher.get("/api/calibration").json

            check(state, schemas["Calibration"], schemas, "calibration")
            assert all(state[word] for word in ("title", "sentence", "button"))


def test_both_sides_are_shown_while_there_are_pictures_of_them(player: FlaskClient, desk: Desk) -> None:
    """The page shows them instead of the tray."""
    assert player.get("/api/calibration/picture?side=marked").status_code == 404
    assert player.get("/api/calibration/picture?side=top").status_code == 422
    desk.now = CalibrationState(stage=Stage.PLAIN, faces=True)
    desk.faces = {Face.MARKED: b"\xff\xd8 marked", Face.PLAIN: b"\xff\xd8 plain"}
    page = player.get("/calibrate").text

    assert player.get("/api/calibration/picture?side=plain&7").data == b"\xff\xd8 plain"
    assert "data-sides>" in page
    assert "data-tray hidden" in page
    desk.now = CalibrationState(stage=Stage.PLAIN)
    assert "data-sides hidden" in player.get("/calibrate").text


def test_the_picture_is_the_newest(watcher: FlaskClient, desk: Desk) -> None:
    """Browsers never cache it; there is none outside a calibration."""
    assert watcher.get("/api/calibration/picture").status_code == 404
    desk.jpeg = b"\xff\xd8 new"
    answer = watcher.get("/api/calibration/picture")

    assert (answer.data, answer.mimetype) == (b"\xff\xd8 new", "image/jpeg")
    assert answer.headers["Cache-Control"] == "no-store"


def test_the_page_is_readable_without_scripts(watcher: FlaskClient, player: FlaskClient, desk: Desk) -> None:
    """It shows what to do, the picture once there is one, the outlines in it, and to players the name of the sticks."""
    closed = player.get("/calibrate").text
    desk.now = CalibrationState(stage=Stage.MARKED, lots=(LOT,) * 4, width=64, height=48)
    page = watcher.get("/calibrate").text
    desk.now = CalibrationState(stage=Stage.EMPTY, busy=Busy.OPENING)
    opening = watcher.get("/calibrate").text

    assert 'value="Beans"' in closed
    assert "It takes about a minute" in closed
    assert "All four, marked side up" in page
    assert "I see 4. Good." in page
    assert page.count("10.0,10.0 50.0,10.0") == 8
    assert 'src="/api/calibration/picture"' in page
    assert "/api/calibration/picture" not in opening
    assert "You are watching" in page
    assert "You are watching" not in closed
    assert 'aria-current="step">Marked' in page


def test_the_table_leads_to_it(watcher: FlaskClient) -> None:
    """The table and the calibration link to each other."""
    assert 'href="/calibrate"' in watcher.get("/").text
    assert 'href="/"' in watcher.get("/calibrate").text


def test_a_table_that_has_no_camera_says_so(referee: Referee) -> None:
    """The page and the API say so in a plain sentence, and how a folder is taught; nothing can be started."""
    for app, why in (
        (create_app(referee, code=None), "no camera"),
        (
            create_app(referee, code=None, calibration=NoCalibration(FOLDER_CAMERA)),
            "from a folder, so it is taught on the computer",
        ),
    ):
        client = app.test_client()
        state: Any = client.get("/api/calibration").json
        refused = post(client)

        assert (state["possible"], state["open"]) == (False, False)
        assert why in state["problem"]
        assert (refused.status_code, refused.json["problem"]) == (409, state["problem"])
        assert state["problem"] in client.get("/calibrate").text
        assert 'data-wish="main"' not in client.get("/calibrate").text
        assert client.get("/api/calibration/picture").status_code == 404


def test_watchers_are_not_told_what_names_files(watcher: FlaskClient, player: FlaskClient, desk: Desk) -> None:
    """Error details are only for players; watchers see the present step."""
    desk.now = CalibrationState(
        stage=Stage.MARKED, busy=Busy.LOST, problem="/dev/video7 has stopped. I'll carry on when it's back."
    )
    texts = [unescape(watcher.get(path).text) for path in ("/calibrate", "/api/calibration")]

    assert all("/dev/video7" not in text and "I'm looking for it" in text for text in texts)
    assert "/dev/video7" in player.get("/calibrate").text

"""The camera's screen: what it shows to whom, and what it says where there is no picture."""

from __future__ import annotations

from threading import Thread

import pytest
from flask.testing import FlaskClient

from companion.referee.events import CameraChanged, CameraState
from companion.referee.referee import Referee
from companion.window import FRESH_S, LOOKED_S, PICTURE_S, Window
from tests.web.conftest import CODE, Clock
from web.app import create_app

JPEG = b"\xff\xd8 the tray \xff\xd9"
GONE = CameraChanged(state=CameraState.LOST, message="/dev/video7 has stopped. Check its plug.")


@pytest.fixture
def window(clock: Clock) -> Window:
    return Window(clock=clock)


@pytest.fixture
def phone(referee: Referee, window: Window) -> FlaskClient:
    """A phone of somebody who watches, at a table with a camera."""
    return create_app(referee, code=CODE, window=window).test_client()


def test_the_tray_is_shown_as_it_is_now(phone: FlaskClient, referee: Referee, window: Window) -> None:
    """As the camera's thread brought it, and kept nowhere."""
    referee.submit(CameraChanged(state=CameraState.WATCHING))
    window.show(JPEG)
    answer, page = phone.get("/api/camera/picture"), phone.get("/camera").text

    assert answer.data == JPEG
    assert answer.content_type == "image/jpeg"
    assert answer.headers["Cache-Control"] == "no-store"
    assert 'src="/api/camera/picture"' in page
    assert "The camera watches" in page


def test_watchers_are_told_in_plain_words_and_players_exactly(phone: FlaskClient, referee: Referee) -> None:
    """What names a device or a file stands on no page and in no answer for those without the code."""
    referee.submit(GONE)
    told = [phone.get(path).text for path in ("/", "/camera", "/api/table", "/api/camera", "/calibrate")]
    phone.get(f"/?code={CODE}")
    exactly = phone.get("/api/camera").json

    assert all("/dev/video7" not in text for text in told)
    assert all("The camera is gone" in text for text in told[:4])
    assert exactly is not None
    assert exactly["detail"] == GONE.message
    assert GONE.message in phone.get("/camera").text


def test_without_a_picture_it_says_so(phone: FlaskClient, watcher: FlaskClient, referee: Referee) -> None:
    """A camera that is gone, or none at all: no picture, at once, and what to do."""
    referee.submit(GONE)
    lost = phone.get("/api/camera/picture")
    referee.submit(CameraChanged(state=CameraState.NONE))
    none = watcher.get("/api/camera/picture")

    assert (lost.status_code, none.status_code) == (404, 404)
    assert "plays without one" in watcher.get("/camera").text
    assert "<img" not in watcher.get("/camera").text


def test_pictures_are_made_only_while_somebody_looks(window: Window, clock: Clock) -> None:
    """Not before the first phone asks, not faster than phones need, and no more when it has left."""
    before = window.is_due
    window.picture()
    asked = window.is_due
    window.show(JPEG)
    soon = window.is_due
    clock.now += PICTURE_S
    later = window.is_due
    clock.now += LOOKED_S

    assert (before, asked, soon, later, window.is_due) == (False, True, False, True, False)


def test_an_old_picture_is_not_shown_for_a_new_one(window: Window, clock: Clock) -> None:
    """Else a camera that died would seem to watch."""
    window.show(JPEG)
    fresh = window.picture()
    clock.now += FRESH_S + 0.1

    assert fresh == JPEG
    assert window.picture() is None


def test_window_tells_why_it_stays_dark(window: Window) -> None:
    """Nobody waits for a picture that will not come; once one does, the reason is forgotten."""
    asking = Thread(target=lambda: answers.append(window.picture(patience_s=30)))
    answers: list[bytes | None] = []
    asking.start()
    while asking.is_alive():
        window.stay_dark("The Pi sees no camera.")

    assert answers == [None]
    assert window.why_dark == "The Pi sees no camera."
    window.show(b"jpeg")
    assert window.why_dark == ""

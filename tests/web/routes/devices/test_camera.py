"""The camera's screen: what each phone sees, and the message if there is no picture."""

from __future__ import annotations

from threading import Thread

import pytest
from flask.testing import FlaskClient

from companion.live_preview import FRAME_INTERVAL_S, MAX_AGE_S, VIEWER_TIMEOUT_S, Preview
from companion.referee.events import CameraChanged, CameraState
from companion.referee.referee import Referee
from tests.web.conftest import CODE, Clock
from web.app import create_app

JPEG = b"\xff\xd8 the tray \xff\xd9"
GONE = CameraChanged(state=CameraState.LOST, message="/dev/video7 has stopped. Check its plug.")


@pytest.fixture
def preview(clock: Clock) -> Preview:
    return Preview(clock=clock)


@pytest.fixture
def phone(referee: Referee, preview: Preview) -> FlaskClient:
    """A watcher's phone at a table with a camera."""
    return create_app(referee, code=CODE, preview=preview).test_client()


def test_the_tray_is_shown_as_it_is_now(phone: FlaskClient, referee: Referee, preview: Preview) -> None:
    """The picture is the camera thread's latest, and is never cached."""
    referee.submit(CameraChanged(state=CameraState.WATCHING))
    preview.publish(JPEG)
    answer, page = phone.get("/api/camera/picture"), phone.get("/camera").text

    assert answer.data == JPEG
    assert answer.content_type == "image/jpeg"
    assert answer.headers["Cache-Control"] == "no-store"
    assert 'src="/api/camera/picture"' in page
    assert "The camera is watching" in page


def test_watchers_are_told_in_plain_words_and_players_exactly(phone: FlaskClient, referee: Referee) -> None:
    """Without the code no page or response names a device or a file."""
    referee.submit(GONE)
    texts = [phone.get(path).text for path in ("/", "/camera", "/api/table", "/api/camera", "/calibrate")]
    phone.get(f"/?code={CODE}")
    exactly = phone.get("/api/camera").json

    assert all("/dev/video7" not in text for text in texts)
    assert all("lost the camera" in text for text in texts[:4])
    assert exactly is not None
    assert exactly["detail"] == GONE.message
    assert GONE.message in phone.get("/camera").text


def test_without_a_picture_it_says_so(phone: FlaskClient, watcher: FlaskClient, referee: Referee) -> None:
    """If the camera is lost or missing there is an immediate response with a remedy."""
    referee.submit(GONE)
    lost = phone.get("/api/camera/picture")
    referee.submit(CameraChanged(state=CameraState.NONE))
    none = watcher.get("/api/camera/picture")

    assert (lost.status_code, none.status_code) == (404, 404)
    assert "This table has no camera." in watcher.get("/camera").text
    assert "<img" not in watcher.get("/camera").text


def test_late_picture_is_no_fault(
    phone: FlaskClient, preview: Preview, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy camera answers with nothing, and the page asks again; a camera that failed is a fault."""
    monkeypatch.setattr("web.routes.devices.camera.PATIENCE_S", 0.0)
    referee.submit(CameraChanged(state=CameraState.WATCHING))
    late = phone.get("/api/camera/picture")
    preview.report_failure("The Pi sees no camera.")
    failed = phone.get("/api/camera/picture")

    assert (late.status_code, late.data, failed.status_code) == (204, b"", 404)


def test_pictures_are_made_only_while_somebody_looks(preview: Preview, clock: Clock) -> None:
    """They start with the first phone, are no more frequent than phones need, and stop when it leaves."""
    before = preview.is_due
    preview.picture()
    asked = preview.is_due
    preview.publish(JPEG)
    soon = preview.is_due
    clock.now += FRAME_INTERVAL_S
    later = preview.is_due
    clock.now += VIEWER_TIMEOUT_S

    assert (before, asked, soon, later, preview.is_due) == (False, True, False, True, False)


def test_an_old_picture_is_not_shown_for_a_new_one(preview: Preview, clock: Clock) -> None:
    """Otherwise a dead camera would seem to work."""
    preview.publish(JPEG)
    fresh = preview.picture()
    clock.now += MAX_AGE_S + 0.1

    assert fresh == JPEG
    assert preview.picture() is None


def test_window_tells_why_it_stays_dark(preview: Preview) -> None:
    """Nobody waits for a picture that will not come; the reason is cleared with the next picture."""
    asking = Thread(target=lambda: answers.append(preview.picture(timeout_s=30)))
    answers: list[bytes | None] = []
    asking.start()
    while asking.is_alive():
        preview.report_failure("The Pi sees no camera.")

    assert answers == [None]
    assert preview.failure == "The Pi sees no camera."
    preview.publish(b"jpeg")
    assert preview.failure == ""

"""The camera screen in a real browser: the picture updates itself, and a lost camera is reported."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.live_preview import Preview
from companion.referee.events import CameraChanged, CameraState
from tests.browser.conftest import House, box_of

pytestmark = pytest.mark.browser

WIDE = "wide => document.querySelector('[data-live]')?.naturalWidth === wide"


@pytest.fixture
def preview() -> Preview:
    return Preview(clock=monotonic)


@pytest.fixture
def watched(tmp_path: Path, preview: Preview) -> Iterator[House]:
    """A table with a camera."""
    house = House(tmp_path, preview=preview)
    house.referee.submit(CameraChanged(state=CameraState.WATCHING))
    yield house
    house.stop()


def picture(width: int) -> bytes:
    """A grey picture, identified by its width."""
    return cv2.imencode(".jpg", np.full((48, width, 3), 90, np.uint8))[1].tobytes()


def test_the_picture_updates_automatically(page: Page, watched: House, preview: Preview) -> None:
    """Pictures follow each other without a tap; when the camera is lost, a message replaces the picture."""
    preview.publish(picture(64))
    page.goto(f"{watched.address}")
    page.goto(f"{watched.watched}camera")
    page.wait_for_function(WIDE, arg=64)
    preview.publish(picture(80))
    page.wait_for_function(WIDE, arg=80)
    gone = "/dev/video7 has stopped. Check its plug."
    watched.referee.submit(CameraChanged(state=CameraState.LOST, message=gone))
    expect(page.locator("[data-title]")).to_have_text("The camera is gone")
    expect(page.locator("[data-detail]")).to_have_text(gone)
    expect(page.locator("[data-live]")).to_be_hidden()
    watched.referee.submit(CameraChanged(state=CameraState.WATCHING))
    preview.publish(picture(96))

    page.wait_for_function(WIDE, arg=96)
    frame = box_of(page.locator("[data-tray]"))
    assert frame["width"] - 4 == pytest.approx(2 * (frame["height"] - 4), abs=2), "it has the shape of the picture"
    expect(page.locator("[data-detail]")).to_be_hidden()

"""The first view of the table on a new phone with a slow connection."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser

from companion.referee.events import Picture, ThrowSeen
from tests.browser.conftest import House
from tests.browser.first_visit import visit
from tests.browser.screen_states import moving, new_game, reading

pytestmark = pytest.mark.browser

LARGEST = 150_000
"""Maximum bytes over the wire, including headers, the picture and the first event of the stream."""


def photographed(house: House) -> None:
    """A camera's whole picture with noise, larger than the limit of the whole view."""
    grain = np.random.default_rng(3).normal(128, 30, (960, 1280, 3)).clip(0, 255).astype(np.uint8)
    jpeg = cv2.imencode(".jpg", cv2.GaussianBlur(grain, (5, 5), 0), [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    assert len(jpeg) > LARGEST
    new_game(house)
    house.begin()
    shown = Picture(jpeg=jpeg, width=1280, height=960)
    house.referee.submit(ThrowSeen(marked=2, confidence=0.98, lots=(), picture=shown))


@pytest.mark.parametrize("address", ["address", "watched"])
@pytest.mark.parametrize("state", [reading, photographed, moving])
def test_the_first_view_is_light(house: House, browser: Browser, state: object, address: str) -> None:
    """With a throw's picture or a list of rated moves, with and without the code."""
    assert callable(state)
    state(house)
    heavy = visit(browser, getattr(house, address), slow=False).bytes

    assert any("/api/events" in url for url in heavy)
    assert any("/static/table/table.js" in url for url in heavy)
    assert sum(heavy.values()) <= LARGEST, heavy


def test_the_first_paint_needs_only_one_response(house: House, browser: Browser) -> None:
    """The printed address does not redirect, and loads nothing else that blocks painting."""
    reading(house)
    seen = visit(browser, house.address, slow=False)

    assert seen.redirects == 0
    assert seen.blocking == []

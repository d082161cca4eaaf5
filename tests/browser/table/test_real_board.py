"""The real board on a phone: teaching it, and what the camera sees of it during play. The camera's frames are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import ThrowEntered
from tests.browser.checks import faint
from tests.browser.conftest import SMALL, box_of
from tests.hardware.board.drawn_board import CORNERS, DrawnBoard
from tests.web.conftest import CODE, served
from tests.web.routes.devices.test_board import TaughtTable

pytestmark = pytest.mark.browser


@pytest.fixture
def table(tmp_path: Path) -> Iterator[TaughtTable]:
    table = TaughtTable(tmp_path)
    yield table
    table.referee.close()


@pytest.fixture
def open_page(table: TaughtTable, another: Callable[..., Page]) -> Iterator[Callable[..., Page]]:
    """Opens a page of the table on a small phone that may play."""
    with served(table.phone.application) as server:
        yield lambda path="": another(f"http://127.0.0.1:{server.port}/{path}?code={CODE}", viewport=SMALL)


def test_a_board_is_taught_by_five_taps_and_its_corners(table: TaughtTable, open_page: Callable[..., Page]) -> None:
    """Corners may be tapped round the road; what is seen is shown space by space; the screen fits, and is legible."""
    page = open_page()
    page.goto(page.url.partition("?")[0] + "teach-board")

    def go_on(path: str) -> None:
        """Tap the button, and let the camera see the board once the table has been told."""
        with page.expect_response(f"**/api/board/{path}"):
            page.locator("[data-wish=main][aria-disabled=false]").click()
        table.frames()

    go_on("teach")
    page.locator(".steps [aria-current]", has_text="Empty board").wait_for()
    table.camera.board = DrawnBoard()
    go_on("teach/empty")
    picker = page.locator("[data-picker]")
    expect(picker).to_be_visible()
    box = box_of(picker)
    for x, y in (CORNERS[at] for at in (0, 1, 3, 2)):
        page.mouse.click(box["x"] + box["width"] * x / 640, box["y"] + box["height"] * y / 480)
    expect(page.locator(".corner")).to_have_count(4)
    page.locator(".corner").last.focus()
    page.keyboard.press("ArrowLeft")
    go_on("teach/corners")
    page.locator(".steps [aria-current]", has_text="Pieces").wait_for()
    table.camera.shows("J.......O", bases=(4, 4))
    go_on("teach/pieces")

    expect(page.locator("[data-spaces] .right")).to_have_count(9)
    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]
    assert faint(page) == []
    go_on("teach/accept")
    expect(page.locator(".steps .past")).to_have_count(4)
    assert table.referee.snapshot().board_seen is not None


def test_what_the_camera_sees_of_the_board(table: TaughtTable, open_page: Callable[..., Page]) -> None:
    """A wrong space is marked, in words too, and listed; a move that counts down is taken, and undone by one tap."""
    table.teach()
    table.tap("teach/accept")
    table.referee.start_countdowns(lambda: table.camera.now)
    table.referee.submit(ThrowEntered(3))
    page = open_page()
    line = page.locator("[data-board-line]")
    table.camera.shows(".....J...", bases=(4, 5))
    table.frames()
    expect(line).to_contain_text("Space 6")
    expect(page.locator("[data-space='6'].wrong")).to_have_attribute(
        "aria-label", "Space 6: empty; the camera sees a Jade piece"
    )
    page.locator("[data-menu] summary").click()
    page.get_by_role("button", name="Check the board").click()
    dialog = page.locator("dialog.check-board")
    expect(dialog.locator("li")).to_have_text("Space 6: I see a Jade piece; the game has nothing.")
    dialog.get_by_role("button", name="The board is right").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Neither undoing nor a legal move")
    dialog.get_by_role("button", name="Close").click()

    table.camera.shows("..J......", bases=(4, 5))
    table.frames()
    expect(line).to_have_text("I see: enter on 3.")
    expect(page.locator("[data-objection]")).to_be_visible()
    page.locator("[data-touch]:not([aria-disabled])").wait_for()
    page.locator("[data-main].counts").click()
    expect(line).to_contain_text("Seen on the board: Ana (Jade) threw 3")
    page.locator("[data-touch]:not([aria-disabled])").wait_for()
    page.locator("[data-board-undo]").click()
    expect(page.locator("[data-board-undo]")).to_be_hidden()
    assert table.referee.snapshot().position == "5/9/5 0:0 J"

"""The overview page of all tables in a club."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

from playwright.sync_api import Page, expect

from companion.club.table_registry import TableRegistry
from companion.referee.events import GameStarted, MoveChosen, ThrowEntered
from companion.referee.referee import Referee
from companion.storage.store import Store
from tests.browser.checks import SIZES, kept_out, too_wide
from web.club_app import create_club_app
from web.serving.server import Server

COVERED = """() => [...document.querySelectorAll(".one")].filter((card) => {
  const [prompt, frame] = [card.querySelector(".prompt"), card].map((one) => one.getBoundingClientRect());
  const rows = [...card.querySelectorAll(".row")].map((row) => row.getBoundingClientRect());
  return rows.some(({ top, bottom }) => top < prompt.bottom || bottom > frame.bottom || bottom - top < 5);
}).map((card) => card.innerText)"""
"""The tables of which the board covers the prompt, does not fit into the card, or has rows that nobody can see."""

CROWDED = """() => [...document.querySelectorAll(".one .space")].filter((space) => {
  const [number, pieces] = [space.querySelector(".number"), space.querySelector(".pieces")];
  if (!number.checkVisibility()) return false;
  const [row, figure, stack] = [space, number, pieces].map((one) => one?.getBoundingClientRect());
  const apart = (one, other) => one.right <= other.left || other.right <= one.left || one.bottom <= other.top;
  return figure.top < row.top || figure.bottom > row.bottom || (stack && !apart(figure, stack));
}).map((space) => space.innerText)"""
"""The spaces whose number is higher than they are, or lies over their pieces."""


def test_the_wall_follows_every_table(page: Page, tmp_path: Path) -> None:
    """Each table shows its name and board, however many there are; absent ones are marked; the page is accessible.

    On a low screen spaces go without their numbers rather than lay them over one another.
    """
    hall, linked = TableRegistry(), [True]
    referees = {}
    for word, variant in (("door", "puluc"), ("window", "aj-sayil")):
        first = GameStarted(variant=variant, jade=("Ana",), obsidian=("Beto",), seed=5)
        referees[word] = Referee(Store(tmp_path / word), first=first)

    def tell(word: str) -> None:
        hall.hear(f"puluc/{word}/online", b"online")
        hall.hear(f"puluc/{word}/about", f"By the {word}".encode())
        hall.hear(f"puluc/{word}/table", referees[word].snapshot().model_dump_json(by_alias=True).encode())

    server = Server(create_club_app(hall, linked=lambda: linked[0]), host="127.0.0.1", port=0)
    thread = Thread(target=server.run)
    thread.start()
    try:
        page.set_viewport_size({"width": SIZES["projector"][0], "height": SIZES["projector"][1]})
        page.goto(f"http://127.0.0.1:{server.port}/")
        expect(page.get_by_role("status")).to_have_text("No table has connected yet.")
        tell("door")
        tell("window")
        expect(page.get_by_role("heading", name="By the window")).to_be_visible()
        expect(page.locator("[data-news]")).to_be_empty()
        expect(page.locator(".one .row")).to_have_count(9 + 2 + 19 + 2)
        for marked in (4, 1, 2):
            referees["door"].submit(ThrowEntered(marked))
        tell("door")
        expect(page.get_by_text("Ana (Jade) moves 2.")).to_be_visible()
        assert kept_out(page) == []
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            assert too_wide(page) == []
        hall.hear("puluc/door/online", b"offline")
        expect(page.get_by_text("Not connected: Ana (Jade) moves 2.")).to_be_visible()
        linked[0] = False
        expect(page.get_by_role("status")).to_have_text(
            "The broker is not answering. This page reconnects automatically."
        )
        referees["door"].submit(MoveChosen(None, 2))
        for marked in (4, 1, 2, 3):
            referees["window"].submit(ThrowEntered(marked))
        referees["window"].submit(MoveChosen(None, 2))
        for number in range(22):
            shown = referees["door" if number % 2 else "window"].snapshot().model_dump_json(by_alias=True)
            hall.hear(f"puluc/more{number}/table", shown.encode())
            hall.hear(f"puluc/more{number}/about", f"By the window number {number}".encode())
        expect(page.locator(".one")).to_have_count(24)
        assert page.evaluate(COVERED) == []
        assert too_wide(page) == []
        page.set_viewport_size({"width": 1280, "height": 720})
        assert page.evaluate(CROWDED) == []
        assert page.evaluate(COVERED) == []
    finally:
        server.close()
        thread.join()
        for referee in referees.values():
            referee.close()

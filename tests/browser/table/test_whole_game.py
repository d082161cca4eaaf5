"""One whole game of Puluc from pictures, by taps on a phone that always asks, against Easy."""

from itertools import count
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import tap
from tests.hardware.reader.drawing import four, taught_reader, tray
from tests.service.companion_process import Table, running_companion

pytestmark = pytest.mark.browser
COUNTS = (1, 0, 3, None, 3, 4, 1, 2, 1, 4, 2, 1)
"""Marked faces of each throw, None where it missed the tray. Whatever is moved, they end the game soon."""
SHORT = ("--set", "pieces=2", "--set", "spaces=5")
"""Two pieces a side on a short road; these throws then end the game with the eighth to the thirteenth."""


def make_pictures(folder: Path) -> None:
    """Draw the throws as .png files with their profile. They are small: reading other pictures is tested elsewhere."""
    taught_reader().profile.save(folder / "profile")
    for number, marked in enumerate(COUNTS, start=1):
        sticks = [] if marked is None else four(marked)
        cv2.imwrite(str(folder / f"t{number}.png"), tray(sticks, noise=number))


def test_a_whole_game_is_played_by_taps(page: Page, tmp_path: Path) -> None:
    """Each picture is read or asked about; the game includes corrections, undos and refusals, and has a winner."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    make_pictures(pictures)
    options = ["--camera", f"folder:{pictures}", "--profile", str(pictures / "profile")]
    met: set[str] = set()
    with running_companion(tmp_path / "data", *options, *SHORT, "--jade", "Ana", "--obsidian", "easy") as companion:
        # Pieces that glide and numbers that roll are drawn frame by frame.
        page.emulate_media(reduced_motion="reduce")
        page.goto(companion.address)
        page.request.post(f"{companion.address.split('?')[0]}api/options", data={"ask": True})
        main = page.locator("[data-main]")

        table: Table = {"step": 0}

        def next_table(*phases: str) -> Table:
            """The table once the game has reached one of these phases, or a question, and the page shows it."""
            step = table["step"]
            new = companion.until(lambda now: now["step"] > step and (now["phase"] in phases or now["unsure"]))
            page.wait_for_function("number => Number(document.body.dataset.number) >= number", arg=new["number"])
            return new

        for number in count():
            assert number < 200, "no end in sight"
            truth = COUNTS[number % len(COUNTS)]
            table = next_table("reading")
            if table["unsure"]:
                assert truth is None, table["unsure"]
                assert table["unsure"]["reason"] == "count"
                expect(page.locator("[data-help]")).to_contain_text("I see none, not four")
                tap(page, "[data-count='2']")
                met.add("asked")
            else:
                assert truth is not None
                assert table["throw"]["marked"] == truth
                expect(page.locator("[data-throw-picture] polygon.line")).to_have_count(4)
                expect(page.locator("[data-thrown] b")).to_have_text(str(truth))
                if number == 2:
                    tap(page, f"[data-count='{(truth + 1) % 5}']")
                    met.add("corrected")
                else:
                    tap(page, "[data-main]")
            table = next_table("move", "throw", "throw_off")
            if table["phase"] != "move":
                continue
            if "undone" not in met and not table["unsure"] and number > 2 and truth is not None:
                tap(page, "[data-action=undo]")
                moves, table = table["moves"], next_table("reading")
                assert table["throw"]["marked"] == truth
                tap(page, "[data-main]")
                table = next_table("move")
                assert table["moves"] == moves
                met.add("undone")
            if "refused" not in met:
                refused = page.request.post(f"{companion.address.split('?')[0]}api/move", data={"from": 1, "to": 99})
                assert refused.status == 409
                assert "Legal on a throw worth" in refused.json()["problem"]
                assert companion.ask("GET", "/api/table")["step"] == table["step"]
                met.add("refused")
            tap(page, "button[data-move]" if len(table["moves"]) > 1 else "[data-main]")
            table = next_table("throw", "over")
            if table["phase"] == "over":
                break

        expect(page.locator("[data-prompt]")).to_contain_text("has won")
        expect(main).to_have_text("Rematch")
        assert table["winner"] in ("jade", "obsidian")
        assert met == {"asked", "corrected", "undone", "refused"}

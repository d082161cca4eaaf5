"""One whole game of Puluc from pictures, by taps on a phone that always asks, against Easy."""

from itertools import count
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.reader.profile import calibrate
from tests.browser.conftest import tap
from tests.hardware.cameras.fake_clock import FakeClock
from tests.service.companion_process import Table, running_companion

pytestmark = pytest.mark.browser
THROWS = 12
MISSED = 3
"""Index of the throw that missed the tray. If higher, the game may end before it."""
SHORT = ("--set", "pieces=2", "--set", "spaces=5")
"""Two pieces a side on a short road give a whole game of about fourteen throws."""


def make_pictures(folder: Path) -> list[int | None]:
    """Draw throws as .png files with their profile. Returns the marked faces, None for the empty tray."""
    waiting = FakeClock()
    camera = SimulatedCamera(31, clock=waiting, sleep=waiting.sleep)
    empty, marked, plain = camera.calibration()
    calibrate(empty, marked, plain).save(folder / "profile")
    truths: list[int | None] = []
    while len(truths) < THROWS:
        camera.throw()
        truth = camera.truth
        assert truth is not None
        if not truth.apart:
            continue
        waiting.sleep(5)
        missed = len(truths) == MISSED
        truths.append(None if missed else truth.marked)
        cv2.imwrite(str(folder / f"t{len(truths)}.png"), empty if missed else camera.still().pixels)
    camera.close()
    return truths


def test_a_whole_game_is_played_by_taps(page: Page, tmp_path: Path) -> None:
    """Each picture is read or asked about; the game includes corrections, undos and refusals, and has a winner."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    truths = make_pictures(pictures)
    options = ["--camera", f"folder:{pictures}", "--profile", str(pictures / "profile")]
    met: set[str] = set()
    with running_companion(tmp_path / "data", *options, *SHORT, "--jade", "Ana", "--obsidian", "easy") as companion:
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
            truth = truths[number % len(truths)]
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
            choices = page.locator("button[data-move]")
            tap(page, "button[data-move]" if choices.count() > 1 else "[data-main]")
            table = next_table("throw", "over")
            if table["phase"] == "over":
                break

        expect(page.locator("[data-prompt]")).to_contain_text("has won")
        expect(main).to_have_text("Rematch")
        assert table["winner"] in ("jade", "obsidian")
        assert met == {"asked", "corrected", "undone", "refused"}

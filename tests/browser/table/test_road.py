"""The road, the bases and the arrow over them: their size and place on every screen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowEntered
from companion.rules.unit import Side
from tests.browser.checks import faint
from tests.browser.conftest import SMALL, House, box_of
from tests.browser.table.states import moving, reading, throwing, unsure

pytestmark = pytest.mark.browser

BASE = """async (changes) => {
  const { drawBoard } = await import("/static/board/board.js");
  const table = await (await fetch("/api/table")).json();
  const place = document.querySelector("[data-board]");
  const low = () => place.querySelector(".base.jade").offsetHeight;
  const before = low();
  drawBoard(place, { ...table, position: "", board: { ...table.board, ...changes } }, null, true);
  const lefts = [...place.querySelectorAll(".base.jade .piece")].map((one) => one.getBoundingClientRect().left);
  return [lefts, low() - before];
}"""
"""Draws the board with these changes. Returns where the pieces in Jade's base stand, and the growth of that base."""


@pytest.mark.parametrize("variant", ["puluc", "culin"])
@pytest.mark.parametrize("width", [320, 360])
def test_pieces_in_a_base_are_distinguishable(
    house: House, another: Callable[..., Page], variant: str, width: int
) -> None:
    """The text beside them leaves enough room, also for pieces that are slain, and the base keeps its height."""
    house.referee.submit(GameStarted(variant=variant, jade=("Mia",), obsidian=("Ben",), seed=7))
    house.begin()
    page = another(house.address, viewport={"width": width, "height": 640}, locale="es-MX")
    expect(page.locator(".base.jade .piece")).to_have_count(5)
    for pieces, slain in ((5, 0), (3, 2)):
        changes = {"base": {"jade": pieces, "obsidian": 5}, "slain": {"jade": slain, "obsidian": 0}}
        lefts, growth = page.evaluate(BASE, changes)

        assert len(lefts) == pieces
        assert min(after - before for before, after in pairwise(lefts)) >= 7
        assert abs(growth) <= 2


ROAD = """() => {
  const boxes = [...document.querySelectorAll("[data-board] .space")].map((one) => one.getBoundingClientRect());
  const differ = (name) => new Set(boxes.map((box) => Math.round(box[name]))).size;
  const { right, bottom } = document.querySelector("[data-board]").getBoundingClientRect();
  return [Math.min(differ("top"), differ("left")), Math.min(...boxes.map((box) => Math.min(box.width, box.height))),
    right <= innerWidth && bottom <= innerHeight];
}"""
"""Returns the number of rows (or columns) of spaces, the smallest width, and whether all are visible."""


@pytest.mark.parametrize(
    ("width", "height", "path", "variants"),
    [
        (360, 640, "", ("puluc", "bul-teams")),
        (640, 360, "", ("puluc", "bul-teams")),
        (820, 1180, "", ("bul-teams", "aj-sayil")),
        (1920, 1080, "", ("bul-teams", "aj-sayil")),
        (1920, 1080, "board", ("bul-teams", "aj-sayil")),
        (3840, 2160, "board", ("puluc", "aj-sayil")),
    ],
)
def test_the_road_is_one_straight_line(
    house: House, another: Callable[..., Page], width: int, height: int, path: str, variants: tuple[str, str]
) -> None:
    """Nine spaces on every screen, with teams too, and nineteen wherever each has room for a finger."""
    page = another(f"{house.watched}{path}", viewport={"width": width, "height": height})
    for variant in variants:
        jade, obsidian = (("Ana",), ("Carl",)) if variant == "puluc" else (("Ana", "Bea"), ("Carl", "Dora"))
        house.referee.submit(GameStarted(variant=variant, jade=jade, obsidian=obsidian, seed=7))
        house.begin()
        expect(page.locator("[data-board] .space")).to_have_count(19 if variant == "aj-sayil" else 9)
        lines, narrowest, in_sight = page.evaluate(ROAD)

        assert (lines, in_sight) == (1, True), variant
        assert narrowest >= 36, variant


def test_spaces_keep_their_size(house: House, another: Callable[..., Page]) -> None:
    """The size does not depend on the state, nor on whether a space can be tapped."""
    page = another(house.address, viewport=SMALL)
    sizes = []
    for state in (throwing, reading, unsure, moving):
        house.referee.submit(GameStarted(variant="puluc", jade=("Mia",), obsidian=("Ben",), seed=7))
        state(house)
        number = house.referee.snapshot().number
        page.wait_for_function("number => Number(document.body.dataset.number) >= number", arg=number)
        sizes.append(page.locator("[data-board] .space").evaluate_all("all => all.map((one) => one.offsetHeight)"))

    assert len(sizes[0]) == 9
    assert all(size == sizes[0] for size in sizes)


def test_what_a_stack_holds_is_readable_on_its_chosen_space(house: House, another: Callable[..., Page]) -> None:
    """In the dark too: the numbers of the two sides, and the sign between them."""
    page = another(f"{house.watched}learn?throw=5", color_scheme="dark")
    expect(page.locator(".space.chosen .tally")).to_have_text("1+1")

    assert faint(page) == []


@pytest.mark.parametrize(("width", "low"), [(360, 640), (390, 844)])
def test_a_winding_road_keeps_its_size(house: House, another: Callable[..., Page], width: int, low: int) -> None:
    """From the first throw to the choice of moves and its hints, in the language that needs most letters."""
    page = another(house.address, viewport={"width": width, "height": low}, locale="es-MX")

    def height(phase: str) -> int:
        expect(page.locator("body")).to_have_attribute("data-phase", phase)
        return int(page.locator("[data-space='2']").evaluate("one => one.offsetHeight"))

    house.referee.submit(GameStarted(variant="aj-sayil", jade=("Mia",), obsidian=("Ben",), seed=7, begins=Side.JADE))
    heights = [height("throw")]
    for phase in ("throw", "move"):
        house.see(3)
        heights.append(height("reading"))
        house.referee.submit(Confirmed())
        heights.append(height(phase))
    house.referee.submit(MoveChosen(None, 3, value=3))
    house.referee.submit(MoveChosen(3, 6, value=3))
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(ThrowEntered(1))
    house.advise()
    expect(page.locator("[data-hints]")).to_be_visible()
    heights.append(height("move"))

    assert max(heights) - min(heights) <= 2, heights


CROSSED = """() => {
  const line = document.querySelector(".arrow .line");
  const at = (share) => line.getPointAtLength(share * line.getTotalLength()).matrixTransform(line.getScreenCTM());
  const points = Array.from({ length: 60 }, (_, step) => at(step / 59));
  const others = [...document.querySelectorAll(".row.space:not(.chosen)")].map((one) => one.getBoundingClientRect());
  const inside = ({ x, y }, { left, right, top, bottom }) => x > left + 4 && x < right - 4 && y > top && y < bottom;
  return points.filter((point) => others.some((other) => inside(point, other))).length;
}"""


def test_an_arrow_leaves_what_a_stack_holds_in_sight(house: House, another: Callable[..., Page]) -> None:
    """On a tablet it starts beside the numbers of the stack that moves."""
    page = another(f"{house.watched}learn?throw=5", viewport={"width": 820, "height": 1180})
    tally, arrow = (box_of(page.locator(one)) for one in (".space.chosen .tally", ".arrow .line"))

    assert arrow["x"] > tally["x"] + tally["width"]


def test_an_arrow_from_a_base_crosses_no_other_space(house: House, another: Callable[..., Page]) -> None:
    """On a winding track it runs between two columns to the row where the piece enters; it grows with the board."""
    game = GameStarted(
        variant="bul", jade=("Ana",), obsidian=("Carl",), seed=7, begins=Side.OBSIDIAN, changes={"spaces": "14"}
    )
    house.referee.submit(game)
    house.referee.submit(ThrowEntered(0))
    page = another(house.address, viewport=SMALL)
    expect(page.locator("[data-main]")).to_have_text("Enter on 10")
    page.locator(".arrow .line").wait_for(state="attached")

    assert page.evaluate(CROSSED) == 0
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.wait_for_function("() => Number(document.querySelector('.arrow')?.style.getPropertyValue('--size')) > 1.3")

"""The board on the phone: turned for players across the table, with arrows, headings, and previews of moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import ChoiceStepped, Event, GameStarted, MoveChosen, ThrowEntered
from companion.referee.snapshots.snapshot import Snapshot
from companion.rules.position import Side
from tests.browser.conftest import SMALL, House, box_of

pytestmark = pytest.mark.browser

GAMES = Path(__file__).parents[2] / "data" / "games"
CHOOSING: tuple[Event, ...] = (
    ThrowEntered(2),
    MoveChosen(None, 2),
    ThrowEntered(0),
    MoveChosen(None, 5),
    ThrowEntered(3),
)
"""Jade can enter on 3, or capture Obsidian's piece on 5 with hers on 2."""


def choosing(house: House) -> None:
    house.begin()
    for event in CHOOSING:
        house.referee.submit(event)


def heights(page: Page) -> dict[str, float]:
    """The vertical position of each place on the board, once laid out."""
    page.locator("[data-space='1']").wait_for()
    found: dict[str, float] = page.locator("[data-space]").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.dataset.space, one.getBoundingClientRect().y]))"
    )
    return found


def test_the_board_is_turned_and_stays_so(house: House, another: Callable[..., Page]) -> None:
    """From the menu; the phone remembers it, the first view has it without scripts, and other phones are unaffected."""
    choosing(house)
    page = another(house.address)
    expect(page.locator("[data-space='2'] .piece.jade")).to_have_count(1)
    before = heights(page)
    assert before["obsidian"] < before["9"] < before["1"] < before["jade"]
    page.get_by_text("Menu").click()
    page.get_by_role("button", name="Turn the board").click()
    turned = heights(page)
    assert turned["jade"] < turned["1"] < turned["9"] < turned["obsidian"]
    expect(page.locator("[data-space='2'] .piece.jade")).to_have_count(1)

    page.route("**/*.js", lambda route: route.abort())
    page.reload()
    expect(page.locator("[data-space='2'] .piece.jade")).to_have_count(1)
    scriptless = heights(page)
    assert scriptless["jade"] < scriptless["1"] < scriptless["9"] < scriptless["obsidian"]
    elsewhere = heights(another(house.address))
    assert elsewhere["obsidian"] < elsewhere["jade"]


@pytest.mark.parametrize("variant", ["bul", "puluc-13"])
@pytest.mark.parametrize("turned", [False, True])
def test_script_and_server_draw_the_same_board(
    house: House, another: Callable[..., Page], variant: str, turned: bool
) -> None:
    """The same places in the same order and the same headings, on a straight and a winding road."""
    spaces = "19" if variant == "bul" else "11"
    changes = {"spaces": spaces, "far_end": "bounce", "captor": "homeward"}
    game = GameStarted(variant=variant, jade=("Mia",), obsidian=("Ben",), seed=7, changes=changes)
    house.referee.submit(game)
    house.begin()
    play_on(house, turns=24)
    page = another(house.watched, java_script_enabled=False)
    cookie = {"name": "puluc_bottom", "value": "obsidian", "url": house.watched}
    drawn = another(house.watched)
    if turned:
        for one in (page, drawn):
            one.context.add_cookies([cookie])  # type: ignore[list-item]  # the library's own type wants every key
            one.reload()
    drawn.locator("[data-position]").first.wait_for(state="attached")

    assert drawn.evaluate(LIE) == page.evaluate(LIE)
    assert any(" home " in places for places in page.evaluate(LIE)), "no unit heads home"


LIE = """() => {
  const all = [...document.querySelectorAll("[data-board] [data-space]")];
  const rank = (name, one) => [...new Set(all.map((other) => other[name]))].sort((a, b) => a - b).indexOf(one[name]);
  const ways = (one) => [...one.querySelectorAll(".icon.way")]
    .map((icon) => `${icon.getAttribute("class")} ${getComputedStyle(icon).rotate}`);
  return all.map((one) =>
    [one.dataset.space, rank("offsetLeft", one), rank("offsetTop", one), one.querySelectorAll(".piece").length]
      .concat(ways(one)).join(" "));
}"""


def play_on(house: House, *, turns: int) -> Snapshot:
    """Play, preferring captures, until some unit heads home or that many turns are over."""
    now = house.referee.snapshot()
    for turn in range(turns):
        now = house.referee.submit(ThrowEntered((2, 3, 1, 4, 0)[turn % 5]))
        while now.phase == "move" and now.moves:
            move = max(now.moves, key=lambda one: (one.captures, one.slays, -one.to if isinstance(one.to, int) else 0))
            start = None if move.start == "base" else move.start
            now = house.referee.submit(MoveChosen(start, None if move.to == "home" else move.to, move.value, move.unit))
        if any(unit.home for units in now.board.spaces for unit in units):
            break
    return now


def test_the_arrow_shows_the_number_of_captured_pieces(phone: Page, house: House) -> None:
    """The selected capture has the number of captured pieces at the arrow's tip; other moves have none."""
    taken = {"2": "×1", "base": None}  # noqa: RUF001 - as shown
    choosing(house)
    for _ in taken:
        house.referee.submit(ChoiceStepped())
        now = house.referee.snapshot()
        assert now.chosen is not None
        expect(phone.locator("body")).to_have_attribute("data-number", str(now.number))
        expect(phone.locator(".arrow")).to_have_count(1)
        takes = taken[str(now.moves[now.chosen].start)]
        expect(phone.locator(".arrow .takes")).to_have_text([takes] if takes else [])


@pytest.mark.parametrize("place", ["[data-move^='2-5-']", "[data-space='5']"])
def test_a_held_move_shows_its_result(phone: Page, house: House, place: str) -> None:
    """In the list or on the board, by finger or mouse; releasing it chooses nothing."""
    choosing(house)
    expect(phone.locator(place)).to_be_enabled()
    box = box_of(phone.locator(place))
    phone.mouse.move(box["x"] + 20, box["y"] + 20)
    phone.mouse.down()
    peek = phone.locator(".preview")
    expect(peek).to_contain_text("Preview: move 2 to 5, capturing 1")
    expect(peek.locator("[data-space='5'] .piece.jade")).to_have_count(1)
    expect(peek.locator("[data-space='5'] .captive.obsidian")).to_have_count(1)
    expect(peek.locator("[data-space='2'] .piece")).to_have_count(0)
    phone.mouse.up()

    expect(peek).to_have_count(0)
    expect(phone.locator("[data-main]")).to_have_text("Choose a move")
    expect(phone.locator("[data-board] [data-space='2'] .piece.jade")).to_have_count(1)


def test_a_whole_turn_by_keyboard(phone: Page, house: House) -> None:
    """Holding the space bar previews a move without playing it; pressing it plays, as Enter does."""
    choosing(house)
    move = phone.locator("[data-move^='base-3-']")
    expect(move).to_be_enabled()
    move.focus()
    phone.keyboard.down(" ")
    expect(phone.locator(".preview")).to_contain_text("Preview: enter on 3")
    phone.keyboard.up(" ")
    expect(phone.locator(".preview")).to_have_count(0)
    expect(move).to_have_attribute("aria-pressed", "false")
    expect(move).to_be_focused()
    phone.keyboard.press("Enter")

    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")


def test_a_lot_is_turned_by_a_key(phone: Page, house: House) -> None:
    """In the large picture each lot is a button; Escape restores the small picture and the camera's reading."""
    house.begin()
    house.see(2)
    expect(phone.locator("[data-zoom]")).to_be_enabled()
    expect(phone.locator(".lot")).to_have_count(4)
    phone.locator("[data-zoom]").press("Enter")
    phone.get_by_role("button", name="Turn stick 3 over").press("Enter")
    expect(phone.locator("[data-faces-answer]")).to_have_text("Yes, 3 marked")
    expect(phone.locator(".lot.marked")).to_have_count(3)
    phone.keyboard.press("Escape")

    expect(phone.locator(".throw-picture.large")).to_have_count(0)
    expect(phone.locator(".lot.marked")).to_have_count(2)
    expect(phone.get_by_role("button", name="Turn stick 3 over")).to_have_count(0)


def test_giving_up_needs_a_confirmation(phone: Page, house: House) -> None:
    """Either side can give up from the menu; "No" changes nothing, and before the game the menu has no such entry."""
    give_up = phone.get_by_role("button", name="End the game…")
    phone.get_by_text("Menu").click()
    expect(give_up).to_be_hidden()
    house.see(3)
    expect(phone.locator("body")).to_have_attribute("data-phase", "reading")
    expect(give_up).to_be_hidden()
    house.begin()
    expect(give_up).to_be_visible()
    give_up.click()
    phone.get_by_role("button", name="No, keep playing").click()
    expect(phone.get_by_role("dialog")).to_be_hidden()
    assert house.referee.snapshot().phase == "throw"

    phone.get_by_text("Menu").click()
    give_up.click()
    phone.get_by_role("button", name="Ben (Obsidian) gives up").click()
    expect(phone.locator("[data-prompt]")).to_have_text("Ben (Obsidian) gives up. Mia (Jade) has won.")
    assert house.referee.snapshot().winner == "jade"

    house.referee.submit(GameStarted(variant="puluc", jade=("Mia",), obsidian=("easy",), seed=7, begins=Side.JADE))
    phone.get_by_text("Menu").click()
    give_up.click()
    expect(phone.get_by_role("button", name="Mia (Jade) gives up")).to_be_visible()
    expect(phone.get_by_role("button", name="Easy (Obsidian) gives up")).to_be_hidden()


def test_a_long_list_of_moves_opens_from_a_button(house: House, another: Callable[..., Page]) -> None:
    """Moves that do not fit are behind "All moves"; a tap on one plays it and closes the list.

    By keyboard, the focus goes to the first of them, and back to the first move of all.
    """
    game = GameStarted(
        variant="puluc", jade=("Mia",), obsidian=("Ben",), seed=7, changes={"spaces": "30", "pieces": "9"}
    )
    house.referee.submit(game)
    house.begin()
    for marked in (1, 1, 2, 2, 3, 3, 4, 4, 0, 0):
        enter = house.referee.submit(ThrowEntered(marked)).moves[0]
        assert isinstance(enter.to, int)
        house.referee.submit(MoveChosen(None, enter.to))
    now = house.referee.submit(ThrowEntered(0))
    assert len(now.moves) >= 5
    house.advise()
    page = another(house.address, viewport=SMALL)
    more = page.get_by_role("button", name=f"All {len(now.moves)} moves")
    expect(more).to_be_visible()
    listed = page.locator(".move:visible").count()
    more.press("Enter")
    expect(page.locator(".move").nth(listed)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".move").first).to_be_focused()
    more.click()
    last = page.locator(".move").nth(-1)
    expect(page.locator(".move:visible")).to_have_count(len(now.moves))
    last.click()

    expect(page.locator("body")).to_have_attribute("data-phase", "throw")
    assert page.evaluate("document.documentElement.scrollHeight") <= SMALL["height"]

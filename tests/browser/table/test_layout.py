"""What is said and tapped beside the board: it fits every screen in every state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.advice_state import SolvingProgress
from companion.referee.events import (
    Confirmed,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    Resigned,
    ThrowEntered,
)
from companion.rules.odds import FAIR
from companion.rules.unit import Side
from tests.browser.checks import broken, faint, too_small, too_wide
from tests.browser.conftest import SMALL, House, box_of
from tests.browser.table.states import (
    capturing_and_freeing,
    capturing_and_slaying,
    large_teams_moving,
    large_teams_reading,
    long_board,
    long_names,
    moving,
    over,
    reading,
    three_moves,
    throwing,
    two_throws_moving,
    two_throws_obstructed,
    two_throws_reading,
    unsure,
    winding_reading,
)
from tests.browser.visitor import DRAWN, LARGE_TEXT

pytestmark = pytest.mark.browser

SMALL_TARGETS = """() => {
  const at = (one, x, y) => document.elementFromPoint(x, y)?.closest("button") === one;
  const reach = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    let [up, down] = [0, 0];
    while (up < 30 && at(one, x, y - up - 1)) up++;
    while (down < 30 && at(one, x, y + down + 1)) down++;
    return up + down + 1;
  };
  const open = [...document.querySelectorAll("button:enabled")].filter((one) => one.checkVisibility());
  const beside = (one) => [-1, 1].some((step) =>
    open.some(({ dataset }) => Number(dataset.space) === Number(one.dataset.space) + step));
  return open.filter((one) => one.offsetWidth < 44 || (one.matches(".space")
      ? reach(one) < (beside(one) ? 36 : 44) : one.offsetHeight < 44)).map((one) => one.outerHTML);
}"""
"""Returns the buttons that a finger would miss. Two low spaces that can both be tapped share the room between them."""


@pytest.mark.parametrize(
    ("state", "locale"),
    [
        (throwing, "es-ES"),
        (reading, "en-GB"),
        (unsure, "es-ES"),
        (moving, "en-GB"),
        (moving, "es-ES"),
        (capturing_and_freeing, "en-GB"),
        (capturing_and_freeing, "es-ES"),
        (capturing_and_slaying, "es-ES"),
        (long_names, "es-ES"),
        (long_board, "en-GB"),
        (long_board, "es-ES"),
        (winding_reading, "es-ES"),
        (two_throws_reading, "es-ES"),
        (large_teams_reading, "es-ES"),
        (large_teams_moving, "es-ES"),
    ],
)
def test_everything_fits_a_small_phone(
    house: House, another: Callable[..., Page], state: Callable[[House], None], locale: str
) -> None:
    """At 360 by 640 nothing overflows or scrolls, and tap targets are large enough.

    This includes the long message while the game is being solved, a language with longer words, and a move that takes
    in two ways, whose signs stay inside its button.
    """
    state(house)
    house.advise()
    house.referee.show_solving(SolvingProgress(house.referee.state().rules, FAIR, done=0.4, left_s=600))
    page = another(house.address, viewport=SMALL, locale=locale)
    expect(page.locator("[data-main]")).to_be_visible()
    widest, highest = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    main = box_of(page.locator("[data-main]"))
    small = page.evaluate(SMALL_TARGETS)
    moves = page.locator("button.move:visible")
    cut = moves.evaluate_all("all => all.filter(one => one.scrollWidth > one.clientWidth).map(one => one.innerText)")

    assert cut == []
    assert (widest, highest) == (SMALL["width"], SMALL["height"])
    assert main["y"] + main["height"] <= SMALL["height"]
    assert main["height"] >= 44
    assert small == []


def test_the_main_button_stays_visible_with_large_text(house: House, another: Callable[..., Page]) -> None:
    """The page scrolls, but the whole main button is visible at once, and the other buttons at the end."""
    reading(house)
    page = another(house.address, viewport=SMALL)
    page.evaluate(LARGE_TEXT)

    expect(page.locator("[data-main]")).to_be_in_viewport(ratio=1)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(house: House, another: Callable[..., Page], scheme: str) -> None:
    """Every text has a contrast of at least 4.5 to 1 in both themes (WCAG AA)."""
    moving(house)
    house.referee.show_solving(SolvingProgress(house.referee.state().rules, FAIR, done=0.4))
    house.advise()
    page = another(house.address, color_scheme=scheme)
    expect(page.locator("[data-main]")).to_be_visible()
    page.click("[data-move] >> nth=-1")

    assert faint(page) == []


@pytest.mark.parametrize(("width", "height"), [(740, 360), (820, 1180)])
def test_a_count_is_corrected_beside_its_picture(
    house: House, another: Callable[..., Page], width: int, height: int
) -> None:
    """On a tablet and on a phone held across, in the language that needs most letters."""
    moving(house)
    page = another(house.address, viewport={"width": width, "height": height}, locale="es-MX")
    page.locator("[data-recount]").click()
    digits, picture, foot = (box_of(page.locator(one)) for one in ("[data-digits]", ".picture", "footer"))

    assert digits["y"] + digits["height"] <= foot["y"]
    assert digits["x"] >= picture["x"] + picture["width"] or digits["y"] >= picture["y"] + picture["height"]


@pytest.mark.parametrize(("width", "height"), [(390, 760), (740, 360)])
def test_closing_the_counts_leaves_the_panel_as_it_was(
    house: House, another: Callable[..., Page], width: int, height: int
) -> None:
    """While the counts lie over the moves, or stand in another place, the table may change."""
    moving(house)
    page = another(house.address, viewport={"width": width, "height": height})
    told = [page.locator(one) for one in ("[data-last]", "[data-help]")]
    expect(page.locator("[data-recount]")).to_be_visible()
    page.evaluate(DRAWN)
    before = [one.is_visible() for one in told]
    page.locator("[data-recount]").click()
    step = house.referee.submit(OptionsSet(Options(draw=False))).number
    page.wait_for_selector(f"body[data-number='{step}']")
    page.locator("[data-recount]").click()
    page.evaluate(DRAWN)

    assert [one.is_visible() for one in told] == before


@pytest.mark.parametrize("locale", ["en-GB", "es-MX"])
@pytest.mark.parametrize(("width", "height"), [(640, 360), (844, 390)])
def test_a_reading_is_corrected_on_a_phone_held_across(
    house: House, another: Callable[..., Page], width: int, height: int, locale: str
) -> None:
    """Each count and "Look again" are as wide as a finger, and no word is broken."""
    reading(house)
    page = another(house.address, viewport={"width": width, "height": height}, locale=locale)
    expect(page.locator("[data-digits] button")).to_have_count(6)

    assert broken(page) == []
    assert too_small(page) == []


@pytest.mark.parametrize(("width", "height"), [(640, 360), (667, 375), (740, 360), (1024, 600), (1280, 720)])
def test_nothing_beside_the_moves_is_under_the_bar(
    house: House, another: Callable[..., Page], width: int, height: int
) -> None:
    """On a low screen, with three moves and their chances in the language that needs most letters."""
    three_moves(house)
    house.advise()
    page = another(house.address, viewport={"width": width, "height": height}, locale="es-MX")
    expect(page.locator("[data-moves] button.move")).to_have_count(3)
    bar = box_of(page.locator("footer"))
    links = [box_of(page.locator(one)) for one in ("[data-hints]", "[data-recount]")]

    assert all(link["y"] + link["height"] <= bar["y"] for link in links), (bar, links)


APART = """() => {
  const badges = [...document.querySelectorAll(".lot .badge")].map((one) => one.getBoundingClientRect());
  return badges.slice(1).map((one, at) => one.left - badges[at].right);
}"""


def test_the_labels_of_a_throw_stand_apart_under_a_winding_road(house: House, another: Callable[..., Page]) -> None:
    """The picture takes the room that the moves will need."""
    winding_reading(house)
    page = another(house.address, viewport={"width": 390, "height": 844})
    expect(page.locator(".lot .badge")).to_have_count(4)

    assert min(page.evaluate(APART)) >= 8


@pytest.mark.parametrize(
    "state",
    [
        reading,
        moving,
        winding_reading,
        two_throws_obstructed,
        two_throws_reading,
        two_throws_moving,
        capturing_and_slaying,
        over,
    ],
)
def test_no_word_breaks_on_the_smallest_phone(
    house: House, another: Callable[..., Page], state: Callable[[House], None]
) -> None:
    """At 320 by 568, in the language that needs most letters; nor does anything scroll, even while a game is solved."""
    state(house)
    house.advise()
    house.referee.show_solving(SolvingProgress(house.referee.state().rules, FAIR, done=0.4, left_s=600))
    page = another(house.address, viewport={"width": 320, "height": 568}, locale="es-MX")
    expect(page.locator("[data-main]")).to_be_visible()

    assert broken(page) == []
    assert too_wide(page) == []
    assert page.evaluate("document.documentElement.scrollHeight") == 568


def test_a_throw_is_drawn_beside_a_long_straight_road(house: House, another: Callable[..., Page]) -> None:
    """An upright tablet has room for it beside fourteen spaces, which wind on a phone."""
    house.referee.submit(GameStarted(variant="culin", jade=("Mia",), obsidian=("Ben",), seed=7))
    house.begin()
    house.referee.submit(ThrowEntered(3))
    page = another(house.address, viewport={"width": 820, "height": 1180})

    expect(page.locator(".cast .stick")).to_have_count(4)


def test_numbers_and_words_stay_apart_on_a_large_screen(house: House, another: Callable[..., Page]) -> None:
    """The numbers of twenty-nine spaces, and the button that looks again in the language that needs most letters."""
    large_teams_reading(house)
    page = another(house.address, viewport={"width": 1920, "height": 1080}, locale="es-MX")
    expect(page.locator(".space")).to_have_count(29)
    widest = page.locator(".space .number").evaluate_all("all => Math.max(...all.map((one) => one.offsetWidth))")
    narrowest = page.locator(".space").evaluate_all("all => Math.min(...all.map((one) => one.clientWidth))")
    again = page.locator(".digits [data-action]")

    assert widest < narrowest
    assert again.evaluate("one => one.scrollHeight <= one.clientHeight && one.clientHeight <= 60")


def test_a_large_screen_keeps_the_throw_and_tells_earlier_turns(house: House, another: Callable[..., Page]) -> None:
    """Beside the moves, which it writes in words; a phone has no room for these, but across it tells the last turn."""
    moving(house)
    house.referee.submit(MoveChosen(None, 3))
    house.see(2)
    house.referee.submit(Confirmed())
    page = another(house.address, viewport={"width": 1920, "height": 1080})
    picture, words = page.locator("[data-throw-picture] image"), page.locator("[data-moves] .words").first
    earlier = page.locator("[data-earlier] li")

    expect(picture).to_be_visible()
    assert earlier.all_inner_texts() == [
        " Ben (Obsidian) threw 0 (worth 5): enter on 5.",
        " Mia (Jade) threw 2: enter on 2.",
    ]
    assert words.is_visible()
    page.set_viewport_size({"width": 360, "height": 640})
    expect(words).to_be_hidden()
    assert not earlier.first.is_visible()
    page.set_viewport_size({"width": 844, "height": 390})
    expect(page.locator("[data-last]")).to_be_visible()


def test_the_computers_name_is_never_cut(house: House, another: Callable[..., Page]) -> None:
    """On a phone held across, in the language that needs most letters, also once it has won."""
    house.referee.submit(GameStarted(variant="puluc", jade=("Mia",), obsidian=("easy",), seed=7, begins=Side.JADE))
    page = another(house.address, viewport={"width": 844, "height": 390}, locale="es-MX")
    who = page.locator(".base.obsidian .who")
    house.referee.submit(Resigned(Side.JADE))
    page.locator("body[data-phase=over]").wait_for()

    assert who.inner_text() == "Fácil (compu)"
    assert who.evaluate("one => one.scrollHeight - one.clientHeight") <= 0


def test_the_guided_game_stands_on_one_screen(house: House, another: Callable[..., Page]) -> None:
    """The board and the move's button, on a phone held across and upright; a tap on the board makes the move, too."""
    page = another(f"{house.watched}learn?throw=5", viewport={"width": 844, "height": 390})
    for width, height in ((844, 390), (390, 844), (360, 640)):
        page.set_viewport_size({"width": width, "height": height})
        bottoms = [box_of(page.locator(one)) for one in (".board", "[data-main]")]

        assert all(box["y"] + box["height"] <= height for box in bottoms), (height, bottoms)
    page.set_viewport_size({"width": 1024, "height": 768})
    frame, *sticks = (box_of(box) for box in page.locator(".cast, .cast .stick").all())
    assert all(frame["x"] + 10 < box["x"] for box in sticks), (frame, sticks)
    page.locator(".arrow .line").wait_for(state="attached")
    page.locator("[data-space='6']").click()
    expect(page).to_have_url(f"{house.watched}learn?throw=6")

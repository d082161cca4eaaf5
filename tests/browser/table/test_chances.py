"""The chances on the page: the bar, the rated moves, and estimates that are still being improved."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from companion.advice.adviser import Estimate, EstimateSource, RatedStep, TurnAdvice
from companion.referee.advice_state import SolvingProgress, current_question
from companion.referee.events import GameStarted, MoveChosen, Options, OptionsSet, ThrowEntered
from companion.rules.odds import FAIR
from companion.rules.unit import Side
from tests.browser.conftest import SMALL, House, box_of

pytestmark = pytest.mark.browser

FIVE = GameStarted(variant="puluc", jade=("Mia",), obsidian=("Ben",), seed=7, changes={"spaces": "5", "pieces": "2"})


def choosing(house: House) -> None:
    """A position where Mia can enter on 3 or capture Ben's unit."""
    house.begin()
    for event in (ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(0), MoveChosen(None, 5), ThrowEntered(3)):
        house.referee.submit(event)


def advise(house: House, *wins: float, source: EstimateSource = EstimateSource.SEARCH) -> None:
    """Publish these chances for the legal moves, in the order of the table."""
    table = house.referee.state()
    question = current_question(table)
    assert question is not None
    rated = sorted(map(RatedStep, table.steps(), wins), key=lambda one: -one.win)
    bound = 8.6e-6 if source is EstimateSource.EXACT else None
    house.referee.advise(question, TurnAdvice(Estimate(max(wins), source, bound), tuple(rated)))


def test_the_bar_shows_both_win_chances(phone: Page, house: House) -> None:
    """Before the throw: both chances as numbers and as a bar, with their accuracy; during the throw-off as well."""
    bar = phone.locator("[data-chances]")
    expect(phone.locator("[data-prompt]")).to_contain_text("Who begins?")
    expect(bar.locator(".split")).to_have_text("Jade 50.0%Obsidian 50.0%")
    house.referee.submit(FIVE)
    house.begin()
    house.advise()
    advice = house.referee.snapshot().advice
    assert advice.jade is not None

    expect(bar.locator(".sure")).to_have_text("Chance to win: exact")
    expect(bar.locator("p")).to_be_hidden()
    bar.click()
    expect(bar.locator("p")).to_have_text("Worked out to the end of the game: off by at most 0.001 points.")
    jade, obsidian = (f"{chance * 100:.1f}%" for chance in (advice.jade, 1 - advice.jade))
    expect(bar.locator(".split")).to_have_text(f"Jade {jade}Obsidian {obsidian}")
    ours, whole = box_of(bar.locator(".ours")), box_of(bar.locator(".share"))
    assert ours["width"] == pytest.approx(advice.jade * (whole["width"] - 4), abs=1)


def test_moves_are_listed_best_first(phone: Page, house: House) -> None:
    """Each has its chance and its distance from the best, in the list and on the board.

    Signs say what it captures and takes back, and what the fire burns or is lost on coming home.
    """
    choosing(house)
    expect(phone.locator(".move")).to_contain_text(["Enter on 3", "Move 2 to 5, capturing 1"])
    advise(house, 0.514, 0.6473, source=EstimateSource.EXACT)

    moves = phone.locator(".move")
    said = moves.locator(".visually-hidden")
    expect(said).to_have_text(["Move 2 to 5, capturing 1. 64.7%, best", "Enter on 3. 51.4%, 13.3 less"])
    expect(moves.nth(0).locator(".way")).to_have_text("2 → 5captures 1")
    expect(moves.nth(1).locator(".tip")).to_have_text("51.4%, 13.3 less")
    expect(phone.locator("[data-space='5'] .chance")).to_have_text("★ 65%")
    expect(phone.locator("[data-space='3'] .chance")).to_have_text("51%")
    expect(phone.locator("[data-space='5']")).to_have_attribute(
        "aria-label", "Space 5: obsidian, 1 own; a move here wins 65%, the best move"
    )
    moves.nth(0).click()
    expect(phone.locator("[data-prompt]")).to_have_text("Ben (Obsidian) to throw.")
    house.referee.submit(
        GameStarted(variant="bul", jade=("Mia",), obsidian=("Ben",), seed=7, changes={"fire": "3"}, begins=Side.JADE)
    )
    house.referee.submit(ThrowEntered(3))
    expect(moves.locator(".way")).to_have_text(" → 3burns 1")
    house.referee.submit(GameStarted(variant="boolik", jade=("Mia",), obsidian=("Ben",), seed=7, begins=Side.JADE))
    for marked, start, to in ((4, None, 4), (0, None, 7), (3, None, 3), (3, 7, 4)):
        house.referee.submit(ThrowEntered(marked))
        house.referee.submit(MoveChosen(start, to))
    house.referee.submit(ThrowEntered(1))
    expect(moves.locator(".way").filter(has_text="3 → 4")).to_have_text("3 → 4captures 1takes back 1")
    for event in (MoveChosen(3, 4), ThrowEntered(1), MoveChosen(None, 11), ThrowEntered(4)):
        house.referee.submit(event)
    expect(moves.locator(".way").filter(has_text="slays")).to_have_text("4 → slays 1loses 1")


def test_reordered_moves_ignore_taps_for_a_moment(house: House, another: Callable[..., Page]) -> None:
    """A tap meant for the previous order chooses nothing; if the order is unchanged, taps count at once."""
    choosing(house)
    page = another(house.address)
    page.clock.install(time=0)
    page.reload()
    # Only the page's own script makes buttons; stopped before that, its clock would never let it try again.
    first = page.locator("button.move").nth(0)
    expect(first).to_contain_text("Enter on 3")
    page.clock.pause_at(60_000)
    expect(first).to_be_enabled()
    advise(house, 0.5, 0.6)
    expect(first).to_contain_text("60%, best")
    expect(first).to_be_disabled()
    page.clock.run_for(1000)
    expect(first).to_be_enabled()
    advise(house, 0.5, 0.7)

    expect(first).to_contain_text("70%, best")
    expect(first).to_be_enabled()


def test_an_estimate_becomes_exact_automatically(phone: Page, house: House) -> None:
    """A message says that the game is being solved; then exact figures appear without a tap."""
    house.begin()
    bar = phone.locator("[data-chances]")
    house.referee.show_solving(SolvingProgress(house.referee.state().rules, FAIR, done=0.4, left_s=66))
    expect(bar.locator("p")).to_have_text(
        "Working out this game exactly: 40% done, about 1 minute left. Until then these are estimates."
    )
    question = current_question(house.referee.state())
    assert question is not None
    house.referee.advise(question, TurnAdvice(Estimate(0.504, EstimateSource.SEARCH), ()))
    expect(bar.locator("summary")).to_have_text("Jade 50%Obsidian 50%Chance to win: estimate")
    expect(bar.locator("p")).to_contain_text("It is not proven. Working out this game exactly")
    house.referee.advise(question, TurnAdvice(Estimate(0.51362, EstimateSource.EXACT, 8.6e-6), ()))
    house.referee.show_solving(None)

    expect(bar.locator("summary")).to_have_text("Jade 51.4%Obsidian 48.6%Chance to win: exact")
    expect(bar.locator("p")).to_have_text("Worked out to the end of the game: off by at most 0.001 points.")


def test_a_late_response_does_not_hide_advice(phone: Page, house: House) -> None:
    """A response that arrives after its own advice does not hide that advice."""
    house.begin()
    expect(phone.locator("[data-prompt]")).to_contain_text("Mia (Jade) to throw.")
    phone.evaluate(WATCH)

    def overtaken(route: Route) -> None:
        answer = route.fetch()
        advise(house, 0.625)
        expect(phone.locator("[data-chances]")).to_contain_text("63%")
        route.fulfill(response=answer)

    phone.route("**/api/throw", overtaken)
    phone.click("[data-count='2']")
    expect(phone.locator(".move .visually-hidden")).to_have_text(["Enter on 2. 63%"])
    thrown = house.referee.snapshot().number
    # The page sends nothing more until it has processed the response.
    phone.click("[data-action=confirm]")
    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")

    assert phone.evaluate("window.seen") == [[thrown, "shown"], [thrown + 1, "hidden"]]


WATCH = """() => {
  const bar = document.querySelector("[data-chances]");
  let before = bar.hidden;
  window.seen = [];
  const note = () => {
    const { number } = document.body.dataset;
    if (bar.hidden !== before) window.seen.push([Number(number), bar.hidden ? "hidden" : "shown"]);
    before = bar.hidden;
  };
  new MutationObserver(note).observe(bar, { attributeFilter: ["hidden"] });
}"""


def test_advice_can_be_switched_off(phone: Page, house: House) -> None:
    """In the settings, for everyone at the table, at once; the moves return to their usual order."""
    choosing(house)
    advise(house, 0.5, 0.6)
    expect(phone.locator("[data-chances]")).to_be_visible()
    phone.get_by_text("Menu").click()
    phone.locator("[data-menu] a[href='/settings']").click()
    with phone.expect_response("**/api/options"):
        phone.locator("[data-option=advice]").select_option("never")
    phone.locator("a.back").click()

    expect(phone.locator("[data-chances]")).to_be_hidden()
    expect(phone.locator(".chance, .tip")).to_have_count(0)
    expect(phone.locator(".move .visually-hidden")).to_have_text(["Enter on 3", "Move 2 to 5, capturing 1"])
    assert house.referee.state().options == Options(advice=False)


def test_a_long_list_and_a_winding_road_fit(house: House, another: Callable[..., Page]) -> None:
    """With a message about solving and chances on small spaces, nothing overflows sideways."""
    house.referee.submit(OptionsSet(Options()))
    game = GameStarted(variant="bul", jade=("Mia",), obsidian=("Ben",), seed=7, changes={"spaces": "19"})
    house.referee.submit(game)
    choosing_far = (ThrowEntered(2), MoveChosen(None, 2), ThrowEntered(3), MoveChosen(None, 17), ThrowEntered(4))
    house.begin()
    for event in choosing_far:
        house.referee.submit(event)
    house.referee.show_solving(SolvingProgress(house.referee.state().rules, FAIR, done=0.4, left_s=600))
    house.advise()
    page = another(house.address, viewport=SMALL)
    expect(page.locator(".chance")).not_to_have_count(0)
    expect(page.locator("[data-chances]")).to_contain_text("about 10 minutes left")

    assert page.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]

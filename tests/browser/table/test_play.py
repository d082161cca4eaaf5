"""Playing on the phone: the effects of taps, and taps that must have none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from companion.referee.events import (
    CameraChanged,
    CameraState,
    GameStarted,
    MoveChosen,
    Options,
    OptionsSet,
    Passed,
    ThrowEntered,
    ThrowUnreadable,
)
from companion.referee.snapshots.prompts import camera_lost
from companion.rules.unit import Side
from hardware.tracking.throw_watcher import OBSTRUCTED
from tests.browser.conftest import SMALL, House, tap

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("place", "position"),
    [("[data-space='5']", "4/4J2O1/4 0:0 O"), ("[data-move^='base-3-']", "3/1JJ4O1/4 0:0 O")],
    ids=["board", "list"],
)
def test_a_move_is_played_by_one_tap(phone: Page, house: House, place: str, position: str) -> None:
    """On the board or in the list; no further confirmation is needed."""
    house.begin()
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(MoveChosen(None, 2))
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(MoveChosen(None, 8))
    house.referee.submit(ThrowEntered(3))
    main = phone.locator("[data-main]")
    expect(main).to_have_text("Choose a move")
    expect(main).to_be_disabled()

    tap(phone, place)
    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")
    assert house.referee.snapshot().position == position


def test_a_space_of_several_moves_takes_a_second_tap_on_the_other_end(phone: Page, house: House) -> None:
    """Two pieces can reach it: a tap shows one of the moves, and a tap on either piece plays that piece's."""
    house.referee.submit(
        GameStarted(
            variant="puluc", jade=("Mia",), obsidian=("Ben",), seed=7, changes={"throws": "2"}, begins=Side.JADE
        )
    )
    for one, other, moves in ((2, 3, ((None, 2), (None, 3))), (1, 1, ((None, 9), (9, 8)))):
        house.referee.submit(ThrowEntered(one))
        house.referee.submit(ThrowEntered(other))
        for start, to in moves:
            house.referee.submit(MoveChosen(start, to))
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(ThrowEntered(3))
    tap(phone, "[data-space='5']")
    expect(phone.locator("[data-space='5'].chosen")).to_be_visible()
    assert len(house.referee.snapshot().moves) > 2

    tap(phone, "[data-space='2']")
    expect(phone.locator("[data-space='5'] .unit")).to_be_visible()
    expect(phone.locator("[data-space='2'] .unit")).to_have_count(0)


def test_a_reading_is_corrected_by_one_tap(phone: Page, house: House) -> None:
    """The picture outlines every lot, the count is large, and tapping another count is enough."""
    house.begin()
    house.see(2)
    expect(phone.locator("[data-thrown] b")).to_have_text("2")
    expect(phone.locator(".lot.marked")).to_have_count(2)
    expect(phone.locator(".lot.plain")).to_have_count(2)
    expect(phone.locator("[data-action=confirm]")).to_have_text("Yes, 2 marked")

    phone.click("[data-count='3']")

    expect(phone.locator("body")).to_have_attribute("data-phase", "move")
    throw = house.referee.snapshot().throw
    assert throw is not None
    assert (throw.marked, throw.source) == (3, "hand")


def test_the_counts_close_once_one_is_tapped(phone: Page, house: House) -> None:
    """A corrected throw shows the whole board again, on this phone, even if the count is unchanged."""
    house.begin()
    house.referee.submit(ThrowEntered(2))
    for count in ("3", "3"):
        tap(phone, "[data-recount]")
        expect(phone.locator("[data-digits]")).to_be_visible()
        tap(phone, f"[data-count='{count}']")
        expect(phone.locator("[data-main]")).to_have_text("Enter on 3")

        expect(phone.locator("[data-digits]")).to_be_hidden()
    tap(phone, "[data-recount]")
    expect(phone.locator("[data-question]")).to_have_text("How many marked sides are up?")
    expect(phone.locator("[data-recount]")).to_have_text("Cancel")
    tap(phone, "[data-recount]")
    expect(phone.locator("[data-recount]")).to_have_text("Was the count wrong?")
    expect(phone.locator("[data-question]")).to_be_hidden()


def test_a_lot_taken_for_the_wrong_side_is_turned_by_a_tap(phone: Page, house: House) -> None:
    """In the enlarged picture, for any number of lots; the correction is sent once the player confirms all of them.

    The picture closes then, and when another throw is read, so that no answer counts for a throw that it does not show.
    """
    house.begin()
    house.see(2)
    phone.click("[data-zoom]")
    answer = phone.locator("[data-faces-answer]")
    expect(answer).to_be_hidden()
    for lot in (2, 0, 0):
        phone.locator(f"[data-lot='{lot}'] text").click()
    expect(answer).to_have_text("Yes, 3 marked")
    expect(phone.locator(".lot.marked")).to_have_count(3)
    assert house.referee.snapshot().phase == "reading"

    answer.click()

    expect(phone.locator("body")).to_have_attribute("data-phase", "move")
    verdict = house.referee.next_labelled_reading()
    assert verdict is not None
    assert verdict.marked == 3
    assert [face.value for face in verdict.faces] == ["marked", "marked", "marked", "plain"]
    expect(phone.locator(".throw-picture.large")).to_have_count(0)
    phone.click("[data-zoom]")
    expect(phone.locator(".throw-picture.large")).to_have_count(1)
    house.referee.submit(MoveChosen(None, 3))
    expect(phone.locator(".throw-picture.large")).to_have_count(0)
    house.see(1)
    phone.click("[data-zoom]")
    phone.locator("[data-lot='1'] text").click()
    house.see(4)
    expect(phone.locator("[data-thrown] b")).to_have_text("4")
    expect(phone.locator(".throw-picture.large")).to_have_count(0)
    expect(answer).to_be_hidden()


def test_the_picture_is_enlarged_and_made_small_again_by_a_tap(phone: Page, house: House) -> None:
    """It fills the width; a tap on a lot in the small picture does not turn it.

    Made small, it shows what another phone has corrected meanwhile.
    """
    house.begin()
    house.see(2)
    expect(phone.locator("[data-zoom]")).to_be_enabled()
    phone.locator("[data-lot='2'] text").click(force=True)
    expect(phone.locator(".throw-picture.large")).to_have_count(1)
    expect(phone.locator(".lot.marked")).to_have_count(2)

    phone.click("[data-zoom]")

    expect(phone.locator(".throw-picture.large")).to_have_count(0)
    phone.click("[data-zoom]")
    phone.get_by_role("button", name="Close").click()
    expect(phone.locator(".throw-picture.large")).to_have_count(0)
    phone.click("[data-zoom]")
    house.referee.submit(ThrowEntered(3))
    expect(phone.locator("body")).to_have_attribute("data-phase", "move")
    phone.get_by_role("button", name="Close").click()
    expect(phone.locator(".throw-picture image")).to_have_count(1)
    expect(phone.locator(".lot")).to_have_count(0)
    expect(phone.locator("[data-zoom]")).to_be_focused()


def test_an_unread_throw_is_asked_about(phone: Page, house: House) -> None:
    """The page gives the reason and offers the counts; the button reads again.

    So it does where something at the edge of the picture keeps the camera from reading, which is said above the counts.
    """
    house.begin()
    house.referee.submit(CameraChanged(state=CameraState.WATCHING))
    house.referee.submit(ThrowUnreadable(reason="glare"))
    expect(phone.locator("[data-help]")).to_contain_text("too much glare")
    expect(phone.locator("[data-count]")).to_have_count(5)

    phone.click("[data-action=rethrow]")

    expect(phone.locator("[data-help]")).to_have_text("Throw all four.")
    assert house.referee.snapshot().unsure is None
    phone.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    main = phone.locator("[data-main]")
    expect(main).to_have_text("Waiting for the throw")
    house.referee.submit(CameraChanged(state=CameraState.WATCHING, message=OBSTRUCTED))
    expect(phone.locator("[data-help]")).to_have_text(OBSTRUCTED)
    expect(phone.locator("[data-help]")).to_be_in_viewport(ratio=1)
    expect(main).to_have_text("Look again")
    before = house.referee.snapshot().number
    tap(phone, "[data-main]")
    phone.wait_for_function("number => Number(document.body.dataset.number) > number", arg=before)
    assert house.referee.state().look_again > before


def test_undo_takes_back_the_last_step(phone: Page) -> None:
    """Undo returns from the move to the throw, and is disabled when there is nothing to undo."""
    undo = phone.locator("[data-action=undo]")
    expect(undo).to_be_disabled()

    phone.click("[data-count='3']")
    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")
    undo.click()

    expect(phone.locator("[data-prompt]")).to_contain_text("Mia (Jade)")
    expect(undo).to_be_disabled()


@pytest.mark.parametrize(("jade", "answers"), [("easy", True), ("Mia", False)])
def test_undo_asks_once_where_no_person_decided_or_nobody_answers(
    phone: Page, house: House, jade: str, answers: bool
) -> None:
    """Otherwise one tap takes back what the computer did after the person's last step, too."""
    house.referee.submit(OptionsSet(Options(draw=True)))
    house.referee.submit(GameStarted(variant="puluc", jade=(jade,), obsidian=("easy",), seed=1, begins=Side.JADE))
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(MoveChosen(None, 2))
    asked = []

    def undo(route: Route) -> None:
        asked.append(route)
        route.continue_() if answers else route.abort()

    prompt = phone.locator("[data-prompt]")
    expect(prompt).to_contain_text("Easy enters")
    phone.route("**/api/undo", undo)
    tap(phone, "[data-action=undo]")
    if answers:
        expect(prompt).to_have_text("Easy (Obsidian) to throw.")
    else:
        expect(phone.locator("[data-problem]")).to_contain_text("not answering")
    phone.evaluate("fetch('/api/games')")  # a second request would be before this one

    assert len(asked) == 1


def test_a_double_tap_counts_once(phone: Page, house: House) -> None:
    """A count tapped twice in haste is entered once, even if the next side may throw by then."""
    phone.locator("[data-count='3']").dblclick()
    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")
    phone.locator("[data-count='1']").click()

    expect(phone.locator("body")).to_have_attribute("data-phase", "throw")
    assert house.referee.snapshot().turn == "jade"


def test_a_late_tap_is_refused_with_the_reason(phone: Page, house: House) -> None:
    """A tap based on an outdated table is refused, with the reason beside the button until the next tap."""

    def overtaken(route: Route) -> None:
        house.referee.submit(ThrowEntered(4))
        route.continue_()

    phone.route("**/api/throw", overtaken)
    phone.click("[data-count='3']")

    expect(phone.get_by_role("alert")).to_contain_text("Someone was quicker.")
    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")
    assert house.referee.snapshot().throw_off.jade == 4
    tap(phone, "[data-action=undo]")
    expect(phone.get_by_role("alert")).to_be_hidden(timeout=4000)


def test_the_computers_move_is_made_by_hand(phone: Page, house: House) -> None:
    """The page shows the move to make on the board, and the button confirms that it is done."""
    house.referee.submit(GameStarted(variant="puluc", jade=("easy",), obsidian=("Ben",), seed=7))
    house.begin()
    expect(phone.locator("[data-help]")).to_have_text("Throw all four for Easy.")
    house.referee.submit(ThrowEntered(4))
    expect(phone.locator("[data-help]")).to_have_text("Move its piece, then tap “Got it”.")
    expect(phone.locator("[data-board] svg.arrow")).to_have_count(1)

    phone.get_by_role("button", name="Got it", exact=True).click()

    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")


def test_passing_is_a_button(phone: Page, house: House) -> None:
    """Without a legal move, the main button passes."""
    house.referee.submit(GameStarted(variant="puluc-bell", jade=("Mia",), obsidian=("Ben",), seed=7))
    house.referee.submit(ThrowEntered(3))
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(ThrowEntered(1))

    phone.click("[data-action=pass]")

    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")


def test_a_finished_game_can_be_played_again(phone: Page, house: House) -> None:
    """The page names the winner, and one tap starts the same game again."""
    changes = {"pieces": "1", "spaces": "5"}
    house.referee.submit(GameStarted(variant="puluc", jade=("Mia",), obsidian=("Ben",), seed=7, changes=changes))
    house.begin()
    house.referee.submit(ThrowEntered(4))
    house.referee.submit(MoveChosen(None, 4))
    house.referee.submit(ThrowEntered(2))
    house.referee.submit(MoveChosen(None, 4))
    expect(phone.locator("[data-prompt]")).to_have_text("Ben (Obsidian) has won.")

    phone.click("[data-action=again]")

    expect(phone.locator("body")).to_have_attribute("data-phase", "throw_off")


def test_a_new_game_is_chosen_in_a_dialog(phone: Page, house: House) -> None:
    """The variant, a player's name and a level are chosen; cancelling changes nothing.

    A person may be called like a level.
    """
    before = house.referee.snapshot()
    phone.click("[data-action=new]")
    expect(phone.get_by_label("The name of the person who plays Jade")).to_have_value("Mia")
    phone.get_by_role("button", name="Cancel").click()
    expect(phone.get_by_role("dialog")).to_be_hidden()
    assert house.referee.snapshot() is before

    phone.click("[data-action=new]")
    phone.get_by_text("More games").click()
    phone.get_by_role("radio", name="Puluc on thirteen rows").check()
    phone.get_by_label("The name of the person who plays Jade").fill("  Ixchel ")
    phone.get_by_label("Who plays Obsidian", exact=True).select_option("easy")
    expect(phone.get_by_label("The name of the person who plays Obsidian")).to_be_hidden()
    phone.get_by_label("The name of the person who plays Jade").press("Enter")

    expect(phone.locator("[data-space='11']")).to_be_visible()
    players = house.referee.snapshot().players
    assert (players.jade.name, players.obsidian.level) == ("Ixchel", "easy")
    phone.click("[data-action=new]")
    phone.get_by_label("Who plays Obsidian", exact=True).select_option("human")
    for side, name in (("Jade", "random"), ("Obsidian", "human")):
        phone.get_by_label(f"The name of the person who plays {side}").fill(name)
    phone.get_by_role("button", name="Start the game").click()
    expect(phone.get_by_role("dialog")).to_be_hidden()
    players = house.referee.snapshot().players
    assert (players.jade.name, players.jade.level) == ("Random", None)
    assert (players.obsidian.name, players.obsidian.level) == ("Human", None)


def test_watching_without_the_code(house: House, another: Callable[..., Page]) -> None:
    """Without the code the page shows everything, has no controls, and says how to join."""
    house.begin()
    house.referee.submit(ThrowEntered(2))
    page = another(f"{house.watched}?code=wrong")
    expect(page.locator("[data-watching]")).to_contain_text("The code in that address is not this table's.")
    expect(page.locator(".move")).to_have_text("Enter on 2")

    house.referee.submit(MoveChosen(None, 2))

    expect(page.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")
    expect(page.locator("button:enabled:visible")).to_have_count(0)


def test_a_browser_without_cookies_is_told_so(page: Page, house: House) -> None:
    """It only watches, without buttons that would be refused; the code stays in the address for another try."""

    def forget(route: Route) -> None:
        answer = route.fetch()
        page.context.clear_cookies()
        route.fulfill(response=answer, headers={k: v for k, v in answer.headers.items() if k != "set-cookie"})

    page.route("**/?code=*", forget)
    page.goto(house.address, wait_until="domcontentloaded")

    expect(page.locator("[data-foot] [data-problem]")).to_contain_text("This browser keeps no cookies")
    expect(page.locator("body")).to_have_attribute("data-play", "no")
    expect(page).to_have_url(house.address)


def test_the_page_without_scripts(house: House, another: Callable[..., Page]) -> None:
    """The page still shows the board, whose turn it is and the prompt, and says what is missing."""
    house.begin()
    page = another(house.address, java_script_enabled=False)

    expect(page.locator("[data-prompt]")).to_have_text(house.referee.snapshot().prompt)
    expect(page.locator(".base.turn .who")).to_have_text("Mia")
    expect(page.locator(".row.space:visible")).to_have_count(9)
    expect(page.locator("noscript p")).to_contain_text("To play, allow JavaScript.")


def test_the_page_says_that_the_camera_is_lost(phone: Page, house: House) -> None:
    """It says what to do, without the names of devices that the camera's message may give, until all is well."""
    house.referee.submit(CameraChanged(state=CameraState.LOST, message="/dev/video0 is gone."))
    expect(phone.locator("[data-camera]")).to_have_text(camera_lost())

    house.referee.submit(CameraChanged(state=CameraState.WATCHING))

    expect(phone.locator("[data-camera]")).to_be_hidden()
    assert house.referee.snapshot().phase == "throw_off"


def test_events_from_the_tables_buttons_are_announced(phone: Page, house: House) -> None:
    """An action with the table's buttons is announced on the phone as well."""
    house.referee.submit(GameStarted(variant="puluc-bell", jade=("Mia",), obsidian=("Ben",), seed=7))
    for event in (ThrowEntered(3), ThrowEntered(2), ThrowEntered(1), Passed()):
        house.referee.submit(event)

    expect(phone.locator("[data-last]")).to_have_text("Mia (Jade) threw 1 (worth 0): pass.")

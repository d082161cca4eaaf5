"""Further games: chosen in the dialog and played for some turns by taps; and the screens around them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import GameAgain, GameStarted, Resigned, ThrowEntered
from companion.rules.unit import Side
from companion.rules.variants import VARIANTS
from tests.browser.conftest import House, box_of, tap

pytestmark = pytest.mark.browser
SMALL = {"width": 360, "height": 640}


def choose(phone: Page, variant: str, players: int = 1) -> None:
    """Open the dialog, and choose the game and the number of players a side."""
    phone.locator("[data-action=new]").click()
    pick = phone.locator(f"input[name=variant][value={variant}]")
    if not pick.is_visible():
        phone.locator("[data-others] summary").click()
    pick.check()
    for _ in range(10):
        if int(phone.locator("[data-players]").inner_text()) >= players:
            break
        phone.locator("[data-more]").click()


def start(phone: Page, house: House, variant: str) -> None:
    phone.locator("[data-dialog] button[value=start]").click()
    expect(phone.locator("[data-dialog]")).to_be_hidden()
    assert house.referee.snapshot().variant == variant


def throw(phone: Page, house: House, marked: int) -> None:
    """Tap a count, and wait until the page shows the result."""
    step = house.referee.snapshot().step
    tap(phone, f"[data-count='{marked}']")
    shown(phone, house, step)


def shown(phone: Page, house: House, step: int) -> None:
    phone.wait_for_function("step => Number(document.body.dataset.number) > step", arg=step)
    assert house.referee.snapshot().step > step


def play_turn(phone: Page, house: House, *marks: int) -> str:
    """Throw, and make the last move offered until the turn is over. Returns the name of the player."""
    thrower = house.referee.snapshot().thrower
    for marked in marks:
        throw(phone, house, marked)
    for _ in marks:
        now = house.referee.snapshot()
        if now.phase != "move" or now.thrower != thrower:
            break
        tap(phone, "button[data-move]" if len(now.moves) > 1 else "[data-main]")
        shown(phone, house, now.step)
    return thrower


def test_the_dialog_opens_however_soon_the_game_has_gone_on(phone: Page) -> None:
    """Taps are ignored for a moment then, in case they were meant for the state before; this one changes nothing."""
    phone.locator("[data-action=new]").wait_for()
    phone.evaluate("""() => {
        document.querySelector("[data-touch]").ariaDisabled = "true";
        document.querySelector("[data-action=new]").click();
    }""")
    expect(phone.locator("[data-dialog]")).to_be_visible()


def test_a_custom_game_is_set_up_and_played(phone: Page, house: House) -> None:
    """Seven spaces with a wall that reverses pieces: the board shows it, and the first turns are played."""
    choose(phone, "boolik")
    phone.locator("[data-rules] summary").click()
    phone.locator("[data-rule=spaces]").fill("7")
    phone.locator("[data-rule=rescued]").select_option("freed")
    start(phone, house, "boolik")
    throw(phone, house, 4)
    throw(phone, house, 1)
    for marked in (4, 1, 3):
        play_turn(phone, house, marked)

    assert house.referee.snapshot().rules.fields["rescued"] == "freed"
    expect(phone.locator("[data-board] [data-space='7']")).to_be_visible()
    expect(phone.locator("[data-board] [data-space='8']")).to_have_count(0)
    assert house.referee.snapshot().position.startswith("4/")


GROUND = "(one) => getComputedStyle(one).backgroundColor"


def test_the_level_about_your_strength_is_marked(phone: Page) -> None:
    """It is marked among the levels of the side that the person meets, by the name as it is typed, and explained.

    Who plays and the chosen game are visible without scrolling, and where the system forces its colours.
    """
    words = "Ana's last 60 choices cost 1.2 wins in 100 games each; Careful's would have cost 1.3."
    ana = {"name": "Ana", "level": "careful", "words": words}
    phone.route("**/api/strengths", lambda route: route.fulfill(json={"strengths": [ana]}))
    phone.locator("[data-action=new]").click()
    explained, marked = phone.locator("[data-strength]"), phone.locator("[data-team=obsidian] option[label*=strength]")
    for choice in ("[data-team=jade] select", "[data-team=obsidian] select", ".pick:has(:checked)"):
        expect(phone.locator(choice)).to_be_in_viewport(ratio=1)
    expect(marked).to_have_count(0)
    phone.locator("[data-team=jade] input").fill("Ana")
    expect(marked).to_have_attribute("label", "Careful (about your strength)")
    expect(explained).to_be_hidden()
    phone.locator("[data-team=obsidian] select").select_option("careful")

    expect(explained).to_have_text(words)
    expect(phone.locator("option[label*=strength]")).to_have_count(1)
    phone.emulate_media(forced_colors="active")
    assert phone.locator(".pick :checked + span").evaluate(GROUND) != phone.locator(".pick span").last.evaluate(GROUND)


def test_a_rule_that_does_not_fit_is_shown(phone: Page) -> None:
    """Its field is marked and visible, and the message names it by its label; a change clears the mark."""
    phone.locator("[data-action=new]").click()
    phone.get_by_text("All rules").click()
    spaces = phone.locator("[data-rule=spaces]")
    spaces.fill("900")
    phone.get_by_text("All rules").click()
    phone.get_by_role("button", name="Start the game").click()
    expect(phone.locator("[data-refused]")).to_have_text("“Spaces of the highway”: a highway has 5 to 60 spaces.")
    expect(spaces).to_have_attribute("aria-invalid", "true")
    expect(spaces).to_be_in_viewport()
    expect(spaces).to_be_focused()
    spaces.fill("11")
    spaces.blur()

    expect(spaces).not_to_have_attribute("aria-invalid", "true")
    expect(phone.locator("[data-refused]")).to_be_hidden()


ROOM = """() => [...document.querySelectorAll("[data-dialog] summary")].map((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return Math.round(words.getBoundingClientRect().top - one.getBoundingClientRect().top);
})"""


def test_headings_of_two_lines_stand_off_the_lines_between_them(house: House, another: Callable[..., Page]) -> None:
    """In the dialog on a phone, in the language that needs most letters."""
    page = another(house.address, viewport=SMALL, locale="es-MX")
    page.locator("[data-action=new]").click()
    heading = page.locator("[data-match-of] summary")
    expect(heading).to_have_text("Una serie: varias partidas seguidas")
    expect(heading).to_be_visible()

    assert min(page.evaluate(ROOM)) >= 5


def test_a_game_of_shared_teams_rotates_the_players(phone: Page, house: House) -> None:
    """Bul, two a side: each throw passes to the next player, who is named."""
    choose(phone, "bul-teams", 2)
    for place, name in enumerate(("Ana", "Bea", "Carl", "Dora")):
        phone.locator("[data-team] input").nth(place).fill(name)
    start(phone, house, "bul-teams")
    throw(phone, house, 4)
    throw(phone, house, 1)
    names = [play_turn(phone, house, 1) for _ in range(4)]

    assert names == ["Ana", "Carl", "Bea", "Dora"]
    expect(phone.locator("[data-prompt]")).to_contain_text("Ana")


def test_six_play_an_aj_game_with_two_throws(phone: Page, house: House) -> None:
    """Three a side, each with their own pieces: a whole team throws, twice a turn, and then the other begins."""
    choose(phone, "aj-sayil", 3)
    start(phone, house, "aj-sayil")
    throw(phone, house, 4)
    throw(phone, house, 1)
    names = [play_turn(phone, house, 2, 3) for _ in range(4)]
    now = house.referee.snapshot()

    assert names == ["Mia", "Jade 2", "Jade 3", "Ben"]
    assert now.thrower == "Obsidian 2"
    assert len(now.board.spaces[4]) == 3
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_match_is_composed_and_played(phone: Page, house: House, another: Callable[..., Page]) -> None:
    """Three games, one removed and one moved up; then the first is on the table, and the scores list all.

    Before the next one's first throw, others read that only the host can start another game.
    """
    phone.locator("[data-action=new]").click()
    phone.locator("[data-match-of] summary").click()
    for game in ("puluc", "bul", "buluc"):
        phone.locator("[data-add]").click()
        phone.locator("[data-match-games] select").last.select_option(game)
    phone.locator("[data-match-games] li").nth(1).locator("[data-drop]").click()
    phone.locator("[data-match-games] li").nth(1).locator("[data-earlier]").click()
    expect(phone.locator("[data-single]")).to_be_hidden()
    phone.locator("[data-team=jade] input").fill("Ana")
    phone.locator("[data-team=obsidian] input").fill("Beto")
    start(phone, house, "buluc")
    match = house.referee.snapshot().match
    menu(phone, "scores")

    assert match is not None
    assert (match.variants, match.round) == (["buluc", "puluc"], 1)
    expect(phone.locator("ol.match li")).to_have_text(["Buluc now", "Puluc"])
    expect(phone.locator("ol.match [aria-current]")).to_have_count(1)
    house.begin()
    house.referee.submit(Resigned(Side.JADE))
    assert not house.referee.submit(GameAgain()).undo
    phone.goto(house.watched)
    guest = another(house.address)
    for page, barred in ((phone, False), (guest, True)):
        page.locator("[data-action=new]").click()
        expect(page.locator("[data-host-note]")).to_be_visible(visible=barred)
        expect(page.locator("[data-dialog] button[value=start]")).to_be_enabled(enabled=not barred)


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1920, 1080)])
def test_the_dialog_is_in_order_on_large_screens(
    house: House, another: Callable[..., Page], width: int, height: int
) -> None:
    """The games fill whole rows, the button ends where the fields end, and a match's game has one line."""
    page = another(house.address, viewport={"width": width, "height": height}, locale="es-MX")
    page.locator("[data-action=new]").click()
    page.locator("[data-match-of] summary").click()
    page.locator("[data-add]").click()
    line = page.locator("[data-match-games] li")
    tops = line.locator("select, button").evaluate_all("all => all.map((one) => one.offsetTop + one.offsetHeight / 2)")
    page.locator("[data-drop]").click()
    tiles = page.locator(".pick:visible").evaluate_all("all => all.map((one) => one.offsetTop)")
    fields, button = (box_of(page.locator(one)) for one in ("[data-swap]", "[data-dialog] button[value=start]"))

    assert len(set(tops)) == 1
    assert {tiles.count(top) for top in tiles} == {4}
    assert fields["x"] + fields["width"] == pytest.approx(button["x"] + button["width"], abs=2)


def test_sides_can_be_swapped_and_seats_are_named(phone: Page, house: House) -> None:
    """Sides and seating order are arranged by taps and named before the game begins."""
    choose(phone, "bul-teams", 2)
    names = phone.locator("[data-team] input")
    for place, name in enumerate(("Ana", "Bea", "Carl", "Dora")):
        names.nth(place).fill(name)
    expect(phone.locator("[data-throwing-order]")).to_have_text(
        "If Jade begins, you throw in this order: Ana, Carl, Bea, Dora."
    )
    phone.locator("[data-team=jade] [data-throw-earlier]").last.click()
    phone.locator("[data-swap]").click()
    expect(phone.locator("[data-throwing-order]")).to_have_text(
        "If Jade begins, you throw in this order: Carl, Bea, Dora, Ana."
    )
    start(phone, house, "bul-teams")
    teams = house.referee.snapshot().teams

    assert [player.name for player in teams.jade] == ["Carl", "Dora"]
    assert [player.name for player in teams.obsidian] == ["Bea", "Ana"]


def test_an_unreachable_table_reports_that_no_game_can_start(phone: Page) -> None:
    """A tap on New game reports the lost connection; the next tap that succeeds opens the dialog."""
    phone.route("**/api/variants", lambda route: route.abort())
    phone.locator("[data-action=new]").click()
    expect(phone.locator("[data-problem]")).to_contain_text("The table is not answering")
    phone.unroute("**/api/variants")
    phone.locator("[data-action=new]").click()

    expect(phone.locator("[data-dialog]")).to_be_visible()


def answer(phone: Page) -> None:
    """Accept the confirmation."""
    phone.locator("[data-question] button[value=yes]").click()


def menu(phone: Page, where: str) -> None:
    phone.locator("[data-menu] summary").click()
    phone.locator(f"[data-menu] a[href='/{where}']").click()
    # Wait until it is loaded, so that its scripts run.
    phone.wait_for_url(f"**/{where}")


def test_saved_games_are_resumed_renamed_and_deleted(phone: Page, house: House) -> None:
    """Two taps lead there; an abandoned game can be continued; deleting needs a confirmation."""
    house.begin()
    left = house.referee.submit(GameStarted(variant="bul", jade=("Ana",), obsidian=("Beto",), seed=1))
    menu(phone, "games")
    first = phone.locator("article", has=phone.locator("[data-post='/api/games/1/name']"))
    first.get_by_role("button", name="Rename").click()
    phone.locator("[data-answer]").fill("Sunday")
    answer(phone)
    expect(first.locator("h2")).to_have_text("Sunday")
    first.get_by_role("button", name="Resume").click()
    expect(phone.locator("[data-prompt]")).to_contain_text("Mia")
    menu(phone, "games")
    phone.locator(f"[data-post='/api/games/{left.game}/delete']").click()
    answer(phone)

    expect(phone.locator("article")).to_have_count(1)
    assert [game.name for game in house.referee.games()] == ["Sunday"]


def test_scores_are_shown_and_reset(phone: Page, house: House) -> None:
    """A finished game is listed by its players; a reset needs a confirmation."""
    short = {"pieces": "1", "spaces": "5"}
    house.referee.submit(GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes=short))
    for marked in (4, 1, 3):
        house.referee.submit(ThrowEntered(marked))
    play = house.referee.snapshot().moves[0]
    assert play.start == "base"
    menu(phone, "scores")
    expect(phone.locator("main")).to_contain_text("No finished games yet")
    phone.locator("a.back").click()
    tap(phone, "[data-main]")
    throw(phone, house, 3)
    tap(phone, "[data-main]")
    expect(phone.locator("body")).to_have_attribute("data-phase", "over")
    menu(phone, "scores")
    expect(phone.locator(".score span")).to_have_text(["Ana", "Beto"])
    expect(phone.locator(".score b")).to_contain_text("1")
    phone.get_by_role("button", name="Reset the scores").click()
    answer(phone)

    expect(phone.locator("main")).to_contain_text("No finished games yet")


def test_a_record_is_exported_and_imported(phone: Page, house: House, tmp_path: Path) -> None:
    """An exported text can be imported as a game; other text is refused with one sentence."""
    house.begin()
    menu(phone, "games")
    with phone.expect_download() as download:
        phone.locator("a[download]").click()
    kept = tmp_path / "kept.txt"
    download.value.save_as(kept)
    phone.locator("textarea").fill("no record")
    phone.get_by_role("button", name="Import").click()
    expect(phone.locator("[data-problem]")).to_contain_text("This is not a game record")
    phone.locator("input[type=file]").set_input_files(kept)
    phone.get_by_role("button", name="Import").click()
    expect(phone.locator("[data-prompt]")).to_contain_text("Mia (Jade) to throw")

    assert len(house.referee.games()) == 2


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_fit_a_small_phone(variant: str, house: House, another: Callable[..., Page]) -> None:
    """The text and drawings of every game stay within the screen."""
    teams = VARIANTS[variant].teams != "none"
    jade, obsidian = (("A", "B"), ("C", "D")) if teams else (("A",), ("B",))
    house.referee.submit(GameStarted(variant=variant, jade=jade, obsidian=obsidian, seed=1))
    phone = another(f"{house.watched}rules", viewport=SMALL)

    assert phone.locator("section").count() > 8
    assert phone.locator("svg.drawing").count() > 5
    assert phone.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]


@pytest.mark.parametrize("screen", ["games", "scores"])
def test_watchers_see_the_screens_without_controls(screen: str, house: House, another: Callable[..., Page]) -> None:
    """Without the code only the way back and the export are available."""
    phone = another(f"{house.watched}{screen}", viewport=SMALL)

    expect(phone.locator("a.back")).to_be_visible()
    assert phone.locator("main button").count() == 0
    assert phone.evaluate("document.documentElement.scrollWidth") <= SMALL["width"]

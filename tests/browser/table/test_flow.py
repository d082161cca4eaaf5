"""The taps of a game: only sure readings, moves and passes are confirmed automatically; a choice takes one tap."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from companion.referee.events import (
    CameraChanged,
    CameraState,
    Confirmed,
    GameStarted,
    MoveChosen,
    Resigned,
    ThrowEntered,
    ThrowUnreadable,
)
from companion.rules.unit import Side
from tests.browser.conftest import PATIENCE_MS, SMALL, House, box_of, tap
from tests.browser.table.states import over

pytestmark = pytest.mark.browser

PAIR = {"jade": ("Mia",), "obsidian": ("Ben",)}
TEAMS = {"jade": ("Ana", "Bea"), "obsidian": ("Carl", "Dan"), "changes": {"players": "2"}}
IDLE_TAPS: list[tuple[dict[str, Any], list[Any], str, str]] = [
    (
        {"variant": "aj-sayil", "changes": {"spaces": "9"}, **PAIR},
        [((1, 2), [(None, 1), (1, 3)]), ((1, 1), [(None, 9), (9, 8)]), ((2, 3), [])],
        "8",
        "You can't capture this piece with 2 or 3. Use one throw at a time.",
    ),
    (
        {"variant": "aj-sayil", **PAIR},
        [((1, 2), [(None, 1), (1, 3)]), ((1, 1), [(None, 19), (19, 18)]), ((2, 3), [])],
        "18",
        "You can't capture this piece with 2 or 3.",
    ),
    (
        {"variant": "aj-sayil", **TEAMS},
        [((1, 2), [(None, 1), (1, 3)]), ((1, 2), [])],
        "3",
        "This is Ana's piece.",
    ),
    (
        {"variant": "ritual-warfare", **PAIR},
        [((1,), [(None, 1)]), ((1,), [(None, 9)]), ((3,), [(None, 3)]), ((1,), [(9, 8)]), ((4,), [])],
        "jade",
        "You can't have any more units on the highway.",
    ),
]
"""A game, its turns as counts and moves, what is tapped then, and why nothing comes of it."""


def test_a_whole_game_against_easy_takes_at_most_one_tap_a_turn(phone: Page, house: House) -> None:
    """One tap for a choice, none without a choice or for the computer's turn; hints are not needed."""
    house.after(0)
    changes = {"pieces": "2", "spaces": "5"}
    house.referee.submit(
        GameStarted(variant="puluc", changes=changes, jade=("Ana",), obsidian=("easy",), seed=5, begins=Side.JADE)
    )
    throws, taps, choices = Random(3), 0, 0
    for _ in range(400):
        now = house.referee.snapshot()
        if now.phase == "over":
            break
        if now.phase == "throw":
            house.see(sum(throws.random() < 0.5 for _ in range(4)))
        elif now.countdown:
            house.after(now.countdown.left)
        else:
            assert (now.phase, now.players.jade.level, now.turn) == ("move", None, "jade")
            assert len(now.moves) > 1
            choices += 1
            phone.wait_for_function("number => Number(document.body.dataset.number) >= number", arg=now.number)
            tap(phone, "button[data-move]")
            taps += 1
            phone.wait_for_function("number => Number(document.body.dataset.number) > number", arg=now.number)

    turns = house.referee.state().turns
    assert house.referee.state().phase == "over"
    assert taps == choices > 2
    assert taps <= sum(turn.side is Side.JADE for turn in turns)
    expect(phone.locator("[data-prompt]")).to_contain_text("won")


def test_a_countdown_can_be_stopped_or_skipped(phone: Page, house: House) -> None:
    """A large "Wrong?" asks for the count, the main button accepts it, and after two seconds it is accepted anyway.

    A count that contradicts what the camera saw takes the marks off its picture.
    """
    house.begin()
    house.after(0)
    house.see(2)
    main, wrong = phone.locator("[data-main]"), phone.locator("[data-objection]")
    expect(main).to_have_text("Right")
    expect(main).to_have_class("main counts")
    expect(wrong).to_have_text("Wrong?")
    # In a single step, because the page may draw the picture anew at any time.
    lighting = """picture => {
        const seen = () => getComputedStyle(document.querySelector("[data-objection]")).visibility;
        picture.dataset.lighting = "3";
        const lit = seen();
        delete picture.dataset.lighting;
        return [lit, seen()];
    }"""
    assert phone.locator("[data-throw-picture]").evaluate(lighting) == ["hidden", "visible"]
    expect(phone.locator("[data-digits]")).to_be_hidden()
    tap(phone, "[data-objection]")
    expect(main).to_have_text("Yes, 2 marked")
    expect(wrong).to_be_hidden()
    expect(phone.locator("[data-throw-picture] .lot")).to_have_count(4)
    tap(phone, "[data-count='3']")
    expect(main).to_have_text("Enter on 3")
    expect(phone.locator("[data-throw-picture] image")).to_have_count(1)
    expect(phone.locator("[data-throw-picture] .lot")).to_have_count(0)
    expect(phone.locator("[data-help]")).to_have_text("It is the only move, so it is made for you.")
    house.after(3)
    expect(phone.locator("[data-prompt]")).to_have_text("Ben (Obsidian) to throw.")
    house.see(1)
    expect(wrong).to_be_visible()
    tap(phone, "[data-main]")

    expect(main).to_have_text("Enter on 9")
    assert house.referee.state().thrown[0].marked == 1


def test_hints_appear_on_request_and_idle_taps_are_explained(house: House, another: Callable[..., Page]) -> None:
    """One tap shows the value of moves, on this phone from then on; a tap without effect is explained."""
    house.begin()
    for marked in (2, 0, 3):
        house.referee.submit(ThrowEntered(marked))
        if marked < 3:
            house.referee.submit(Confirmed())
    house.advise()
    page = another(house.address, storage_state={"cookies": [], "origins": []})
    moves, why = page.locator("button[data-move]"), page.locator("[data-problem]")
    expect(moves).to_have_count(2)
    expect(page.locator("[data-moves] .tip, [data-board] .chance")).to_have_count(0)
    for space, words in (("9", "You can't get there with 3."), ("obsidian", "You can't get there with 3.")):
        page.locator("[data-touch]:not([aria-disabled])").wait_for()
        page.locator(f"[data-board] [data-space='{space}']").click(force=True)
        expect(why).to_have_text(words)
    tap(page, "[data-hints]")
    expect(page.locator("[data-moves] .tip")).to_have_count(2)
    page.reload()
    expect(page.locator("[data-moves] .tip")).to_have_count(2)
    tap(page, "[data-hints]")
    expect(page.locator("[data-moves] .tip")).to_have_count(0)
    for game, turns, space, words in IDLE_TAPS:
        house.referee.submit(GameStarted(begins=Side.JADE, seed=1, **game))
        for throws, moves in turns:
            for marked in throws:
                house.referee.submit(ThrowEntered(marked))
            for start, to in moves:
                house.referee.submit(MoveChosen(start, to))
        page.wait_for_function(
            "number => Number(document.body.dataset.number) >= number", arg=house.referee.snapshot().number
        )
        page.locator("[data-touch]:not([aria-disabled])").wait_for()
        page.locator(f"[data-board] [data-space='{space}']").click(force=True)
        expect(why).to_have_text(words)


def test_the_first_minute_asks_how_to_play(tmp_path: Path, another: Callable[..., Page]) -> None:
    """At a table that nobody has set up, one tap begins, and a simulated camera throws on request.

    What that camera throws meanwhile refuses no tap; one undo leads back over what the computer did, whose win is not
    celebrated.
    """

    def overtaken(route: Route) -> None:
        house.referee.submit(ThrowEntered(4))
        route.continue_()

    house = House(tmp_path, ("Jade", "Obsidian"), simulated=True)
    try:
        page = another(house.address, viewport=SMALL)
        expect(page.locator("[data-welcome]")).to_contain_text("The camera is simulated")
        size = page.locator("[data-welcome]").evaluate("({ offsetWidth, scrollHeight }) => [offsetWidth, scrollHeight]")
        assert size[0] <= SMALL["width"]
        assert size[1] <= SMALL["height"]
        page.route("**/api/games", overtaken)
        # Nobody's throws change this table every two seconds; the ignoring of double taps must not swallow the choice.
        page.locator("[data-touch]").evaluate(
            "one => { one.ariaDisabled = 'true'; one.querySelector('[data-action=computer]').click(); }"
        )
        expect(page.locator("[data-board] .who")).to_have_text(["Jade (you)", "Easy (computer)"])
        expect(page.locator("[data-welcome]")).to_be_hidden()
        expect(page.locator("[data-main]")).to_have_text("Throw")
        options = house.referee.snapshot().options
        assert (options.auto_throw, options.draw) == (False, True)
        tap(page, "[data-main]")
        page.locator("body[data-simulated]").wait_for()
        house.referee.submit(ThrowUnreadable(reason="touching"))
        expect(page.locator("[data-main]")).to_have_text("Throw again")
        expect(page.locator("[data-help]")).to_have_text(
            "I can't tell all four apart. Throw again, or count them yourself."
        )
        before = house.referee.state().awaited
        tap(page, "[data-main]")
        expect(page.locator("[data-help]")).not_to_contain_text("apart")
        assert house.referee.state().awaited != before
        house.referee.submit(GameStarted(variant="puluc", jade=("Ana",), obsidian=("easy",), seed=1, begins=Side.JADE))
        expect(page.locator("[data-main]")).to_have_text("Throw")
        tap(page, "[data-main]")
        expect(page.locator("[data-main]")).not_to_have_text("Throw")
        expect(page.locator("[data-help]")).to_have_text("")
        house.referee.submit(ThrowEntered(2))
        tap(page, "[data-main]")
        expect(page.locator("[data-prompt]")).to_contain_text("Easy enters on")
        expect(page.locator("[data-help]")).to_have_text("")
        tap(page, "[data-action=undo]")
        expect(page.locator("[data-main]")).to_have_text("Enter on 2")
        expect(page.locator("[data-problem].calm")).to_have_text("Taken back.")
        house.referee.submit(Resigned(Side.JADE))
        expect(page.locator("[data-ending]")).to_contain_text("Easy (Obsidian) has won.")
        assert page.locator(".rain").count() == 0
    finally:
        house.stop()


def test_the_guided_game_leads_into_a_game(tmp_path: Path, another: Callable[..., Page]) -> None:
    """Its last button leads to the other two ways to play; pictures of the tray are loaded once one is chosen."""
    house = House(tmp_path, ("Jade", "Obsidian"))
    try:
        house.referee.submit(CameraChanged(state=CameraState.WATCHING))
        page = another(house.watched)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        with page.expect_response("**/api/events"):
            page.goto(house.address)
        expect(page.locator("[data-welcome]")).to_be_visible()
        page.locator("[data-live-tray]").wait_for(state="attached")
        assert not any("/api/camera/picture" in url for url in asked)
        page.goto(f"{house.watched}learn?throw=7")
        page.get_by_role("link", name="Play now").click()
        expect(page.locator("[data-welcome] > :is(a, button):visible")).to_have_count(2)
        with page.expect_request("**/api/camera/picture*"):
            page.locator("[data-action=computer]").click()

        expect(page.locator("[data-board] .who")).to_have_text(["Jade (you)", "Easy (computer)"])
        expect(page.locator("[data-welcome]")).to_be_hidden()
    finally:
        house.stop()


BY_LENGTH = {
    "short": {
        "title": "Jade has won.",
        "game": "Puluc",
        "lines": [
            ("The moment it turned", "Jade chose to move 4 to 6: 21 fewer wins in 100 games"),
            ("The luckiest throw", "Easy threw 0 (worth 5). A lucky throw: 19 more wins in 100 games."),
            ("The best move", "Jade: move 2 to 7, capturing 1"),
        ],
    },
    "long": {
        "title": "Bartolomé Guadalupe Hernández se rinde. María Guadalupe de los Ángeles Pérez (Jade) ganó.",
        "game": "Aj Sakakil, 24 casillas",
        "lines": [
            (
                label,
                "Bartolomé Guadalupe Hernández (Obsidiana) eligió mover de 18 a 14, capturando 2 y liberando 1, "
                "luego mover de 14 a 9, capturando 1: 21 victorias menos en 100 partidas",
            )
            for label in ("El momento decisivo", "La tirada con más suerte", "La mejor jugada")
        ],
    },
    "one word": {"title": f"{'Wilhelmina' * 4} has won.", "game": "Puluc", "lines": []},
}
"""Stories of games whose players have short and long names."""
MESSED = """async ({ title, game, lines }) => {
  const { paint } = await import("/static/ending/share_picture.js");
  const canvas = Object.assign(document.createElement("canvas"), { width: 1080, height: 1080 });
  const pen = canvas.getContext("2d");
  const boxes = [];
  const add = (what, left, top, right, bottom) => boxes.push({ what, left, top, right, bottom });
  pen.fillRect = (x, y, wide, high) => wide < 1080 && add("graph", x, y, x + wide, y + high);
  pen.fillText = (text, x, y) => {
    const { width, actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = pen.measureText(text);
    add(text, x, y - up, x + width, y + down);
  };
  paint(pen, { title, game, chances: [0.5, 1], lines: lines.map(([label, text]) => ({ label, text })) });
  const words = boxes.map(({ what }) => what).join(" ");
  const missing = [title, game, ...lines.flat()].filter((text) => !words.includes(text));
  const out = boxes.filter(({ left, top, right, bottom }) => left < 0 || top < 24 || right > 1080 || bottom > 1080);
  const over = boxes.flatMap((one, at) =>
    boxes.slice(at + 1).filter((two) => one.top < two.bottom && two.top < one.bottom).map((two) => [one, two]));
  return [...missing, ...out, ...over];
}"""
"""Returns what a shared picture lacks, what sticks out of it, and what lies over one another in it."""


def win(house: House) -> None:
    """Jade wins a short game."""
    short = {"pieces": "1", "spaces": "5"}
    house.referee.submit(
        GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes=short, begins=Side.JADE)
    )
    for marked, start, to in ((3, None, 3), (1, None, 5), (2, 3, 5)):
        house.referee.submit(ThrowEntered(marked))
        house.referee.submit(MoveChosen(start, to))


def tell_the_story(house: House) -> None:
    """The game that ended is reviewed."""
    assert house.reviews.step(PATIENCE_MS / 1000)
    while house.reviews.step(0):
        pass


def test_the_buttons_of_the_ending_are_seen_on_a_low_screen(house: House, another: Callable[..., Page]) -> None:
    """Held across at 568 by 320, in the language that needs most letters, the story scrolls behind their one row."""
    win(house)
    page = another(house.address, viewport={"width": 568, "height": 320}, locale="es-MX")
    ending = page.locator("[data-ending]")
    expect(ending.locator(".acts")).to_be_visible()
    tell_the_story(house)
    expect(ending.locator("dd")).not_to_have_count(0)
    inside = box_of(ending)
    boxes = [box_of(button) for button in ending.locator(".acts > *").all()]

    assert {box["y"] for box in boxes} == {boxes[-1]["y"]}
    for box in boxes:
        assert inside["y"] <= box["y"]
        assert box["y"] + box["height"] <= inside["y"] + inside["height"]


def test_an_ending_without_a_story_has_the_whole_row_for_its_heading(
    house: House, another: Callable[..., Page]
) -> None:
    """Held across at 568 by 320, given up before the first throw: there is no course to stand beside it."""
    over(house)
    page = another(house.address, viewport={"width": 568, "height": 320}, locale="es-MX")
    ending = page.locator("[data-ending]")
    expect(ending.locator(".acts > *")).to_have_count(1)
    heading, acts = box_of(ending.locator("h2")), box_of(ending.locator(".acts"))

    assert heading["right"] == acts["right"]


def test_a_finished_game_is_summarised_on_one_screen(phone: Page, house: House) -> None:
    """The turning point, the luckiest throw, the best move, a picture made on the phone, and a rematch button.

    In the picture nothing lies over anything else, however long the names are.
    Its buttons stay where they are when the story comes, and once it was closed it stays away.
    """
    win(house)
    ending = phone.locator("[data-ending]")
    expect(ending).to_contain_text("has won")
    close = ending.get_by_role("button", name="See the board")
    before = box_of(close)
    tell_the_story(house)
    expect(ending).to_contain_text("The moment it turned")
    expect(ending.locator(".art .piece.jade")).to_be_visible()
    after = box_of(close)
    assert after["y"] == pytest.approx(before["y"], abs=1)
    phone.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    assert ending.evaluate("one => one.scrollHeight - one.clientHeight") <= 0
    assert len((ending.locator(".course .ours").get_attribute("points") or "").split()) == 3 + 3
    ordinary = (
        "import('/static/ending/story.js').then((it) => it.storyOf({moments: [], turns: [{turn: 1, luck: 2.4}]}))"
    )
    assert phone.evaluate(ordinary) == []
    two = "{moments: [{turn: 1, swing: 9, title: ''}], turns: [{turn: 1, luck: 9}, {turn: 2, luck: 8, values: []}]}"
    story = f"import('/static/ending/story.js').then((it) => it.storyOf({two}).map(({{ label }}) => label))"
    assert phone.evaluate(story) == ["The moment it turned", "Another lucky throw"]
    with phone.expect_download() as download:
        ending.get_by_role("button", name="Share a picture").click()
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    assert [messed for story in BY_LENGTH.values() for messed in phone.evaluate(MESSED, story)] == []
    expect(phone.locator("[data-main]")).to_have_text("Rematch")
    close.click()
    expect(ending).to_be_hidden()
    phone.reload()
    expect(phone.locator("[data-main]")).to_have_text("Rematch")
    expect(ending).to_be_hidden()
    tap(phone, "[data-main]")
    expect(phone.locator("body")).to_have_attribute("data-phase", "throw_off")


def test_a_game_without_a_turn_promises_no_review(phone: Page, house: House) -> None:
    """Given up at once, it has nothing to look back at: the card says who won, and leads back to the board, which
    has no link either.
    """
    house.begin()
    house.referee.submit(Resigned(Side.JADE))
    ending = phone.locator("[data-ending]")

    expect(ending).to_contain_text("Ben (Obsidian) has won.")
    expect(ending.get_by_role("link")).to_have_count(0)
    expect(ending).not_to_contain_text("Looking back")
    ending.get_by_role("button", name="See the board").click()
    expect(ending).to_be_hidden()
    expect(phone.locator("[data-review-link]")).to_be_hidden()

"""The headline over the board: it keeps its height and its letters, and breaks where one would pause."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowEntered, Undone
from companion.rules.unit import Side
from tests.browser.conftest import House, box_of
from tests.browser.table.states import long_names, moving

pytestmark = pytest.mark.browser


def test_the_words_of_a_preview_cover_only_the_head(house: House, another: Callable[..., Page]) -> None:
    """Upright and across, the board below them is seen whole."""
    moving(house)
    page = another(house.address)
    for width, height in ((390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("[data-space='3']")).to_be_enabled()
        page.locator("[data-space='3']").hover()
        page.mouse.down()
        words, board = (box_of(page.locator(one)) for one in (".preview p", "[data-board]"))
        page.mouse.up()

        assert words["height"] <= board["y"] + 1
        expect(page.locator(".preview")).to_have_count(0)


LAST_TWO = """() => {
  const walker = document.createTreeWalker(document.querySelector("[data-prompt]"), NodeFilter.SHOW_TEXT);
  const words = [];
  while (walker.nextNode()) {
    for (const { index, 0: word } of walker.currentNode.data.matchAll(/\\S+/g)) {
      const range = new Range();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      words.push(range.getBoundingClientRect().top);
    }
  }
  return words.slice(-2);
}"""
"""Returns where the last two words of the headline stand."""


def test_a_long_name_has_room_in_the_head_and_in_its_base(house: House, another: Callable[..., Page]) -> None:
    """Three lines in the head, which keeps its height, and two off the edge of the base, a line of three pixels."""
    long_names(house)
    page = another(house.address, viewport={"width": 390, "height": 844})
    name, base = (box_of(page.locator(one)) for one in (".base.jade .who", ".base.jade"))

    assert page.locator("header").evaluate("one => one.offsetHeight") == 60
    assert name["height"] > 24
    assert name["y"] - base["y"] >= 4


def test_a_long_headline_does_not_end_in_one_word(house: House, another: Callable[..., Page]) -> None:
    """ "¿Es correcto?" stays together below a name that fills a line of a tablet."""
    long_names(house)
    page = another(house.address, viewport={"width": 820, "height": 1180}, locale="es-MX")
    tops = page.evaluate(LAST_TWO)

    assert len(set(tops)) == 1


PROMPTS = (
    "Le toca tirar a Jade.",
    "They have landed. Reading…",
    "Jade has one move: enter on 2.",
    "Ya cayeron. Leyendo…",
    "Fácil mueve de 9 a 6, capturando 4 y liberando 3.",
    "Both threw 3. Once more! Obsidian to throw.",
    "Jade moves 3 and 2. Make the move on the board, or tap it.",
    "¿Quién empieza? Le toca tirar a Ben (Obsidiana).",
)
HEADS = """(prompts) => import("/static/table/prompt.js").then(({ drawPrompt }) =>
  prompts.map((prompt) => (drawPrompt({ prompt }), document.querySelector("header").offsetHeight)))"""

LETTERS = """(prompts) => import("/static/table/prompt.js").then(({ drawPrompt }) => prompts.map((prompt) =>
  (drawPrompt({ prompt }), getComputedStyle(document.querySelector("[data-prompt]")).fontSize)))"""


@pytest.mark.parametrize("width", [320, 360, 390])
def test_the_head_keeps_its_height(house: House, another: Callable[..., Page], width: int) -> None:
    """Whatever it says, so that the board below it stays where it is."""
    page = another(house.watched, viewport={"width": width, "height": 640})

    assert set(page.evaluate(HEADS, PROMPTS)) == {60}


@pytest.mark.parametrize(("width", "height"), [(820, 1180), (1920, 1080)])
def test_a_headline_keeps_its_letters_where_there_is_room(
    house: House, another: Callable[..., Page], width: int, height: int
) -> None:
    """On a tablet and on a large screen, also a longer one."""
    page = another(house.watched, viewport={"width": width, "height": height})
    sizes = page.evaluate(LETTERS, [one for one in PROMPTS if width > 820 or len(one) <= 48])

    assert len(set(sizes)) == 1


LINES = """(of) => [...document.querySelectorAll(of)].map((one) =>
  Math.round(one.offsetHeight / parseFloat(getComputedStyle(one).lineHeight)))"""
"""Returns how many lines each element of a selector takes."""


def test_a_headline_too_long_for_two_sentences_in_two_lines_flows(house: House, another: Callable[..., Page]) -> None:
    """A line of its own for each would make three."""
    house.referee.submit(ThrowEntered(3))
    page = another(house.watched, viewport={"width": 390, "height": 844}, locale="es-MX")
    page.evaluate(HEADS, ["¿Quién empieza? Le toca tirar a Ben (Obsidiana)."])

    assert page.evaluate(LINES, "[data-prompt]") == [2]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_line_of_the_headline_ends_between_sentences(
    house: House, another: Callable[..., Page], scripts: bool
) -> None:
    """Where both do not fit one line: "Mia (Jade) moves 3." stands above "Choose a move."."""
    moving(house)
    page = another(house.watched, viewport={"width": 390, "height": 844}, java_script_enabled=scripts)
    expect(page.locator("[data-prompt]")).to_have_text("Mia (Jade) moves 3. Choose a move.")

    assert page.evaluate(LINES, "[data-prompt] .sentence") == [1, 1]


def test_a_persons_turn_is_read_out_once(phone: Page, house: House) -> None:
    """The headline is read out, too, and tells what the computer does; what an undo brings back was said before."""
    house.referee.submit(GameStarted(variant="puluc", jade=("Mia",), obsidian=("easy",), seed=7, begins=Side.JADE))
    spoken, prompt = phone.locator("[data-spoken]"), phone.locator("[data-prompt]")
    expect(prompt).to_have_text("Mia (Jade) to throw.")
    phone.evaluate("""() => {
        window.spoken = [];
        const place = document.querySelector("[data-spoken]");
        new MutationObserver(() => window.spoken.push(place.textContent)).observe(place, { childList: true });
    }""")
    for marked, made in ((2, MoveChosen(None, 2)), (4, Confirmed()), (3, MoveChosen(None, 3)), (3, Confirmed())):
        for event, phase in ((ThrowEntered(marked), "move"), (made, "throw")):
            house.referee.submit(event)
            expect(phone.locator("body")).to_have_attribute("data-phase", phase)
    house.referee.submit(Undone())
    house.referee.submit(Undone())
    expect(prompt).to_have_text("Easy (Obsidian) to throw.")

    expect(spoken).to_have_role("status")
    assert phone.evaluate("spoken") == ["Mia (Jade) threw 2: enter on 2.", "Mia (Jade) threw 3: enter on 3."]

"""Preferences of the phone and of the table, set on one screen and kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.i18n import ENGLISH
from companion.referee.events import Begins, GameStarted, ThrowEntered, Undone
from tests.browser.conftest import House, box_of
from tests.i18n.pseudo import PSEUDO

pytestmark = pytest.mark.browser

HEARD = """() => {
  window.said = [];
  window.knocks = 0;
  const voice = (lang, localService) => ({ lang, localService, name: lang });
  const voices = [voice("en-GB", false), voice("es-MX", true), voice("en-US", true)];
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => voices, cancel() {}, speak: ({ text, voice }) => window.said.push([text, voice.lang]),
  } });
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.knocks += 1; return start.apply(this, when); };
}"""
"""A phone with three voices, one of them remote; it records the texts to speak and each knock."""
THROWN = 4
"""Knocks when a throw has landed. Each marked lot adds one."""

TURNING = """() => {
  const style = new CSSStyleSheet();
  style.replaceSync("@keyframes turning { to { rotate: 1turn } } h1 { animation: turning 9s infinite }");
  document.adoptedStyleSheets = [style];
}"""


GROUND = "(one) => getComputedStyle(one).backgroundColor"


def ground(page: Page) -> str:
    return str(page.locator("html").evaluate(GROUND))


def test_colours_apply_at_once_and_persist(house: House, another: Callable[..., Page]) -> None:
    """Dark on a light phone and light on a dark one, on this screen and on the table.

    Where the system forces its colours, the chosen ones still stand out.
    """
    page = another(house.address, color_scheme="light")
    light = ground(page)
    page.goto(f"{house.watched}settings")
    page.locator("input[name=theme][value=dark]").check()
    dark = ground(page)
    page.locator("a.back").click()
    page.wait_for_url(house.watched)
    kept = ground(page)
    page.emulate_media(color_scheme="dark")
    page.goto(f"{house.watched}settings")
    page.locator("input[name=theme][value=light]").check()

    assert light != dark
    assert kept == dark
    assert ground(page) == light
    page.emulate_media(forced_colors="active")
    chosen, other = (page.locator(f"input[name=theme][value={value}] + span") for value in ("light", "dark"))
    assert chosen.evaluate(GROUND) != other.evaluate(GROUND)


def test_without_scripts_the_form_saves_settings(house: House, another: Callable[..., Page]) -> None:
    """One button saves the form; settings that need JavaScript are absent."""
    page = another(f"{house.watched}settings", java_script_enabled=False, color_scheme="light")
    light = ground(page)
    expect(page.locator("[data-try]")).to_be_hidden()
    page.locator("input[name=theme][value=dark]").check()
    with page.expect_event("domcontentloaded"):
        page.locator("noscript button, form button.main").first.click()

    assert ground(page) != light
    expect(page.locator("input[name=theme][value=dark]")).to_be_checked()


def test_motion_can_be_switched_off(phone: Page, house: House) -> None:
    """Animations are off, whatever the system's setting."""
    phone.goto(f"{house.watched}settings")
    phone.locator("input[name=motion][value=less]").check()
    phone.goto(house.watched)
    phone.evaluate(TURNING)

    assert phone.evaluate("getComputedStyle(document.querySelector('h1')).animationName") == "none"


@pytest.fixture
def bilingual(tmp_path: Path) -> Iterator[House]:
    """A table with a second language, made for tests."""
    house = House(tmp_path, offered={"en": ENGLISH, PSEUDO.code: PSEUDO})
    yield house
    house.stop()


def test_the_language_can_be_chosen(bilingual: House, another: Callable[..., Page]) -> None:
    """The page changes language at once, as do all screens, until the choice returns to the browser's language."""
    page = another(f"{bilingual.watched}settings")
    page.locator(f"input[name=lang][value={PSEUDO.code}]").check()
    expect(page.locator("html")).to_have_attribute("lang", PSEUDO.code)
    page.locator("a.back").click()
    page.wait_for_url(bilingual.watched)
    expect(page.locator("html")).to_have_attribute("lang", PSEUDO.code)
    page.goto(f"{bilingual.watched}settings")
    page.locator("input[name=lang][value='']").check()

    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_options_apply_to_everyone_at_once(phone: Page, house: House, another: Callable[..., Page]) -> None:
    """Each tap is sent to the table at once; watchers see the options and cannot change them.

    What the table does not take is shown as it was, with the reason, until the next tap. Who is always asked is not
    offered to play forced moves at once.
    """
    phone.goto(f"{house.watched}settings")
    for name in ("auto_throw", "auto_move", "draw"):
        before = getattr(house.referee.state().options, name)
        with phone.expect_response("**/api/options"):
            phone.locator(f"[data-option={name}]").set_checked(not before)
        assert getattr(house.referee.state().options, name) is not before
    with phone.expect_response("**/api/options"):
        phone.locator("[data-option=begins]").select_option("loser")
    for when, shown in (("after", (True, True)), ("never", (False, False)), ("before", (True, False))):
        with phone.expect_response("**/api/options"):
            phone.locator("[data-option=advice]").select_option(when)
        options = house.referee.state().options
        assert (options.advice, options.advice_after) == shown
    ask, advice = (phone.locator(f"[data-option={name}]") for name in ("ask", "advice"))
    phone.route("**/api/options", lambda route: route.abort())
    ask.click()
    expect(phone.get_by_role("alert")).to_have_text("The table is not answering.")
    expect(ask).not_to_be_checked()
    advice.select_option("never")
    expect(advice).to_have_value("before")
    phone.unroute("**/api/options")
    ask.click()
    expect(phone.get_by_role("alert")).to_be_hidden()
    expect(ask).to_be_checked()
    expect(phone.locator("[data-option=auto_move]")).to_be_hidden()
    watching = another(f"{house.watched}settings")

    assert house.referee.state().options.begins is Begins.LOSER
    expect(watching.locator("[data-option=begins]")).to_be_disabled()
    expect(watching.locator("[data-option=begins]")).to_have_value("loser")


def test_sounds_come_after_the_first_tap_and_calls_when_wanted(page: Page, house: House) -> None:
    """An untouched page is silent. One tap on the throw's picture mutes the phone permanently."""
    page.add_init_script(f"({HEARD})()")
    page.goto(house.address)
    sounded(page, house, house.begin)
    untouched = (page.evaluate("said"), page.evaluate("knocks"))
    page.locator("h1").click()
    sounded(page, house, lambda: house.see(2))
    page.wait_for_function(f"() => knocks === {THROWN + 2}")
    page.get_by_role("button", name="Turn the sound off").click()
    sounded(page, house, lambda: house.referee.submit(ThrowEntered(2)))
    silenced = (page.evaluate("said"), page.evaluate("knocks"))
    page.goto(f"{house.watched}settings")
    expect(page.locator("[data-like=sound]")).not_to_be_checked()
    page.locator("[data-like=calls]").check()
    page.wait_for_function("() => said.length === 1")
    tried = page.evaluate("said")
    page.goto(house.watched)
    page.locator("h1").click()
    house.referee.submit(Undone())
    sounded(page, house, lambda: house.referee.submit(ThrowEntered(3)))
    page.wait_for_function("() => said.length > 0")
    started = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
    sounded(page, house, lambda: house.referee.submit(started))
    page.wait_for_function("() => said.at(-1)[0].includes('Ana')")

    assert untouched == ([], 0)
    assert silenced == ([], THROWN + 2)
    assert tried == [["3. Jade to move.", "en-US"]]
    assert ["3. Mia to move.", "en-US"] in page.evaluate("said")


def sounded(page: Page, house: House, happen: Callable[[], object]) -> None:
    """Trigger an event, and wait until the page shows it."""
    page.wait_for_function("() => document.body.dataset.number !== undefined")
    happen()
    page.wait_for_function(
        "number => Number(document.body.dataset.number) >= number", arg=house.referee.snapshot().number
    )


def test_a_choice_stands_off_the_one_above(house: House, another: Callable[..., Page]) -> None:
    """The words of the second list belong to it, not to the first."""
    page = another(f"{house.watched}settings")
    first, second = page.locator("[data-liked] label:has(select)").all()
    above, below = box_of(first), box_of(second)

    assert below["y"] - above["y"] - above["height"] >= 8

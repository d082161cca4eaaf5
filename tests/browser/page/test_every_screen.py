"""Every screen in every state of the table: three sizes, both themes and languages, keyboard, no JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from companion.rules.variants import VARIANTS
from tests.browser.checks import said
from tests.browser.conftest import House
from tests.browser.screen_states import STATES, TABLE, furnish
from tests.browser.visitor import Visitor, unfit, wrong
from tests.i18n.pseudo import PSEUDO

pytestmark = pytest.mark.browser

LANGUAGES = {"en": wrong, "es": unfit}
"""What is examined in each: in another language only the length of the texts differs."""
LETTER = re.compile("[A-Za-z]")
NAMES = re.compile("|".join(["Puluc", "Mia", "Ben", *(re.escape(one.source) for one in VARIANTS.values())]))
"""Texts that are never translated: the companion's name, player names of the first game, and sources of games."""
HELD_ACROSS = {"width": 640, "height": 360}
TOO_LARGE = """() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  const foot = document.querySelector("footer").getBoundingClientRect().top;
  const under = [...document.querySelectorAll("[data-space], [data-turn-panel] > *")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > foot + 1);
  return [scrollWidth - innerWidth, scrollHeight - innerHeight, under.map((one) => one.outerHTML.slice(0, 80))];
}"""
"""Returns by how many pixels the table is too wide and too high, and the elements hidden under its footer."""
LEAST_TEXT = 40
"""Minimum number of letters on a screen that is not empty."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One table for all visits, with content on every screen."""
    house = House(tmp_path_factory.mktemp("house"))
    furnish(house)
    yield house
    house.stop()


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Callable[..., Visitor]]:
    made: list[Visitor] = []

    def make(house: House, **kind: object) -> Visitor:
        made.append(Visitor(browser, house.address, **kind))
        return made[-1]

    yield make
    for one in made:
        one.context.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_the_table(
    house: House, visitor: Callable[..., Visitor], state: Callable[[House], None], language: str
) -> None:
    """In every state it is accessible, fits every screen, and logs no errors."""
    state(house)
    faults = visitor(house, locale=language).examine(LANGUAGES[language], TABLE)

    assert not faults, "\n".join(faults)


def test_a_phone_held_across_shows_the_whole_table(house: House, visitor: Callable[..., Visitor]) -> None:
    """In no state does it scroll, and nothing is hidden under the buttons at the bottom."""
    one = visitor(house, locale="es", viewport=HELD_ACROSS)
    faults = {}
    for state in STATES:
        state(house)
        page = one.see(TABLE)
        page.locator("[data-touch]:enabled").wait_for()
        if (found := page.evaluate(TOO_LARGE)) != [0, 0, []]:
            faults[state.__name__] = found

    assert not faults


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_other_screen(house: House, visitor: Callable[..., Visitor], language: str) -> None:
    """Each is accessible, fits every screen, and logs no errors."""
    one = visitor(house, locale=language)
    faults = one.examine(LANGUAGES[language], *one.screens())

    assert not faults, "\n".join(faults)


def test_every_screen_is_readable_without_scripts(house: House, visitor: Callable[..., Visitor]) -> None:
    """Each screen shows a heading and text, and has a link or menu."""
    one = visitor(house, java_script_enabled=False)
    dumb = []
    for visit in (visit for visit in [TABLE, *one.screens()] if not visit.taps):
        page = one.see(visit)
        heading, text = (page.locator(place).first.inner_text().strip() for place in ("h1", "body"))
        links = page.locator("a[href]:visible, summary:visible").count()
        if not heading or len(text) < LEAST_TEXT or not links:
            dumb.append(f"{visit.path}: {heading!r}, {len(text)} letters, {links} ways on")

    assert not dumb, "\n".join(dumb)
    assert one.noise == []


def test_no_text_is_left_untranslated(tmp_path: Path, visitor: Callable[..., Visitor]) -> None:
    """With a catalogue without Latin letters, no Latin letter is seen or read out on any screen or in any state."""
    house = House(tmp_path, offered={PSEUDO.code: PSEUDO})
    furnish(house)
    one = visitor(house, locale=PSEUDO.code)
    found = {visit.path: said(one.see(visit)) for visit in one.screens()}
    for state in STATES:
        state(house)
        found[f"/ {state.__name__}"] = said(one.see(TABLE))
    house.stop()
    english = {
        where: left
        for where, texts in found.items()
        if (left := [text for text in texts if LETTER.search(NAMES.sub("", text))])
    }

    assert not english, "\n".join(f"{where}: {texts}" for where, texts in english.items())

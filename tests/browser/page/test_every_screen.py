"""Every screen in every state of the table: three sizes, both themes and languages, keyboard, no JavaScript."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from companion.i18n import languages
from companion.rules.variants import VARIANTS
from tests.browser.checks import said
from tests.browser.conftest import House
from tests.browser.screen_states import STATES, TABLE, furnish
from tests.browser.visitor import PHONE, Visitor, unfit, wrong
from tests.i18n.pseudo import PSEUDO

pytestmark = pytest.mark.browser

LETTER = re.compile("[A-Za-z]")
NAMES = re.compile(
    "|".join(["Puluc", "Mia", "Ben", "English", "Español", *(re.escape(one.source) for one in VARIANTS.values())])
)
"""Texts that are never translated: the companion's name, players of the first game, languages, sources of games."""
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


def untranslated(page: Page) -> Iterator[str]:
    """The texts with a Latin letter; the catalogue it is read with has none."""
    yield from (text for text in said(page) if LETTER.search(NAMES.sub("", text)))


def unseen(page: Page) -> Iterator[str]:
    """The faults of a table opened on a phone held across, which shows it whole, and of its fit on other screens."""
    page.locator("[data-touch]:not([aria-disabled])").wait_for()
    if (found := page.evaluate(TOO_LARGE)) != [0, 0, []]:
        yield f"held across: {found}"
    yield from unfit(page)


LANGUAGES = {"en": wrong, "es": unfit, PSEUDO.code: untranslated}
"""What is examined in each: in another language only the length of the texts differs."""
TABLE_LANGUAGES = {"en": (wrong, PHONE), "es": (unseen, HELD_ACROSS), PSEUDO.code: (untranslated, PHONE)}
"""The same for the table, and on which phone it is opened."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One table for all visits, with content on every screen."""
    house = House(tmp_path_factory.mktemp("house"), offered={**languages(), PSEUDO.code: PSEUDO})
    furnish(house)
    yield house
    house.stop()


@pytest.fixture(scope="module")
def visitor(browser: Browser, house: House) -> Iterator[Callable[..., Visitor]]:
    """A phone of that kind, the same for all tests."""
    met: dict[str, Visitor] = {}

    def meet(**kind: Any) -> Visitor:
        if str(kind) not in met:
            met[str(kind)] = Visitor(browser, house.address, **kind)
        return met[str(kind)]

    yield meet
    for one in met.values():
        one.context.close()


@pytest.mark.parametrize("language", TABLE_LANGUAGES)
@pytest.mark.parametrize("state", STATES)
def test_the_table(
    house: House, visitor: Callable[..., Visitor], state: Callable[[House], None], language: str
) -> None:
    """In every state it is accessible, fits every screen, logs no errors, and is translated."""
    state(house)
    check, viewport = TABLE_LANGUAGES[language]
    faults = visitor(locale=language, viewport=viewport).examine(check, TABLE)

    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_other_screen(visitor: Callable[..., Visitor], language: str) -> None:
    """Each is accessible, fits every screen, logs no errors, has a way back in view, and is translated."""
    one = visitor(locale=language, viewport=PHONE)
    faults = one.examine(LANGUAGES[language], *one.screens())

    assert not faults, "\n".join(faults)


def test_every_screen_is_readable_without_scripts(visitor: Callable[..., Visitor]) -> None:
    """Each screen shows a heading and text, and has a link or menu."""
    one = visitor(java_script_enabled=False)
    dumb = []
    for visit in (visit for visit in [TABLE, *one.screens()] if not visit.taps):
        page = one.see(visit)
        heading, text = (page.locator(place).first.inner_text().strip() for place in ("h1", "body"))
        links = page.locator("a[href]:visible, summary:visible").count()
        if not heading or len(text) < LEAST_TEXT or not links:
            dumb.append(f"{visit.path}: {heading!r}, {len(text)} letters, {links} ways on")

    assert not dumb, "\n".join(dumb)
    assert one.noise == []

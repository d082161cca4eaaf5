"""Teaching the camera on the phone, from the table page and back, against the whole companion."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.checks import faint
from tests.browser.conftest import SMALL
from tests.service.companion_process import running_companion

pytestmark = pytest.mark.browser


def fits(phone: Page) -> None:
    """Check that nothing scrolls, buttons are large enough for a thumb, and contrast suffices in both themes."""
    size = phone.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    assert size == [SMALL["width"], SMALL["height"]]
    small = phone.locator("button:visible, a:visible, input:visible").evaluate_all(
        "all => all.filter(one => one.offsetHeight < 44 || one.offsetWidth < 44).map(one => one.outerHTML)"
    )
    assert small == []
    for scheme in ("dark", "light"):
        phone.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert faint(phone) == []


def ready(phone: Page, words: str | re.Pattern[str]) -> None:
    """Check that the main button has this label and can be tapped."""
    expect(phone.locator("[data-wish=main]")).to_have_text(words)
    expect(phone.locator("[data-wish=main]")).to_have_attribute("aria-disabled", "false")


def test_a_few_taps_teach_the_camera(page: Page, tmp_path: Path) -> None:
    """Two taps lead to it, each step takes one, the keyboard is enough, and one tap leads back to the unchanged game.

    The tray is shown as soon as there is a picture of it, which nobody asks for before. A second phone shows the same
    step; after a misread throw the players may go on or start again.
    """
    page.set_viewport_size({"width": SMALL["width"], "height": SMALL["height"]})
    main, other, title = (page.locator(f"[data-{name}]") for name in ("wish=main", "wish=other", "title"))
    outlines = page.locator("[data-drawn] .lot")
    with running_companion(tmp_path) as companion:
        page.goto(companion.address, wait_until="domcontentloaded")
        page.locator("[data-menu] summary").click()
        page.locator("[data-menu] a[href='/calibrate']").click()
        ready(page, "Start")
        fits(page)
        early: list[str] = []
        page.on("response", lambda answer: early.append(answer.url) if answer.status == 404 else None)
        main.click()
        ready(page, "It's empty")
        expect(page.locator("[data-live]")).to_have_js_property("complete", True)
        assert early == []
        fits(page)
        main.press("Enter")
        ready(page, "All four are marked side up")
        expect(outlines).to_have_count(4)
        fits(page)
        second = page.context.new_page()
        second.goto(f"http://127.0.0.1:{companion.port}/calibrate")
        expect(second.locator("[data-title]")).to_have_text("All four, marked side up")
        main.press("Enter")
        ready(second, "All four are plain side up")
        second.close()
        ready(page, "All four are plain side up")
        expect(main).to_be_focused()
        expect(outlines).to_have_count(4)
        main.press("Enter")
        for throw in range(3):
            expect(title).to_have_text(f"Test throw {throw + 1} of 3")
            ready(page, re.compile("Right|Look now"))
            while main.text_content() != "Right":
                # The reader refuses sticks that touch; so they are thrown again.
                main.click()
                expect(main).to_have_text("One moment…")
                ready(page, re.compile("Right|Look now"))
            expect(outlines).to_have_count(4)
            expect(page.locator("[data-sentence]")).to_have_text("Check my count: a number is marked, a dash is plain.")
            assert set(outlines.locator("text").all_text_contents()) <= {"1", "2", "3", "4", "–"}  # noqa: RUF001 - as shown
            fits(page)
            (other if throw == 1 else main).click()
        expect(title).to_have_text("Only 2 of 3 right")
        ready(page, "Start again")
        fits(page)
        other.click()
        expect(title).to_have_text("Done. I know your sticks.")
        ready(page, "Back to the table")
        sides = page.locator("[data-sides] img")
        expect(sides).to_have_count(2)
        for side in sides.all():
            expect(side).to_have_js_property("naturalWidth", 4 * 80, timeout=20_000)
        fits(page)
        main.click()
        expect(page.locator("[data-prompt]")).to_be_visible()
        expect(page.locator("[data-camera]")).to_be_empty()

"""Animations on the page: lots light up one by one and units hop, unless reduced motion is set."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import CameraChanged, CameraState, Confirmed, MoveChosen, ThrowEntered, Undone
from tests.browser.conftest import SMALL, House, box_of

pytestmark = pytest.mark.browser

NOTED = """() => {
  window.flown = 0;
  window.lit = [];
  window.said = [];
  window.early = [];
  const picture = document.querySelector("[data-throw-picture]");
  const prompt = document.querySelector("[data-prompt]");
  new MutationObserver((changes) => {
    for (const { addedNodes, target } of changes) {
      for (const one of addedNodes) if (one.classList?.contains("flight") && !one.dataset.seen) {
        one.dataset.seen = "yes";
        window.flown += 1;
      }
      if (target === picture && picture.dataset.lighting) {
        window.lit.push(Number(picture.dataset.lighting));
        for (const one of document.querySelectorAll("[data-thrown] :is(.figure, .figure + span)")) {
          if (one.checkVisibility({ visibilityProperty: true })) window.early.push(one.textContent);
        }
      }
      if (target === prompt) window.said.push(prompt.textContent);
    }
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-lighting"] });
}"""
"""Records each moving unit, each lit lot, each headline, and what is said of the count before the last lot is lit."""
READING = CameraChanged(state=CameraState.WATCHING, reading=True)
LANDING = (
    (READING, "They have landed. Reading…"),
    (CameraChanged(state=CameraState.WATCHING), "Mia (Jade) to throw."),
    (CameraChanged(state=CameraState.MOVING), "Mia (Jade) is throwing…"),
    (READING, "They have landed. Reading…"),
)
"""What the headline says while the camera looks at a tray that was emptied, and then reads a throw."""
BADGES = """() => [...document.querySelectorAll(".throw-picture .badge")].map((one) => {
  const { x, y, width } = one.getBoundingClientRect();
  return [x + width / 2, y + width / 2, width];
})"""


def begin(house: House, page: Page) -> None:
    house.begin()
    expect(page.locator("body")).to_have_attribute("data-phase", "throw")
    page.evaluate(NOTED)


def test_lots_are_lit_one_by_one_and_counted(house: House, another: Callable[..., Page]) -> None:
    """Each marked lot shows its number, so that the last number is the count; no badges overlap.

    That the sticks have landed is said at once, and only while they are read; the headline, the number and the word
    beside it tell their count after the last is lit, and an undo lights none again. The live picture is loaded no more
    often than it is due. In an upright frame the picture lies turned, so that it fills it.
    """
    page = another(house.address, viewport=SMALL)
    begin(house, page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for change, prompt in LANDING:
        house.referee.submit(change)
        expect(page.locator("[data-prompt]")).to_have_text(prompt)
    expect(page.locator("[data-main]")).to_have_text("Reading the throw…")
    assert 1 <= sum("/api/camera/picture" in url for url in asked) <= 2
    house.see(3)
    page.wait_for_function("() => lit.includes(4) && !document.querySelector('[data-lighting]')")
    expect(page.locator("[data-thrown]")).to_have_text("3 marked")
    assert page.evaluate("early") == []
    expect(page.locator(".lot text")).to_have_text(["1", "2", "3", "–"])  # noqa: RUF001 - as shown
    badges = page.evaluate(BADGES)
    apart = [
        ((x - other_x) ** 2 + (y - other_y) ** 2) ** 0.5 - (width + other_width) / 2
        for at, (x, y, width) in enumerate(badges)
        for other_x, other_y, other_width in badges[:at]
    ]

    frame = box_of(page.locator("[data-throw-picture] .frame"))

    assert page.locator("[data-throw-picture] image").get_attribute("transform") == "translate(96) rotate(90)"
    assert frame["height"] > frame["width"]
    assert page.evaluate("said") == [
        *(prompt for _, prompt in LANDING),
        "Counting…",
        "Mia (Jade) threw 3 marked. Is that right?",
    ]
    assert page.evaluate("lit") == sorted(page.evaluate("lit"))
    assert len(apart) == 6
    assert min(apart) >= 0
    lit = page.evaluate("lit.length")
    for event in (Confirmed(), MoveChosen(None, 3), ThrowEntered(1)):
        house.referee.submit(event)
    expect(page.locator("[data-throw-picture] .stick")).to_have_count(4)
    for undone in (Undone(), Undone()):
        house.referee.submit(undone)
    expect(page.locator("[data-main]")).to_have_text("Enter on 3")

    assert page.evaluate("lit.length") == lit


def test_a_unit_hops_to_where_it_goes(house: House, another: Callable[..., Page]) -> None:
    """It lands there with its captives beneath it; undoing a move has no animation.

    Spaces that it does not change are not drawn again, which would hold up the animation of a slow phone.
    """
    page = another(house.address, viewport=SMALL)
    begin(house, page)
    page.evaluate("document.querySelector('[data-space=\"9\"]').untouched = true")
    moves = ((2, None, 2), (0, None, 5), (3, 2, 5))
    for flown, (marked, start, end) in enumerate(moves, 1):
        house.referee.submit(ThrowEntered(marked))
        expect(page.locator("body")).to_have_attribute("data-phase", "move")
        expect(page.locator("[data-throw-picture] .stick.marked")).to_have_count(marked)
        house.referee.submit(MoveChosen(start, end))
        page.wait_for_function(f"() => flown >= {flown} && !document.querySelector('.flight')")
    expect(page.locator("[data-space='5'] .pieces > *:nth-child(1)")).to_have_class("piece captive obsidian")
    expect(page.locator("[data-space='5'] .pieces > *:nth-child(2)")).to_have_class("piece jade")
    expect(page.locator(".arriving")).to_have_count(0)
    before = page.evaluate("flown")
    house.referee.submit(Undone())
    expect(page.locator("[data-space='2'] .piece.jade")).to_have_count(1)

    assert page.evaluate("flown") == before
    assert page.evaluate("document.querySelector('[data-space=\"9\"]').untouched")


def test_the_next_move_waits_until_a_unit_has_landed(house: House, another: Callable[..., Page]) -> None:
    """Its arrow appears afterwards, however quickly the computer answers."""
    page = another(house.address, viewport=SMALL)
    begin(house, page)
    house.referee.submit(ThrowEntered(4))
    expect(page.locator("body")).to_have_attribute("data-phase", "move")
    house.referee.submit(MoveChosen(None, 4))
    house.referee.submit(ThrowEntered(1))
    page.wait_for_function(
        """() => {
          const arrow = document.querySelector(".flights:not(:empty) ~ .arrow");
          return arrow && getComputedStyle(arrow).opacity === "0";
        }"""
    )

    expect(page.locator(".arrow")).to_have_css("opacity", "1")


def test_captives_that_come_home_have_layers_of_their_own(house: House, another: Callable[..., Page]) -> None:
    """And the base, from the start of the way on, so that the landing lays nothing out on a slow phone."""
    page = another(house.address, viewport=SMALL)
    begin(house, page)
    for marked, start, end in ((2, None, 2), (0, None, 5), (3, 2, 5), (1, None, 9)):
        house.referee.submit(ThrowEntered(marked))
        house.referee.submit(MoveChosen(start, end))
    house.referee.submit(ThrowEntered(0))
    expect(page.locator("body")).to_have_attribute("data-phase", "move")
    page.locator("[data-space='5'] .captive").wait_for()
    house.referee.submit(MoveChosen(5, None))
    page.locator(".flight .captive.lands").wait_for(state="attached")

    expect(page.locator(".base.obsidian.lands")).to_have_css("will-change", "transform")
    expect(page.locator(".lands")).to_have_count(0)
    expect(page.locator(".flight")).to_have_count(0)


def test_reduced_motion_switches_animations_off(house: House, another: Callable[..., Page]) -> None:
    """The count and the unit appear at once, and a number counts the seconds down."""
    page = another(house.address, viewport=SMALL, reduced_motion="reduce")
    begin(house, page)
    house.see(2)
    expect(page.locator("[data-thrown] .figure")).to_have_text("2")
    house.after(0)
    expect(page.locator("[data-main]")).to_have_text("Right2")
    house.referee.submit(ThrowEntered(2))
    expect(page.locator("body")).to_have_attribute("data-phase", "move")
    house.referee.submit(MoveChosen(None, 2))
    expect(page.locator("[data-space='2'] .piece.jade")).to_have_count(1)

    assert (page.evaluate("flown"), page.evaluate("lit")) == (0, [])

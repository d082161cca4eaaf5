"""The link between phone and table is fast, reports failures, and recovers without a tap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.referee.events import ThrowEntered
from tests.browser.conftest import CODE, House, tap

pytestmark = pytest.mark.browser


def test_two_phones_see_a_move(phone: Page, house: House, another: Callable[..., Page]) -> None:
    """A move on one phone appears on the other."""
    house.begin()
    house.referee.submit(ThrowEntered(2))
    other = another(house.address)
    expect(other.locator("[data-action=confirm]")).to_be_visible()

    phone.click("[data-action=confirm]")

    expect(other.locator("[data-space='2'] .piece.jade")).to_be_visible()
    expect(other.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")


def test_a_broken_link_is_reported_and_recovers(phone: Page, house: House) -> None:
    """A banner appears when the table's companion stops; when it is back, the banner goes and the game continues."""
    phone.click("[data-count='3']")
    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")

    house.stop()
    expect(phone.locator("[data-lost]")).to_be_visible()
    house.start()
    expect(phone.locator("[data-lost]")).to_be_hidden()

    phone.click("[data-count='1']")
    expect(phone.locator("[data-prompt]")).to_contain_text("Mia (Jade) to throw.")


def test_every_page_reconnects_automatically(phone: Page, house: House, another: Callable[..., Page]) -> None:
    """After a power cut, players, watchers and the projector reconnect without a tap and keep their rights."""
    pages = [phone, another(house.address), another(house.watched), another(f"{house.watched}board")]
    house.stop()
    for page in pages:
        expect(page.locator("[data-lost]")).to_be_visible()
    house.start()
    house.referee.submit(ThrowEntered(3))

    for page in pages:
        expect(page.locator("[data-lost]")).to_be_hidden()
        expect(page.locator("body")).to_contain_text("Ben (Obsidian)")
    pages[1].click("[data-count='1']")
    for page in pages:
        expect(page.locator("body")).to_contain_text("Mia (Jade) to throw.")


def test_a_phone_joins_with_the_typed_code(house: House, another: Callable[..., Page]) -> None:
    """From the table's page to the code and back to the game, by taps alone and without scripts."""
    for scripts in (True, False):
        page = another(house.watched, java_script_enabled=scripts)
        page.get_by_role("link", name="To play, type the table's code.").click()
        page.get_by_label("What is the table's code?").fill("Maize 8")
        page.get_by_role("button", name="Play").click()
        expect(page.get_by_role("alert").last).to_contain_text("That is not this table's code.")
        page.get_by_label("What is the table's code?").fill("Maize 7")
        page.get_by_role("button", name="Play").click()
        expect(page).to_have_url(house.watched)
        expect(page.locator("body")).to_have_attribute("data-play", "yes")


def test_the_host_sees_its_role_and_can_transfer_it(phone: Page, house: House, another: Callable[..., Page]) -> None:
    """Each phone sees its role on the invitation page; a change by one appears on the others without a tap.

    After a new code, the other phones know that they only watch.
    """
    other = another(house.address)
    phone.goto(f"{house.watched}join")
    expect(phone.locator("main")).to_contain_text("This phone is the host.")
    phone.get_by_role("button", name="Hand over the host role").click()
    expect(phone.get_by_role("button", name="Become the host")).to_be_visible()
    other.goto(f"{house.watched}join")
    other.get_by_role("button", name="Become the host").click()

    expect(other.locator("main")).to_contain_text("This phone is the host.")
    expect(phone.locator("main")).not_to_contain_text("This phone is the host.")
    phone.goto(house.watched)
    expect(phone.locator("body")).to_have_attribute("data-play", "yes")
    phone.locator("[data-count]").first.wait_for()
    other.get_by_role("button", name="New code").click()
    other.locator("dialog .main").click()
    expect(phone.locator("body")).to_have_attribute("data-play", "no")
    expect(other.locator("main")).to_contain_text("Playing: 1. Watching: 1.")


def test_the_qr_code_lets_phones_join(tmp_path: Path, another: Callable[..., Page]) -> None:
    """The QR code contains the address in the local network with the code; it is readable in the dark theme as well."""
    house = House(tmp_path, served_on="192.0.2.9")
    port = house.watched.rpartition(":")[2].rstrip("/")
    read = []
    try:
        for colours in ("light", "dark"):
            page = another(house.address, color_scheme=colours)
            page.goto(f"{house.watched}join")
            seen = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
            assert seen is not None
            # Each decoder occasionally misses a sharp picture that the other reads.
            detectors = (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco())
            read.append(next(filter(None, (way.detectAndDecode(seen)[0] for way in detectors)), ""))
    finally:
        house.stop()

    assert read == [f"http://192.0.2.9:{port}/?code={CODE}"] * 2


def test_a_tap_on_a_broken_link_reports_the_failure(phone: Page, house: House) -> None:
    """A tap that does not reach the table says so instead of seeming to work."""
    expect(phone.locator("[data-count]")).to_have_count(5)
    phone.route("**/api/throw", lambda route: route.abort())
    phone.click("[data-count='3']")

    expect(phone.get_by_role("alert")).to_contain_text("The table is not answering.")
    assert not house.referee.snapshot().undo


def test_a_phone_without_a_stream_polls(phone: Page, house: House) -> None:
    """If no stream is available, the page polls every two seconds and shows no banner."""
    house.stop()
    house.start(streams=0)
    expect(phone.locator("[data-lost]")).to_be_hidden()
    phone.reload(wait_until="domcontentloaded")
    expect(phone.locator("[data-count]")).to_have_count(5)
    house.referee.submit(ThrowEntered(3))

    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")
    expect(phone.locator("[data-lost]")).to_be_hidden()


def test_a_hidden_page_disconnects_and_catches_up(phone: Page, house: House) -> None:
    """A hidden page closes its stream; shown again, it has the newest table at once."""
    expect(phone.locator("[data-count]")).to_have_count(5)
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    phone.evaluate(hide, True)
    house.referee.submit(ThrowEntered(3))
    phone.wait_for_timeout(300)
    expect(phone.locator("[data-prompt]")).to_contain_text("Mia (Jade)")

    phone.evaluate(hide, False)

    expect(phone.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")


def test_a_normal_session_logs_no_errors(page: Page, house: House) -> None:
    """A session with a picture logs no errors and contacts no other host."""
    complaints: list[str] = []
    asked: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(house.address)
    tap(page, "[data-count='3']")
    expect(page.locator("[data-prompt]")).to_contain_text("Ben (Obsidian)")
    tap(page, "[data-count='1']")
    expect(page.locator("[data-prompt]")).to_contain_text("Mia (Jade) to throw.")
    house.see(2)
    expect(page.locator("[data-throw-picture] image, [data-throw-picture] img")).to_be_visible()
    page.click("[data-action=confirm]")
    expect(page.locator("body")).to_have_attribute("data-phase", "move")
    page.click("[data-action=confirm]")
    expect(page.locator("[data-prompt]")).to_contain_text("Ben (Obsidian) to throw.")

    assert not complaints
    assert all(address.startswith(house.watched) for address in asked)
    assert any("/pictures/" in address for address in asked)

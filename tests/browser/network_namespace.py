"""Visit a whole companion at an address that is not loopback. Run by test_network_namespace.py.

Needs a network of its own:
``unshare --map-root-user --net python -m tests.browser.network_namespace FOLDER CHROMIUM``.
Prints its findings as one JSON object.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import click
from playwright.sync_api import sync_playwright

from tests.browser.chromium import LAUNCH_OPTIONS
from tests.browser.conftest import House
from tests.browser.screen_states import TABLE, furnish
from tests.browser.visitor import Visitor
from tests.service.companion_process import running_companion

HERE = "192.168.77.1"
CABLE = (
    "link set lo up",
    "link add name table0 type veth peer name phone0",
    f"addr add {HERE}/24 dev table0",
    "link set table0 up",
    "link set phone0 up",
    "route add default dev table0",
)
"""Arguments of ``ip``: an interface with that address, and the other end of its cable."""
OPTIONS = ("--host", "0.0.0.0", "--camera", "simulated", "--buttons", "mock")  # noqa: S104 - the address under test


def main(folder: str, chromium: str) -> None:
    for words in CABLE:
        subprocess.run(["ip", *words.split()], check=True)  # noqa: S607 - found on the PATH
    before = House(Path(folder))
    furnish(before)
    before.stop()
    with sync_playwright() as playwright, running_companion(Path(folder), *OPTIONS) as companion:
        browser = playwright.chromium.launch(executable_path=chromium, args=LAUNCH_OPTIONS)
        phone = Visitor(browser, companion.address)
        shows, secure = {}, []
        for visit in [TABLE, *phone.screens()]:
            page = phone.see(visit)
            shows[visit.path] = page.locator("h1").first.inner_text()
            if page.evaluate("isSecureContext"):
                secure.append(visit.path)
        phone.see(TABLE)
        phone.page.locator("[data-main]").wait_for()
        playing = phone.page.locator("body").get_attribute("data-play")
        browser.close()
    click.echo(
        json.dumps(
            {"address": companion.address, "shows": shows, "secure": secure, "playing": playing, "noise": phone.noise}
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

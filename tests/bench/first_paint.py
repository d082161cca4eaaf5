"""Measure the first view of the table: ``python -m tests.bench.first_paint ADDRESS``.

Prints the bytes over the wire, by file, and the first contentful paint with Chromium's setting "Slow 4G" and a
processor slowed four times, as the median of several visits with an empty cache. ``puluc play`` prints ADDRESS.
"""

from __future__ import annotations

import sys
from statistics import median

import click
from playwright.sync_api import sync_playwright

from tests.browser.chromium import LAUNCH_OPTIONS, chromium_path
from tests.browser.first_visit import visit

VISITS = 5


def main(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_OPTIONS)
        heavy = visit(browser, address, slow=False).bytes
        for url, size in heavy.items():
            click.echo(f"{size:8,d}  {url}")
        click.echo(f"{sum(heavy.values()):8,d}  in all")
        paints = sorted(visit(browser, address, slow=True).paint for _ in range(VISITS))
        listed = ", ".join(f"{paint:.0f}" for paint in paints)
        click.echo(f"first contentful paint, slow 4G and a slow processor: median {median(paints):.0f} ms of {listed}")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1])

"""Measure how soon a throw before a phone is counted: ``python -m tests.bench.phone_delay [--clip v1] [--throws 5]``.

A browser plays a clip for its camera and sends its pictures over HTTPS. The time runs from the last video frame that
differs from the one before it to the count at the table, and until the phone's page shows it. The browser and the table
share the processor, so the load says how much of it was theirs.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Playwright, expect, sync_playwright

from tests.browser.chromium import chromium_path
from tests.browser.screens.test_phone_camera import (
    PhoneTable,
    PlayedClip,
    be_the_camera,
    drawn_clip,
    playing,
    rendered_clip,
)

WATCH = """() => {
    const video = document.querySelector("video"), told = document.querySelector("[data-table]");
    const canvas = Object.assign(document.createElement("canvas"), { width: 32, height: 24 });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    const now = () => (performance.timeOrigin + performance.now()) / 1000;
    const seen = (window.seen = { moved: [], told: [] });
    let last = null;
    const compare = () => {
        pen.drawImage(video, 0, 0, 32, 24);
        const { data } = pen.getImageData(0, 0, 32, 24);
        if (last?.some((level, at) => Math.abs(level - data[at]) > 12)) seen.moved.push(now());
        last = data;
        video.requestVideoFrameCallback(compare);
    };
    video.requestVideoFrameCallback(compare);
    new MutationObserver(() => seen.told.push([now(), told.textContent])).observe(told, { childList: true });
}"""
"""Notes when the video changes by more than noise, and what the page says."""


def measure(playwright: Playwright, folder: Path, played: PlayedClip) -> tuple[float, float]:
    """Return the seconds from rest to the count, and until the phone's page shows it."""
    played.reader.prepare()
    table = PhoneTable(folder, played)
    browser = playwright.chromium.launch(executable_path=chromium_path(), args=playing(played.file))
    try:
        page = browser.new_context(ignore_https_errors=True).new_page()
        be_the_camera(page, table)
        page.evaluate(WATCH)
        counted = f"{played.marked} marked"
        expect(page.locator("[data-table]")).to_contain_text(counted, timeout=60_000)
        seen, since = page.evaluate("window.seen"), time.time() - time.monotonic()
        count = table.seen[0][0] + since
        rest = max(at for at in seen["moved"] if at < count)
        return count - rest, next(at for at, text in seen["told"] if counted in text) - rest
    finally:
        browser.close()
        table.close()


def main() -> None:
    """Play, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clip", default="drawn", help="a labelled clip; without it, one is drawn")
    parser.add_argument("--throws", type=int, default=5)
    chosen = parser.parse_args()
    took = []
    with sync_playwright() as playwright:
        for _ in range(chosen.throws):
            with TemporaryDirectory() as place:
                folder = Path(place)
                clip = drawn_clip(folder) if chosen.clip == "drawn" else rendered_clip(folder, chosen.clip)
                took.append(measure(playwright, folder, clip))
            count, shown = took[-1]
            print(f"counted {count:.2f} s after rest, shown after {shown:.2f} s; load {os.getloadavg()[0]:.1f}")
    counts, shows = zip(*took, strict=True)
    print(f"median: counted after {statistics.median(counts):.2f} s, shown after {statistics.median(shows):.2f} s")


if __name__ == "__main__":
    main()

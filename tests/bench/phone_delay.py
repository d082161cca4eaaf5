"""Measure how soon a throw before a phone is counted: ``python -m tests.bench.phone_delay [--clip v1] [--throws 5]``.

A browser plays a clip for its camera and sends its pictures over HTTPS. The time runs from the last video frame that
differs from the one before it to the count at the table, and until the phone's page shows it. Browser, table and all
else that runs share the processor, so the reader's wait for it and the time that a hypervisor took are given as well.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from playwright.sync_api import Playwright, expect, sync_playwright

from hardware.cameras.camera import Pixels
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.consensus import READINGS_NEEDED, Reading
from tests.browser.chromium import chromium_path
from tests.browser.screens.test_phone_camera import (
    PhoneTable,
    PlayedClip,
    be_the_camera,
    drawn_clip,
    playing,
    rendered_clip,
)

STEAL = 7
"""Where /proc/stat has the time that the hypervisor took."""
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


class Delay(NamedTuple):
    """Seconds after rest, and shares.

    counted, shown: until the count, and until the phone shows it. begun: until the first reading that counts.
    reading: processor time of the readings. waiting: the rest of their time, in which they waited for a processor.
    steal: share of the processors' time that the hypervisor took.
    """

    counted: float
    shown: float
    begun: float
    reading: float
    waiting: float
    steal: float

    def __str__(self) -> str:
        return (
            f"reading began {self.begun:.2f} s after rest and took {self.reading:.2f} s of processor time; counted "
            f"after {self.counted:.2f} s, shown after {self.shown:.2f} s; the reader waited {self.waiting:.2f} s for a "
            f"processor, without which it is {self.counted - self.waiting:.2f} s; steal {self.steal:.0%}"
        )


class TimedReader(ThrowReader):
    """A reader that notes when each reading began and ended, and the processor's seconds that it took."""

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile)
        self.readings: list[tuple[float, float, float]] = []

    def read(self, pixels: Pixels) -> Reading:
        began, spent = time.time(), time.thread_time()
        reading = super().read(pixels)
        self.readings.append((began, time.time(), time.thread_time() - spent))
        return reading


def measure(playwright: Playwright, folder: Path, played: PlayedClip) -> Delay:
    """Play a throw until the phone's page shows its count."""
    reader = TimedReader(played.reader.profile)
    table = PhoneTable(folder, played._replace(reader=reader))
    browser = playwright.chromium.launch(executable_path=chromium_path(), args=playing(played.file))
    try:
        page = browser.new_page(ignore_https_errors=True, viewport={"width": 390, "height": 844})
        be_the_camera(page, table)
        page.evaluate(WATCH)
        ticks = processor_ticks()
        counted = f"{played.marked} marked"
        expect(page.locator("[data-table]")).to_contain_text(counted, timeout=60_000)
        spent = [now - then for now, then in zip(processor_ticks(), ticks, strict=True)]
        seen, since = page.evaluate("window.seen"), time.time() - time.monotonic()
        count = table.seen[0][0] + since
        rest = max(at for at in seen["moved"] if at < count)
        readings = [one for one in reader.readings if rest < one[0] < count][-READINGS_NEEDED:]
        reading = sum(took for _, _, took in readings)
        return Delay(
            counted=count - rest,
            shown=next(at for at, text in seen["told"] if counted in text) - rest,
            begun=readings[0][0] - rest,
            reading=reading,
            waiting=sum(ended - began for began, ended, _ in readings) - reading,
            steal=spent[STEAL] / sum(spent),
        )
    finally:
        browser.close()
        table.close()


def processor_ticks() -> list[int]:
    """What all processors have done since the machine was started, by kind."""
    return [int(one) for one in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]


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
            print(took[-1], flush=True)
    print("medians:", Delay(*(statistics.median(one) for one in zip(*took, strict=True))))


if __name__ == "__main__":
    main()

"""Measure what reading costs on one core: ``OPENBLAS_NUM_THREADS=1 python -m tests.bench.reader_speed FOLDER``.

The companion sets that variable itself; without it, the time that NumPy's second thread spends waiting is counted.
FOLDER holds the labelled pictures, 1280 x 960. Each figure is also given as a multiple of one Gaussian blur of a
picture of the same size, measured between the readings, to compare machines. ``--hour`` feeds an hour of frames and
prints the memory used.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CompanionError
from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.picture_files import load_picture
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.settling import SettlingDetector
from training.evaluation import ROWS, row

BLUR_SIGMA = 3.0
"""Sigma of the reference blur; OpenCV makes it 19 x 19 pixels for 8-bit colours."""

BARS_MS = {"apart": 70.0, "touching or crossing": 160.0, "settling frame": 1.0}
"""Upper limits of the medians on the reference machine."""

SMALL = (640, 480)
FRAMES_A_SECOND = 10
HOUR = 3600 * FRAMES_A_SECOND
READ_EVERY = 45 * FRAMES_A_SECOND
"""Frames between two throws in the hour of frames: eighty throws, a long game."""


def milliseconds(work: Callable[..., object], *given: object) -> float:
    """The processor time of some work, unaffected by other processes."""
    start = time.process_time()
    work(*given)
    return (time.process_time() - start) * 1000


def blur(pixels: Pixels) -> Pixels:
    return np.asarray(cv2.GaussianBlur(pixels, (0, 0), BLUR_SIGMA), np.uint8)


def resident_mb() -> float:
    """The memory of this process in megabytes; 0 if the system does not say."""
    facts = Path("/proc/self/status")
    lines = facts.read_text().splitlines() if facts.is_file() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


def sets(folder: Path, only: set[str]) -> Iterator[tuple[Profile, list[tuple[str, Pixels]]]]:
    """The profile of each set that can be calibrated, with the kinds and pictures of its throws."""
    for one in json.loads((folder / "labels.json").read_text())["sets"]:
        if only and one["id"] not in only:
            continue
        names = ("empty", "cal_marked", "cal_plain")
        try:
            profile = ThrowReader.calibrate(
                *(load_picture(folder / one["id"] / f"{name}.jpg") for name in names)
            ).profile
        except CompanionError as error:
            print(f"{one['id']}: {error}")
            continue
        throws = [image for image in one["images"] if image["role"] == "throw"]
        yield profile, [(row(image), load_picture(folder / image["file"])) for image in throws]


def small_frames(pictures: list[Pixels], rests: int = 12) -> Iterator[Pixels]:
    """Simulated camera frames: each picture rests for ``rests`` frames, with fresh noise in every frame."""
    random = np.random.default_rng(7)
    grain = random.normal(0, 2.0, (SMALL[1] + 32, SMALL[0] + 32, 3)).astype(np.float32)
    small = [cv2.resize(one, SMALL, interpolation=cv2.INTER_AREA).astype(np.float32) for one in pictures]
    number = 0
    while True:
        top, left = random.integers(0, 32, 2)
        noisy = small[number // rests % len(small)] + grain[top : top + SMALL[1], left : left + SMALL[0]]
        yield np.clip(noisy, 0, 255).astype(np.uint8)
        number += 1


def stills(folder: Path, only: set[str]) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Times of each reading and each settling frame by kind, and of the reference blurs between them."""
    times: dict[str, list[float]] = defaultdict(list)
    blurs: dict[str, list[float]] = defaultdict(list)
    for profile, throws in sets(folder, only):
        reader = ThrowReader(profile)
        reader.read(throws[0][1])
        for name, pixels in throws:
            blurs[name].append(milliseconds(blur, pixels))
            times[name].append(milliseconds(reader.read, pixels))
        settling = SettlingDetector(profile.empty)
        frames = small_frames([pixels for _, pixels in throws])
        for number in range(120):
            frame = Frame(next(frames), number / FRAMES_A_SECOND)
            blurs["settling frame"].append(milliseconds(blur, frame.pixels))
            times["settling frame"].append(milliseconds(settling.update, frame))
    return times, blurs


def hour(folder: Path, only: set[str]) -> None:
    """Feed an hour of frames with occasional readings, and print the memory used."""
    profile, throws = next(sets(folder, only))
    reader, settling = ThrowReader(profile), SettlingDetector(profile.empty)
    pictures = [pixels for _, pixels in throws]
    frames = small_frames(pictures, rests=READ_EVERY)
    readings = 0
    for number in range(HOUR + 1):
        if number in (1000, HOUR // 4, HOUR // 2, 3 * HOUR // 4, HOUR):
            print(f"  {number:6d} frames, {readings:3d} readings: {resident_mb():6.1f} MB")
        if settling.update(Frame(next(frames), number / FRAMES_A_SECOND)) and settling.has_changed:
            reader.read(pictures[number // READ_EVERY % len(pictures)])
            settling.mark_read()
            readings += 1


def main() -> None:
    """Measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the sets")
    parser.add_argument("--sets", default="", help="only these, with commas between")
    parser.add_argument("--hour", action="store_true", help="also feed an hour of frames")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    only = set(chosen.sets.split(",")) - {""}
    times, blurs = stills(chosen.folder, only)
    print(f"processor time on one core; blurs: Gaussian, sigma {BLUR_SIGMA:.0f} (19 x 19), of the same picture")
    for name in (one for one in (*ROWS, "settling frame") if times[one]):
        middle, reference = statistics.median(times[name]), statistics.median(blurs[name])
        slow = sorted(times[name])[int(0.95 * (len(times[name]) - 1))]
        bar = f"; bar {BARS_MS[name]:.0f} ms" if name in BARS_MS else ""
        print(
            f"  {name:21s}{len(times[name]):5d}: median {middle:6.1f} ms = {middle / reference:5.1f} blurs of "
            f"{reference:.2f} ms; 95 % within {slow:6.1f} ms, longest {max(times[name]):6.1f} ms{bar}"
        )
    if chosen.hour:
        print("an hour of frames")
        hour(chosen.folder, only)


if __name__ == "__main__":
    main()

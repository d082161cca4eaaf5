"""Measure how soon labelled clips settle: ``python -m tests.bench.settling_delay FOLDER [--clips v3,v4]``.

Each clip in FOLDER is played as it is and with other frame rates, lamps, noise, a shaken camera and a resting hand. It
takes a minute a clip.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import statistics
from pathlib import Path

import cv2

from tests.hardware.tracking.clips import clip, clips, variations


def main() -> None:
    """Play, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="holds labels.json and the clips")
    parser.add_argument("--clips", default="", help="only these, with commas between")
    chosen = parser.parse_args()
    cv2.setNumThreads(1)
    only = set(chosen.clips.split(",")) - {""}
    for name, in_view in clips(chosen.folder):
        if only and name not in only:
            continue
        judged = [(film, *film.check()) for film in variations(clip(chosen.folder, name), in_view)]
        for film, wrong, _ in judged:
            if wrong:
                print(f"  {film.name}: {wrong}")
        late = [after for film, wrong, after in judged if film.rests_at is not None and wrong != "never"]
        print(
            f"{name}: {len(judged)} sequences, {sum(bool(wrong) for _, wrong, _ in judged)} wrong; settled "
            f"{statistics.median(late):.2f} s after rest (median), {min(late):.2f} to {max(late):.2f} s"
        )


if __name__ == "__main__":
    main()

"""``python -m tests.docs.failure_pictures FOLDER [FILE]``: cut the reader's known failures out of rendered throws.

FOLDER holds sets of the generator, in folders of any depth; these are the seeds of FAILURES. The picture is written to
``docs/failures.jpg``, which ``docs/model-card.md`` shows, unless another file is named.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from hardware.cameras.camera import Pixels
from training.rendered_sets import RenderedSet

PICTURE = Path(__file__).parents[2] / "docs" / "failures.jpg"
FAILURES = (
    (("r73189", "t03", 0), ("r74357", "t05", 1), ("r73045", "t04", 3), ("r74018", "t03", 2)),
    (("r73123", "t01", 1), ("r73238", "t05", 2), ("r72951", "t01", 0), ("r74306", "t03", 2)),
)
"""Set, throw and lot in the middle of each part: above throws that are misread, below such that are asked about."""

SIDE, GAP = 240, 6
"""Pixels of a part's side, and between two."""

AROUND = {True: 1.6, False: 5.0}
"""Lengths of a stick and of a small lot that a part shows."""


def part(folder: Path, seed: str, throw: str, number: int) -> Pixels:
    """What lies around that lot."""
    one = RenderedSet.opened(next(folder.rglob(f"{seed}/set.json")).parent)
    image = next(image for image in one.images("throw") if Path(image["file"]).stem == throw)
    lot = next(lot for lot in image["objects"] if lot["id"] == number)
    longest = max(other["length_px"] for other in image["objects"])
    scale = SIDE / (AROUND[one.kind == "sticks"] * longest)
    x, y = lot["center_px"]
    move = np.array([[scale, 0, SIDE / 2 - scale * x], [0, scale, SIDE / 2 - scale * y]])
    shown = cv2.warpAffine(one.picture(image["file"]), move, (SIDE, SIDE), flags=cv2.INTER_CUBIC)
    return np.pad(shown, (*2 * [(GAP // 2, GAP // 2)], (0, 0)), constant_values=255).astype(np.uint8)


def main() -> None:
    """Write the picture."""
    folder, path = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else PICTURE
    rows = [np.hstack([part(folder, *one) for one in row]) for row in FAILURES]
    cv2.imwrite(str(path), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 88])


if __name__ == "__main__":
    main()

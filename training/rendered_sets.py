"""Rendered sets: their labels, pictures and masks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.cameras.camera import Pixels

LOTS = range(1, 6)
"""Mask values of lots; the fifth is one too many."""

NEW_THINGS = range(10, 100)
"""Mask values of hands and things put there for one throw. Above lie things that the empty picture shows too."""


@dataclass(frozen=True, slots=True)
class RenderedSet:
    """One set of lots in one tray. labels: as the generator's README describes them."""

    folder: Path
    labels: dict[str, Any]

    @classmethod
    def opened(cls, folder: Path) -> RenderedSet:
        """The set in that folder."""
        return cls(folder, json.loads((folder / "set.json").read_text()))

    @property
    def number(self) -> int:
        return int(self.labels["id"].lstrip("rd"))

    @property
    def kind(self) -> str:
        return str(self.labels["kind"])

    @property
    def is_validation(self) -> bool:
        """Never trained on: one in four of the sets below 100, one in twenty above."""
        return self.number % 4 == 3 if self.number < 100 else self.number % 20 == 19

    def images(self, *roles: str) -> list[dict[str, Any]]:
        """The labels of the pictures in these roles."""
        return [image for image in self.labels["images"] if image["role"] in roles]

    def teaching_images(self) -> list[dict[str, Any]]:
        """The labels of the first pictures of the empty tray, of the marked and of the plain faces."""
        return [self.images(role)[0] for role in ("empty", "calibration_marked", "calibration_plain")]

    def picture(self, name: str) -> Pixels:
        """One of the set's pictures by the name in its labels: (rows, columns, 3) uint8, blue-green-red."""
        return _opened(self.folder.parent / name, cv2.IMREAD_COLOR)

    def mask(self, image: dict[str, Any]) -> Pixels:
        """What each pixel of a picture shows: (rows, columns) uint8, values as in the generator's README."""
        return _opened(self.folder.parent / image["mask"], cv2.IMREAD_GRAYSCALE)


def rendered_sets(folders: Sequence[Path]) -> Iterator[RenderedSet]:
    """The finished sets in these folders, in order of name."""
    for folder in folders:
        for path in sorted(folder.glob("*/set.json")):
            yield RenderedSet.opened(path.parent)


def _opened(path: Path, how: int) -> Pixels:
    pixels = cv2.imread(str(path), how)
    if pixels is None:
        raise FileNotFoundError(path)
    return np.asarray(pixels, np.uint8)

"""The network that detects lots and other objects in a tray, regardless of their material."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock

import cv2
import numpy as np

from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats, Mask
from hardware.reader.detection.empty_tray import DARK, farthest

STEP = 16
"""Pixels by which the network divides a picture's sides; pictures are filled up to multiples of it."""

SPECK = 5
"""Side in pixels of the least spot that may be something new. Smaller is noise."""

NOTICED, PLAIN = 4.0, 18.0
"""Multiple of the median difference between picture and empty tray from which a spot is looked at, and the grey levels
from which it always is. Raised they save time in poor light, and overlook lots in the tray's colours."""

AROUND = 40
"""Pixels around what is new in which lots are found: a faint end may be there, and the network needs surroundings."""

OUTPUTS = 6
"""Channels of the network: the scores of the tray or what lay there before, of lots and of anything else that is new;
how far inside its lot a pixel is; the lot's direction as cosine and sine of twice its angle."""


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """The network's output for each pixel; (rows, columns) float32 unless stated.

    lot, other : probability that a pixel is part of a lot, and of another new object.
    inside : 0 at a lot's visible edge, 1 on its middle line.
    along : direction of the lot, (rows, columns, 2): cosine and sine of twice its angle.
    """

    lot: Floats
    other: Floats
    inside: Floats
    along: Floats


def network_input(pixels: Pixels | Floats, bare: Floats) -> Floats:
    """Prepare the network's input from a picture and the empty tray in the same place and light.

    Parameters
    ----------
    pixels, bare : (rows, columns, 3), blue-green-red in grey levels 0 to 255

    Returns
    -------
    (36, rows / 2, columns / 2) float32: picture, empty tray, and the logarithm of their ratio, nine channels for each
    of the four pixels of a square
    """
    rows, columns = pixels.shape[0] // 2, pixels.shape[1] // 2
    seen = np.asarray(pixels, np.float32)
    parts = (seen / 255 - 0.5, bare / 255 - 0.5, cv2.log((seen + DARK) / (bare + DARK)))
    squares = np.empty((2, 2, 3, 3, rows, columns), np.float32)
    for number, part in enumerate(parts):
        squares[:, :, number] = part.reshape(rows, 2, columns, 2, 3).transpose(1, 3, 4, 0, 2)
    return squares.reshape(36, rows, columns)


def network_output(scores: Floats) -> Floats:
    """Unfold the network's scores, (24, rows / 2, columns / 2), to (6, rows, columns)."""
    _, rows, columns = scores.shape
    squares = scores.reshape(2, 2, OUTPUTS, rows, columns).transpose(2, 3, 0, 4, 1)
    return squares.reshape(OUTPUTS, 2 * rows, 2 * columns)


class Detector:
    """Runs the network with OpenCV alone. Threads may share it; a lock serialises them.

    digest : the SHA-256 of the model's file. Raises ValueError if the file has another one.
    """

    def __init__(self, model: Path, digest: str) -> None:
        self._net = open_network(model, digest)
        self._turn = Lock()

    def detect(self, pixels: Pixels | Floats, bare: Floats, scale: float = 1.0, whole: bool = True) -> Detection:
        """Detect lots in the picture, at its own size, and none away from what is new in the tray.

        scale : how much the picture is magnified for the network. whole : False to show it only what is around changes.
        """
        rows, columns = pixels.shape[:2]
        size = (round(columns * scale), round(rows * scale))
        seen, empty = (
            np.asarray(cv2.resize(one, size, interpolation=cv2.INTER_AREA), np.float32) for one in (pixels, bare)
        )
        near = near_change(seen, empty)
        scores = np.zeros((OUTPUTS, *near.shape), np.float32)
        scores[0] = 10  # where nothing is new it is certainly the tray
        left, top, width, height = (0, 0, *near.shape[::-1]) if whole else cv2.boundingRect(near)
        if width:
            part = slice(top // STEP * STEP, top + height), slice(left // STEP * STEP, left + width)
            np.copyto(scores[:, *part], self._scores(seen[part], empty[part]), where=near[part] > 0)
        tray, lot, other, inside, cosine, sine = (
            np.asarray(cv2.resize(one, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32) for one in scores
        )
        most = cv2.max(cv2.max(tray, lot), other)
        tray, lot, other = (np.asarray(cv2.exp(one - most), np.float32) for one in (tray, lot, other))
        total = tray + lot + other
        return Detection(
            lot=lot / total,
            other=other / total,
            inside=np.clip(inside, 0, 1),
            along=np.asarray(cv2.merge([cosine, sine]), np.float32),
        )

    def _scores(self, seen: Floats, empty: Floats) -> Floats:
        """The network's output for a picture and the empty tray, (OUTPUTS, rows, columns)."""
        rows, columns = seen.shape[:2]
        right, below = -columns % STEP, -rows % STEP
        filled = (cv2.copyMakeBorder(one, 0, below, 0, right, cv2.BORDER_REPLICATE) for one in (seen, empty))
        with self._turn:
            self._net.setInput(network_input(*(np.asarray(one, np.float32) for one in filled))[None])
            return network_output(np.asarray(self._net.forward()[0], np.float32))[:, :rows, :columns]


def near_change(seen: Floats, empty: Floats) -> Mask:
    """Where something is new in the tray, and AROUND pixels around it: 1 there, 0 elsewhere; (rows, columns).

    seen, empty : (rows, columns, 3) in grey levels 0 to 255.
    """
    apart = cv2.blur(farthest(seen, empty), (SPECK, SPECK))
    least = min(NOTICED * float(np.median(apart[::4, ::4])), PLAIN)
    new = cv2.morphologyEx((apart > least).astype(np.uint8), cv2.MORPH_OPEN, np.ones((SPECK, SPECK), np.uint8))
    return np.asarray(cv2.dilate(new, np.ones((2 * AROUND + 1, 2 * AROUND + 1), np.uint8)), np.uint8)


def open_network(model: Path, digest: str) -> cv2.dnn.Net:
    """Load a model into the engine that all versions of OpenCV have; version 5's new one takes up to twice as long.

    digest : the SHA-256 of the file. Raises ValueError if the file has another one.
    """
    if sha256(model.read_bytes()).hexdigest() != digest:
        raise ValueError(f"{model} is not the model that belongs to this version")
    classic = getattr(cv2.dnn, "ENGINE_CLASSIC", None)
    # By its path, because OpenCV 5.0 heeds no choice of engine for bytes.
    return cv2.dnn.readNetFromONNX(str(model)) if classic is None else cv2.dnn.readNetFromONNX(str(model), classic)

"""The files of profiles: pictures, numbers and facts in one, written durably."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import ProfileUnusable
from companion.i18n import _
from companion.storage.atomic_file import replacing, to_disk


def write_profile(path: Path, arrays: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Write a profile's file durably, into a folder that is made if missing. An interrupted write keeps the old one.

    facts : kept as JSON, as an array of that name. Raises ProfileUnusable.
    """
    kept = {**arrays, "facts": np.frombuffer(json.dumps(facts).encode(), np.uint8)}
    with changing(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as fresh, fresh.open("wb") as file:
            np.savez(file, **kept)
        to_disk(path.parent.parent)


@contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Say that a profile's folder cannot be written to, and why, if that is so. Raises ProfileUnusable."""
    try:
        yield
    except OSError as error:
        said = _("The profile cannot be written to {folder}: {error}.", folder=folder, error=error.strerror)
        raise ProfileUnusable(said) from error


def packed(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture as PNG, for an array of a profile's file."""
    return np.asarray(cv2.imencode(".png", picture)[1], np.uint8).reshape(-1)


def unpacked(png: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture that was packed. Raises ValueError if it does not open."""
    picture = cv2.imdecode(png, cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError("one of its pictures does not open")
    return np.asarray(picture, np.uint8)

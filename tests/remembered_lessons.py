"""What pictures teach, remembered from test to test of a process."""

from __future__ import annotations

from hashlib import sha256

from hardware.cameras.camera import Pixels
from hardware.reader.judge import judged_reader, shipped_judge
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.teaching import TaughtPlaces, find_lots

MOST = 16
"""Lessons that are remembered; one takes some megabytes."""


class RememberedLessons:
    """Finds lots like ``find_lots``, but those of the latest different pictures only once. Refusals are repeated."""

    def __init__(self) -> None:
        self._known: dict[object, TaughtPlaces] = {}

    def find(self, model: Model, empty: Pixels, marked: Pixels, plain: Pixels) -> TaughtPlaces:
        pictures = (empty, marked, plain)
        digest = sha256(b"".join(picture.tobytes() for picture in pictures)).digest()
        key = (model, *(picture.shape for picture in pictures), digest)
        found = self._known.pop(key) if key in self._known else find_lots(model, *pictures)
        # The latest comes last, and the first is forgotten.
        self._known[key] = found
        if len(self._known) > MOST:
            del self._known[next(iter(self._known))]
        return found


def remember_lessons() -> None:
    """Let all readers of this process find their lots this way.

    What is learnt depends on nothing but the pictures and never changes. ``teaching.find_lots``, which the tests of
    teaching call, is left as it is.
    """
    lessons = RememberedLessons()
    for module in (judged_reader, shipped_judge):
        vars(module)["find_lots"] = lessons.find

"""Trial throws are composed from the pictures that taught the reader, and their readings counted."""

from __future__ import annotations

from functools import cache

import numpy as np

from companion.calibration.forecast import Trial, TrialResult
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.composing.taught_faces import TaughtFaces
from hardware.composing.trial_throws import TrialThrow, trial_throws, tried
from tests.hardware.reader.drawing import calibration, taught_reader


class OddReader:
    """Reads every throw as none marked, but asks about each third one."""

    def __init__(self) -> None:
        self.read_so_far = 0

    def read(self, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
        assert pixels.shape == calibration()[0].shape
        self.read_so_far += 1
        if self.read_so_far % 3 == 0:
            return ThrowUnreadable(reason="touching")
        return ThrowSeen(marked=0, confidence=1.0, lots=())


@cache
def faces() -> TaughtFaces:
    return TaughtFaces.found(*calibration())


@cache
def first_throws() -> tuple[TrialThrow, ...]:
    return tuple(trial_throws(faces(), 3))


def test_the_same_faces_make_the_same_throws() -> None:
    """So a doubtful one can be looked at."""
    again = next(trial_throws(faces(), 1))

    np.testing.assert_array_equal(again.pixels, first_throws()[0].pixels)
    assert again.marked == first_throws()[0].marked


def test_throws_look_like_throws_to_the_reader_of_these_sticks() -> None:
    """It reads those that lie apart rightly; in most of them lots touch."""
    throws = first_throws()
    apart = [throw for throw in throws if not throw.touching]
    answer = taught_reader().read(apart[0].pixels)

    assert len(apart) == 1
    assert isinstance(answer, ThrowSeen)
    assert answer.marked == apart[0].marked


def test_each_reading_is_compared_with_what_was_composed() -> None:
    """Asked is asked; a count is right or wrong."""
    throws = first_throws()
    found = list(tried(OddReader().read, faces(), 3))

    assert found == [
        Trial(
            TrialResult.ASKED if at % 3 == 2 else TrialResult.RIGHT if throw.marked == 0 else TrialResult.WRONG,
            throw.touching,
        )
        for at, throw in enumerate(throws)
    ]

"""Readings of several pictures of one rest have to agree."""

from dataclasses import replace

import numpy as np
import pytest

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.tracking.consensus import READINGS_NEEDED, Consensus, Reading

PICTURE = np.zeros((480, 640, 3), np.uint8)


class ScriptedReader:
    """A reader that returns these readings, one after the other."""

    def __init__(self, *readings: Reading) -> None:
        self.readings = list(readings)

    def read(self, pixels: Pixels) -> Reading:
        assert pixels is PICTURE
        return self.readings.pop(0)


def four(marked: int, *, shift: float = 0.0, confidence: float = 0.9) -> ThrowSeen:
    faces = [Face.MARKED] * marked + [Face.PLAIN] * (4 - marked)
    lots = [Lot(x=100.0 + 60 * n + shift, y=200, angle=0, face=face, confidence=1) for n, face in enumerate(faces)]
    return ThrowSeen(marked=marked, confidence=confidence, lots=tuple(lots))


HEAP = ThrowUnreadable(reason="touching", lots=four(1).lots)


def test_readings_that_agree_give_the_last_one() -> None:
    """Its confidence is the least of all; the readings before return None."""
    readings = [four(3, shift=n, confidence=0.9 - n / 10) for n in range(READINGS_NEEDED)]
    consensus = Consensus(ScriptedReader(*reversed(readings)))

    answers = [consensus.add(PICTURE) for _ in readings]

    assert answers == [None] * (READINGS_NEEDED - 1) + [replace(readings[0], confidence=readings[-1].confidence)]


def test_unreadable_first_picture_is_the_answer() -> None:
    """Asking the players is cheap, so there is no second attempt."""
    assert Consensus(ScriptedReader(HEAP)).add(PICTURE) == HEAP


@pytest.mark.parametrize(
    "second",
    [four(2), four(3, shift=9), HEAP, replace(four(3), lots=four(3).lots[::-1][:3])],
    ids=["another count", "another place", "unreadable", "a lot less"],
)
def test_readings_that_differ_are_unreadable(second: Reading) -> None:
    """The answer has the id of the last reading, and the next picture starts over."""
    last = replace(second, reading_id="last")
    consensus = Consensus(ScriptedReader(four(3), last, *[four(3)] * READINGS_NEEDED))
    answers = [consensus.add(PICTURE) for _ in range(READINGS_NEEDED)]

    assert answers[:-1] == [None] * (READINGS_NEEDED - 1)
    assert answers[-1] == ThrowUnreadable(reason="differs", lots=second.lots, reading_id="last")
    assert [consensus.add(PICTURE) for _ in range(READINGS_NEEDED)][-1] == four(3)


def test_swapped_faces_differ() -> None:
    """Equal counts alone do not agree."""
    turned = four(2)
    swapped = replace(
        turned,
        lots=tuple(replace(lot, face=other.face) for lot, other in zip(turned.lots, turned.lots[::-1], strict=True)),
    )
    consensus = Consensus(ScriptedReader(turned, swapped))
    consensus.add(PICTURE)

    answer = consensus.add(PICTURE)

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "differs"


def test_reset_starts_over() -> None:
    """Readings of one rest do not count for the next."""
    consensus = Consensus(ScriptedReader(four(3), *[four(1)] * READINGS_NEEDED))
    consensus.add(PICTURE)
    consensus.reset()

    assert [consensus.add(PICTURE) for _ in range(READINGS_NEEDED)][-1] == four(1)

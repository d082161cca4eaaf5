"""No single picture is believed: several of the same rest have to say the same."""

from dataclasses import replace

import numpy as np
import pytest

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.agreeing import LOOKS, Agreeing, Answer
from hardware.camera import Pixels

PICTURE = np.zeros((480, 640, 3), np.uint8)


class Told:
    """A reader that says what it is told to, one after the other."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)

    def read(self, pixels: Pixels) -> Answer:
        assert pixels is PICTURE
        return self.answers.pop(0)


def four(marked: int, *, shift: float = 0.0, confidence: float = 0.9) -> ThrowSeen:
    faces = [Face.MARKED] * marked + [Face.PLAIN] * (4 - marked)
    lots = [Lot(x=100.0 + 60 * n + shift, y=200, angle=0, face=face, confidence=1) for n, face in enumerate(faces)]
    return ThrowSeen(marked=marked, confidence=confidence, lots=tuple(lots))


HEAP = ThrowUnreadable(reason="touching", lots=four(1).lots)


def test_several_pictures_that_say_the_same_make_a_reading() -> None:
    """The places are the last picture's, the confidence the least; nothing is said before."""
    looks = [four(3, shift=n, confidence=0.9 - n / 10) for n in range(LOOKS)]
    agreeing = Agreeing(Told(*reversed(looks)))

    said = [agreeing.look(PICTURE) for _ in looks]

    assert said == [None] * (LOOKS - 1) + [replace(looks[0], confidence=looks[-1].confidence)]


def test_a_picture_that_cannot_be_read_is_the_answer() -> None:
    """Asking is cheap, so it is not looked at again."""
    assert Agreeing(Told(HEAP)).look(PICTURE) == HEAP


@pytest.mark.parametrize(
    "second",
    [four(2), four(3, shift=9), HEAP, replace(four(3), lots=four(3).lots[::-1][:3])],
    ids=["another count", "another place", "unreadable", "a lot less"],
)
def test_pictures_that_contradict_each_other_make_no_reading(second: Answer) -> None:
    """Whatever differs, the players are asked, and the next picture begins anew."""
    agreeing = Agreeing(Told(four(3), second, *[four(3)] * LOOKS))
    said = [agreeing.look(PICTURE) for _ in range(LOOKS)]

    assert said[:-1] == [None] * (LOOKS - 1)
    assert said[-1] == ThrowUnreadable(reason="differs", lots=second.lots)
    assert [agreeing.look(PICTURE) for _ in range(LOOKS)][-1] == four(3)


def test_faces_that_changed_places_are_not_the_same() -> None:
    """The count alone is not enough to agree."""
    turned = four(2)
    swapped = replace(
        turned,
        lots=tuple(replace(lot, face=other.face) for lot, other in zip(turned.lots, turned.lots[::-1], strict=True)),
    )
    agreeing = Agreeing(Told(turned, swapped))
    agreeing.look(PICTURE)

    answer = agreeing.look(PICTURE)

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "differs"


def test_another_rest_begins_anew() -> None:
    """What was said of one rest counts nothing for the next."""
    agreeing = Agreeing(Told(four(3), *[four(1)] * LOOKS))
    agreeing.look(PICTURE)
    agreeing.forget()

    assert [agreeing.look(PICTURE) for _ in range(LOOKS)][-1] == four(1)

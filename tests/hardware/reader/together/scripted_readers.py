"""Readers with scripted answers, put together as for a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import cv2

from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.throw_reader import ThrowReader
from hardware.registration.sheet_registration import RegisteredPicture
from tests.hardware.reader.drawing import LENGTH, WIDTH, Stick, four, taught_reader, tray


@dataclass
class Said:
    """A general reader with a scripted answer."""

    answer: ThrowSeen | ThrowUnreadable
    against: bool = False
    asked: int = 0
    sure: bool = False
    mixes_up: bool = False
    lesson: Any = field(default_factory=lambda: SimpleNamespace(shape=SimpleNamespace(is_long=False)))

    def is_sure(self, _: ThrowSeen) -> bool:
        return self.sure

    def read(self, _: RegisteredPicture, __: object = ()) -> ThrowSeen | ThrowUnreadable:
        self.asked += 1
        return self.answer

    def contradicts(self, _: Pixels, lots: Sequence[Lot], __: object) -> bool:
        assert len(lots) == 4
        return self.against


def together(said: Said) -> ThrowReader:
    """The reader of the drawn sticks with that general reader, and no judged one."""
    reader: Any = copy(taught_reader())
    reader._general = reader._check = said
    reader._judged = None
    return reader  # type: ignore[no-any-return]


def seen(sticks: Sequence[Stick], turned: int = 0) -> ThrowSeen:
    """The sticks as another reader would report them, ``turned`` of them with the wrong face."""
    faces = [stick.marked != (number < turned) for number, stick in enumerate(sticks)]
    lots = tuple(
        Lot(
            x=stick.x,
            y=stick.y,
            angle=stick.turn % 180,
            face=Face.MARKED if marked else Face.PLAIN,
            confidence=0.99,
            outline=tuple(
                (float(x), float(y)) for x, y in cv2.boxPoints(((stick.x, stick.y), (LENGTH, WIDTH), stick.turn))
            ),
        )
        for stick, marked in zip(sticks, faces, strict=True)
    )
    return ThrowSeen(marked=sum(faces), confidence=0.96, lots=lots)


@dataclass
class Asking:
    """A measured reader that asks."""

    compare: Callable[..., object]
    found: tuple[Lot, ...]
    reason: str = "touching"

    def read(self, *_: object) -> ThrowUnreadable:
        return ThrowUnreadable(reason=self.reason, lots=self.found)


ASKS = ThrowUnreadable(reason="count")


def asked_last(
    judge: Said | None,
    things: Sequence[Lot],
    reason: str,
    general: ThrowSeen | ThrowUnreadable = ASKS,
) -> ThrowSeen | ThrowUnreadable:
    """The answer with a judged reader, where the measured one found these things.

    general : the general reader's answer.
    """
    reader: Any = together(Said(general))
    reader._judged = judge
    reader._measured = Asking(reader._measured.compare, tuple(things), reason)
    answer = reader.read(tray(four(2)))
    assert isinstance(answer, ThrowSeen | ThrowUnreadable)
    return answer


LOTS = seen(four(2)).lots

"""Small lots: the judge reads first; where it is not sure, it and the general reader must have found the same four."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any, NoReturn

import pytest

from companion.errors import ProfileUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.reader import throw_reader
from hardware.reader.lots import doubted
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader import drawing_small_lots
from tests.hardware.reader.drawing import calibration, four, taught_reader, tray
from tests.hardware.reader.together.scripted_readers import ASKS, LOTS, Said, seen

TWO = seen(four(2))


def small(judged: Said | None, general: ThrowSeen | ThrowUnreadable | None) -> ThrowSeen | ThrowUnreadable:
    """What both say together; None for a reader that could not be taught."""
    reader: Any = copy(taught_reader())
    reader._measured, reader._judged, reader._general = None, judged, Said(general) if general else None
    answer = reader.read(tray())
    assert isinstance(answer, ThrowSeen | ThrowUnreadable)
    return answer


def doubting(reason: str, lots: Sequence[Lot] = LOTS) -> ThrowUnreadable:
    """A reading that doubts the first of these."""
    return ThrowUnreadable(reason=reason, lots=(replace(lots[0], face=Face.UNKNOWN), *lots[1:]))


@pytest.mark.parametrize("general", [None, ASKS, doubting("touching"), seen(four(3))])
def test_a_sure_judge_reads_small_lots_alone(general: ThrowSeen | ThrowUnreadable | None) -> None:
    """Neither what the general reader doubts nor another count of it changes that."""
    answer = small(Said(TWO, sure=True), general)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize("judged", [Said(TWO, sure=True), Said(TWO), Said(doubting("unclear"))])
@pytest.mark.parametrize(("is_doubted", "read"), [(False, False), (True, True)])
def test_five_faces_are_not_overlooked(judged: Said, *, is_doubted: bool, read: bool) -> None:
    """The judge takes a lot that lies alone for none, if that does not look like the others to it."""
    fifth = replace(LOTS[0], x=320, y=240)
    general = ThrowUnreadable(reason="count", lots=(*LOTS, *(doubted([fifth]) if is_doubted else [fifth])))

    answer = small(judged, general)

    assert isinstance(answer, ThrowSeen) == (read and judged.sure)
    if not read:
        assert isinstance(answer, ThrowUnreadable)
        assert (answer.reason, len(answer.lots)) == ("count", 5)


@pytest.mark.parametrize(
    ("general", "read"),
    [
        (seen(four(2)), True),
        (doubting("covered"), True),
        (doubting("count"), True),
        (ThrowUnreadable(reason="count", lots=LOTS[:3]), False),
        (seen(four(2), turned=1), False),
        (None, False),
    ],
)
def test_a_judge_that_is_not_sure_needs_the_same_four(
    general: ThrowSeen | ThrowUnreadable | None, *, read: bool
) -> None:
    """The general reader may doubt anything, but not know a face otherwise."""
    answer = small(Said(TWO), general)

    assert isinstance(answer, ThrowSeen) == read
    if isinstance(answer, ThrowUnreadable):
        assert answer.reason == "unclear"
        assert all(lot.confidence == 0 for lot in answer.lots)


@pytest.mark.parametrize(
    ("judged", "read"),
    [
        (doubting("unclear"), True),
        (doubting("count"), True),
        (doubting("touching"), False),
        (ThrowUnreadable(reason="count", lots=LOTS[:3]), False),
        (ThrowUnreadable(reason="unclear", lots=seen(four(2), turned=1).lots), False),
    ],
)
def test_what_the_judge_asks_about_the_general_reader_settles_if_it_found_the_same_four(
    judged: ThrowUnreadable, *, read: bool
) -> None:
    """Where the judge sees three, one of four may stand on its edge; where it is not sure of one, that may be two."""
    answer = small(Said(judged), TWO)

    assert isinstance(answer, ThrowSeen) == read
    if isinstance(answer, ThrowUnreadable):
        assert answer.reason == judged.reason
    assert small(Said(judged), ASKS) == judged


def test_small_lots_that_the_judge_does_not_know_are_shown_with_an_unknown_face() -> None:
    """Players can then say which face it is."""
    answer = small(Said(ThrowUnreadable(reason="count", lots=LOTS[:2])), TWO)

    assert isinstance(answer, ThrowUnreadable)
    assert [lot.face for lot in answer.lots] == [LOTS[0].face, LOTS[1].face, Face.UNKNOWN, Face.UNKNOWN]
    assert {(lot.x, lot.y) for lot in answer.lots} == {(lot.x, lot.y) for lot in LOTS}


@pytest.mark.parametrize(("judged", "read"), [(TWO, True), (doubting("unclear"), False)])
def test_of_a_set_whose_faces_the_judge_mixes_up_it_must_read_them_too(
    judged: ThrowSeen | ThrowUnreadable, *, read: bool
) -> None:
    """One face that looks like the other side is not the only one."""
    assert isinstance(small(Said(judged, mixes_up=True), TWO), ThrowSeen) == read


def test_a_small_lot_that_leans_as_the_judge_sees_it_is_asked_about() -> None:
    """The general reader takes one on its edge for one that lies flat."""
    leaning = ThrowUnreadable(reason="leaning", lots=LOTS)

    assert small(Said(leaning), TWO) == leaning


def test_without_the_judge_the_general_reader_is_all_there_is() -> None:
    assert small(None, TWO) == TWO
    assert small(None, ASKS) == ASKS


def refuse(*_: object) -> NoReturn:
    raise ProfileUnusable("They are not found.")


@pytest.mark.parametrize("kind", ["coins", "cubes"])
def test_small_lots_that_only_the_judge_can_be_taught_are_read_if_it_is_sure(
    monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """It asks about the others."""
    monkeypatch.setattr(throw_reader, "general_reader", refuse)
    reader = ThrowReader.calibrate(*drawing_small_lots.calibration(kind))
    pictures = [drawing_small_lots.scene(kind, drawing_small_lots.four(3), noise=5, light=light) for light in (1, 0.25)]

    sure, dark = (reader.read(picture) for picture in pictures)

    assert isinstance(sure, ThrowSeen)
    assert sure.marked == 3
    assert reader.profile.separation > 0
    assert isinstance(dark, ThrowUnreadable) or dark.marked == 3


def test_small_lots_that_no_reader_can_be_taught_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not when they are thrown."""
    monkeypatch.setattr(throw_reader, "general_reader", refuse)
    monkeypatch.setattr(throw_reader, "judged_reader", refuse)

    with pytest.raises(ProfileUnusable, match="They are not found"):
        ThrowReader.calibrate(*drawing_small_lots.calibration("coins"))


def test_sticks_that_only_the_judge_would_learn_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone it would overlook a fifth one."""
    monkeypatch.setattr(throw_reader, "MeasuredReader", refuse)
    monkeypatch.setattr(throw_reader, "general_reader", refuse)

    with pytest.raises(ProfileUnusable, match="They are not found"):
        ThrowReader.calibrate(*calibration())

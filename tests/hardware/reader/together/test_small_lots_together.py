"""Small lots: the judge reads first, and the others where it is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NoReturn

import numpy as np
import pytest

from companion.errors import ProfileUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.reader import throw_reader
from hardware.reader.lots import doubted
from hardware.reader.taught_lots import Shown
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader import drawing_small_lots
from tests.hardware.reader.drawing import calibration, four, tray
from tests.hardware.reader.together.scripted_readers import LOTS, Asking, Said, asked_last, seen, together

SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))


def joined(
    measured: Sequence[Lot], general: Sequence[Lot], *, reason: str = "touching", **said: bool
) -> ThrowSeen | ThrowUnreadable:
    """What both readers say together of small lots that neither is certain of alone."""
    reader: Any = together(Said(ThrowUnreadable(reason="count", lots=tuple(general)), **said))
    reader._measured = Asking(reader._measured.compare, tuple(measured), reason)
    answer = reader.read(tray())
    assert isinstance(answer, ThrowSeen | ThrowUnreadable)
    return answer


def test_small_lots_are_counted_if_one_reader_is_certain_of_each() -> None:
    """Their doubts seldom concern the same lot."""
    answer = joined([*LOTS[:3], *doubted(LOTS[3:])], [*doubted(LOTS[:1]), *LOTS[1:]])

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2
    assert sorted(lot.x for lot in answer.lots) == sorted(lot.x for lot in LOTS)


def test_what_one_reader_cannot_split_may_be_several_lots_of_the_other() -> None:
    """Each must lie where both found something."""
    outlines = np.concatenate([np.array(lot.outline) for lot in LOTS[:2]])
    (left, top), (right, bottom) = outlines.min(axis=0), outlines.max(axis=0)
    clump = replace(LOTS[0], face=Face.UNKNOWN, outline=((left, top), (right, top), (right, bottom), (left, bottom)))

    assert isinstance(joined([clump, clump, *LOTS[2:]], LOTS, foreign=True), ThrowSeen)
    assert isinstance(joined([*LOTS[2:]], LOTS, foreign=True), ThrowUnreadable)


@pytest.mark.parametrize("reason", ["unclear", "count", "moved"])
def test_other_doubts_about_small_lots_stay(reason: str) -> None:
    """The measured reader knows more about the edges of shadows, and has seen that a lot is missing."""
    assert joined(LOTS, LOTS, reason=reason).reason == reason  # type: ignore[union-attr]


def test_an_unclear_face_of_a_small_lot_is_settled_by_a_reading_of_all_four() -> None:
    reader: Any = together(Said(seen(four(2))))
    reader._measured = Asking(reader._measured.compare, tuple(LOTS), "unclear")

    assert isinstance(reader.read(tray()), ThrowSeen)


def test_small_lots_that_neither_reader_knows_or_both_know_otherwise_are_asked_about() -> None:
    turned = seen(four(2), turned=1).lots

    for general in (doubted(LOTS), LOTS[:3], turned):
        assert isinstance(joined([*LOTS[:3], *doubted(LOTS[3:])], general), ThrowUnreadable)


@pytest.mark.parametrize("foreign", [True, False])
def test_what_neither_counts_among_small_lots_must_have_other_colours(foreign: bool) -> None:
    """It may be a fifth lot, which the general reader overlooks in shadow, or a piece of the game."""
    fifth = replace(LOTS[0], x=320, y=240, face=Face.UNKNOWN, outline=((300, 220), (340, 220), (340, 260), (300, 260)))

    answer = joined([*LOTS, fifth], LOTS, foreign=foreign)

    assert isinstance(answer, ThrowSeen) == foreign


def test_small_lots_known_together_are_checked_for_their_faces() -> None:
    assert isinstance(joined(doubted(LOTS), LOTS, against=True), ThrowUnreadable)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the measured reader nor the general one can be taught."""

    def refuse(*_: object) -> NoReturn:
        raise ProfileUnusable("They are not found.")

    monkeypatch.setattr(throw_reader, "MeasuredReader", refuse)
    monkeypatch.setattr(throw_reader, "general_reader", refuse)


@pytest.mark.usefixtures("refusing")
@pytest.mark.parametrize("kind", ["coins", "cubes"])
def test_small_lots_that_only_the_judge_can_be_taught_are_read_if_it_is_sure(kind: str) -> None:
    """It asks about the others."""
    reader = ThrowReader.calibrate(*drawing_small_lots.calibration(kind))
    pictures = [drawing_small_lots.scene(kind, drawing_small_lots.four(3), noise=5, light=light) for light in (1, 0.25)]

    sure, dark = (reader.read(picture) for picture in pictures)

    assert isinstance(sure, ThrowSeen)
    assert sure.marked == 3
    assert reader.profile.separation > 0
    assert isinstance(dark, ThrowUnreadable) or dark.marked == 3
    corrected = replace(reader.profile, shown=(Shown(pictures[0], ()),))
    assert isinstance(ThrowReader(corrected).read(pictures[0]), ThrowSeen)


@pytest.mark.usefixtures("refusing")
def test_sticks_that_only_the_judge_would_learn_are_refused() -> None:
    """Alone it would overlook a fifth one."""
    with pytest.raises(ProfileUnusable, match="They are not found"):
        ThrowReader.calibrate(*calibration())


def small(
    judge: Said, things: Sequence[Lot], reason: str, certain: ThrowSeen | None = None
) -> ThrowSeen | ThrowUnreadable:
    """The answer about small lots of which the general reader is uncertain, and the measured one too, or certain."""
    return asked_last(judge, things, reason, certain=certain)


SMALL = tuple(replace(lot, outline=SQUARE, face=Face.UNKNOWN, confidence=0.0) for lot in LOTS)


LARGE_THING = tuple((300.0 + x, 220.0 + y) for x, y in ((0, 0), (60, 0), (60, 60), (0, 60)))


CRUMB = tuple((300.0 + x, 220.0 + y) for x, y in ((0, 0), (4, 0), (4, 4), (0, 4)))


def test_a_sure_judge_reads_small_lots_alone() -> None:
    """Neither what the measured reader doubts nor another count of it changes that."""
    for certain in (None, seen(four(3))):
        answer = small(Said(seen(four(2)), sure=True), [], "count", certain)

        assert isinstance(answer, ThrowSeen)
        assert answer.marked == 2


@pytest.mark.parametrize(("is_doubted", "read"), [(False, False), (True, True)])
def test_a_sure_judge_does_not_overlook_five_faces(*, is_doubted: bool, read: bool) -> None:
    """It takes a lot that lies alone for none, if that does not look like the others to it; a thing has no face."""
    fifth = replace(LOTS[0], x=320, y=240)
    things = [*LOTS, *(doubted([fifth]) if is_doubted else [fifth])]

    answer = small(Said(seen(four(2)), sure=True), things, "leaning")

    assert isinstance(answer, ThrowSeen) == read
    if isinstance(answer, ThrowUnreadable):
        assert (answer.reason, len(answer.lots)) == ("count", 5)


def test_a_judge_that_is_not_sure_does_not_overlook_five_faces_either() -> None:
    """Not even where no face check can be taught."""
    reader: Any = together(Said(ThrowUnreadable(reason="count")))
    fifth, compare = replace(LOTS[0], x=320, y=240, outline=LARGE_THING), reader._measured.compare
    reader._judged, reader._check = Said(seen(four(2))), None
    for things, read in (((*LOTS, *doubted([fifth])), True), ((*LOTS, fifth), False)):
        reader._measured = Asking(compare, things, "leaning")
        assert isinstance(reader.read(tray()), ThrowSeen) == read


def test_small_lots_of_which_the_judge_is_not_sure_are_read_with_the_others() -> None:
    """It must read all four, once; another doubt of it leaves the first reader's answer."""
    judge = Said(seen(four(2)))

    assert isinstance(small(judge, SMALL, "unclear"), ThrowSeen)
    assert judge.asked == 1
    assert isinstance(small(Said(ThrowUnreadable(reason="count", lots=LOTS)), SMALL, "touching"), ThrowUnreadable)
    assert isinstance(small(Said(ThrowUnreadable(reason="count", lots=LOTS)), [], "", seen(four(3))), ThrowSeen)


def test_a_small_lot_that_leans_as_the_judge_sees_it_is_asked_about() -> None:
    """The others take one on its edge for one that lies flat."""
    answer = small(Said(ThrowUnreadable(reason="leaning", lots=LOTS)), [], "", seen(four(3)))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "leaning"


@pytest.mark.parametrize(("reason", "read"), [("count", False), ("covered", False), ("moved", True)])
def test_four_small_lots_are_asked_about_where_the_judge_sees_three(reason: str, *, read: bool) -> None:
    """It may stand on its edge. Where the judge finds no tray it has not looked."""
    judge = Said(ThrowUnreadable(reason=reason, lots=() if read else LOTS[:3]))

    answer = small(judge, [], "", seen(four(3)))

    assert isinstance(answer, ThrowSeen) == read
    if isinstance(answer, ThrowUnreadable):
        assert (answer.reason, len(answer.lots)) == ("unclear", 4)


@pytest.mark.parametrize(("judged", "read"), [(seen(four(3)), True), (seen(four(2)), False), (None, False)])
def test_of_a_set_whose_faces_are_mixed_up_two_readers_must_say_the_same(
    judged: ThrowSeen | None, *, read: bool
) -> None:
    """One face that looks like the other side is not the only one."""
    judge = Said(judged or ThrowUnreadable(reason="unclear"), mixes_up=True)

    assert isinstance(small(judge, [], "", seen(four(3))), ThrowSeen) == read


@pytest.mark.parametrize(("outline", "is_read"), [(LARGE_THING, True), (CRUMB, False)], ids=["a thing", "a crumb"])
def test_the_judge_knows_what_lies_alone_unless_it_may_be_a_part(
    outline: tuple[tuple[float, float], ...], *, is_read: bool
) -> None:
    """Whatever is as large as a lot was looked at; crumbs together may be one."""
    thing = replace(SMALL[0], x=outline[0][0], y=outline[0][1], outline=outline)

    assert isinstance(small(Said(seen(four(2))), [*SMALL, thing], "touching"), ThrowSeen) == is_read

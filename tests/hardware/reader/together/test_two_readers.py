"""The readers together: the general one answers if the measured one asks, unless they contradict each other.

Where both ask, the judged one may answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.errors import FacesAlike, ProfileUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader import throw_reader
from hardware.reader.general import shipped_model as shipped
from hardware.reader.general.general_reader import GeneralReader
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.lots import doubted
from hardware.reader.measured_reader import MeasuredReader
from hardware.reader.profile import check_lots
from hardware.reader.reading_comparison import contradict, in_same_places
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing import WIDTH, Stick, calibration, four, tray
from tests.hardware.reader.drawing_sticks import apart, heap, touching
from tests.hardware.reader.together.scripted_readers import ASKS, LOTS, Asking, Said, asked_last, seen, together

BLOCK = [Stick(300, 200 + WIDTH * number, 0, number == 1) for number in range(4)]
"""Sticks side by side without an edge between them, which the measured reader asks about."""


def test_where_one_asks_the_other_answers() -> None:
    """Its answer must cover everything in the tray."""
    said = Said(seen(BLOCK))

    answer = together(said).read(tray(BLOCK, noise=5))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 1


def test_a_lot_that_the_other_leaves_out_is_asked_about() -> None:
    """Otherwise five lots would be read as four."""
    answer = together(Said(seen(BLOCK))).read(tray([*BLOCK, Stick(300, 390, 20)], noise=5))

    assert isinstance(answer, ThrowUnreadable)


@pytest.mark.parametrize(("reason", "settled"), [("leaning", True), ("count", False), ("glare", False)])
def test_which_doubts_about_sticks_the_general_reader_settles(reason: str, *, settled: bool) -> None:
    """Both must have found the same four places."""
    reader: Any = together(Said(seen(four(2))))
    reader._measured = Asking(reader._measured.compare, tuple(doubted(LOTS)), reason, reads_sticks=True)

    assert isinstance(reader.read(tray(four(2))), ThrowSeen) == settled


def _missed(
    found: Sequence[Lot], general: ThrowSeen | ThrowUnreadable, judged: ThrowSeen | ThrowUnreadable
) -> ThrowSeen | ThrowUnreadable:
    """The answer where the measured reader found only these sticks, or more than four."""
    return asked_last(Said(judged), found, "count", general, reads_sticks=True)


def test_two_readers_find_the_stick_that_the_measured_one_missed() -> None:
    """Neither alone would be believed."""
    both = seen(four(2))

    answer = _missed(LOTS[:3], both, both)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2
    assert isinstance(_missed(LOTS[:3], both, ASKS), ThrowUnreadable)
    assert isinstance(_missed(LOTS[:3], ASKS, both), ThrowUnreadable)


@pytest.mark.parametrize(
    ("found", "judged"),
    [
        ([*LOTS, LOTS[0]], seen(four(2))),
        (LOTS[:3], seen(four(2), turned=1)),
        (seen(four(2), turned=1).lots[:3], seen(four(2))),
        (LOTS[:3], seen([*four(2)[:3], Stick(320, 400, 90)])),
    ],
    ids=["it found a fifth", "they see another face", "it sees another face", "they see it elsewhere"],
)
def test_a_missed_stick_is_asked_about_where_the_readers_differ(found: Sequence[Lot], judged: ThrowSeen) -> None:
    """The measured one is not overruled in what it sees, and both others must see the same."""
    assert isinstance(_missed(found, seen(four(2)), judged), ThrowUnreadable)


@pytest.mark.parametrize("reason", ["count", "glare", "covered"])
def test_what_both_others_read_alike_counts(reason: str) -> None:
    """Also where neither would be believed alone, such as under a hand's shadow or a lamp's reflection."""
    both = seen(four(2))

    answer = asked_last(Said(both), LOTS, reason, both, reads_sticks=True)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2
    assert isinstance(asked_last(Said(both), LOTS, reason, ASKS, reads_sticks=True), ThrowUnreadable)
    assert isinstance(asked_last(Said(ASKS), LOTS, reason, both, reads_sticks=True), ThrowUnreadable)


@pytest.mark.parametrize(
    ("reason", "read"), [("unclear", True), ("covered", True), ("leaning", False), ("count", False)]
)
def test_one_may_doubt_a_face_that_the_other_tells(reason: str, *, read: bool) -> None:
    """But both must see four sticks that lie flat."""
    told = seen(four(2))
    unsure = ThrowUnreadable(reason=reason, lots=(replace(LOTS[0], face=Face.UNKNOWN), *LOTS[1:]))
    turned = ThrowUnreadable(reason=reason, lots=seen(four(2), turned=1).lots)

    for general, judged in ((told, unsure), (unsure, told)):
        assert isinstance(_missed(LOTS[:3], general, judged), ThrowSeen) == read
    assert isinstance(_missed(LOTS[:3], told, turned), ThrowUnreadable)
    assert isinstance(_missed(LOTS[:3], unsure, unsure), ThrowUnreadable)


@pytest.mark.parametrize(("away", "read"), [(1.5 * WIDTH, False), (6 * WIDTH, True)])
def test_a_fifth_stick_beside_the_four_is_not_overlooked(away: float, *, read: bool) -> None:
    """One that lies alone is, because both others looked there: it may be a finger at the border."""
    top = min(LOTS, key=lambda lot: lot.y)
    above = replace(top, y=top.y - away, outline=tuple((x, y - away) for x, y in top.outline))
    both = seen(four(2))

    answer = _missed([*LOTS, above], both, both)

    assert isinstance(answer, ThrowSeen) == read


def test_two_sticks_of_one_reader_are_not_one_of_the_other() -> None:
    """As many lots, and each near one of the others, are not the same four."""
    twins = (*LOTS[:3], replace(LOTS[2], x=LOTS[2].x + 3))

    assert in_same_places(LOTS, LOTS[::-1])
    assert not in_same_places(LOTS, twins)
    assert not in_same_places(twins, LOTS)


def test_two_readers_contradict_each_other_about_faces_that_both_see() -> None:
    """Different places or an uncertain face are no contradiction."""
    lots = seen(four(2)).lots
    turned = seen(four(2), turned=1).lots

    assert not contradict(lots, lots)
    assert contradict(lots, turned)
    assert not contradict([replace(lots[0], face=Face.UNKNOWN), *lots[1:]], turned)
    assert not contradict([replace(lots[0], y=lots[0].y + WIDTH), *lots[1:]], turned)
    assert not contradict([replace(lots[0], angle=lots[0].angle + 30), *lots[1:]], turned)


def test_a_face_that_looks_like_the_other_one_is_asked_about() -> None:
    """It asks although the measured reader is certain, and shows what was found."""
    answer = together(Said(seen(four(3)), against=True)).read(tray(four(3)))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "unclear"
    assert len(answer.lots) == 4


@pytest.mark.parametrize("muddled", [True, False])
def test_a_reader_unsure_of_its_own_calibration_needs_the_other_to_agree(
    monkeypatch: pytest.MonkeyPatch, muddled: bool
) -> None:
    """It asks about those pictures, or takes a face in them for the opposite one."""
    agreeing, other, alone = (together(Said(seen(four(number)))) for number in (3, 2, 3))
    if muddled:
        monkeypatch.setattr(ThrowReader, "leads", (0.9, -0.1, 0.8))
    else:
        for reader in (agreeing, other, alone):
            reader._check = None
    alone._general = None

    assert isinstance(agreeing.read(tray(four(3))), ThrowSeen)
    assert isinstance(other.read(tray(four(3))), ThrowUnreadable)
    assert isinstance(alone.read(tray(four(3))), ThrowUnreadable)


def test_a_tray_that_has_moved_is_no_question_of_lots() -> None:
    """The general reader is not asked, because it could not help either."""
    said = Said(seen(four(2)))
    away = np.ascontiguousarray(tray(four(2))[::-1, ::-1])

    answer = together(said).read(np.roll(away, 200, axis=1))

    assert isinstance(answer, ThrowUnreadable)
    assert said.asked == 0


def test_reading_that_drowns_in_noise_is_refused() -> None:
    """It does not matter which reader made it."""
    noisy = np.clip(tray(BLOCK) + np.random.default_rng(1).normal(0, 40, (480, 640, 3)), 0, 255).astype(np.uint8)

    answer = together(Said(seen(BLOCK))).read(noisy)

    assert isinstance(answer, ThrowUnreadable)


def test_refusal_by_one_reader_does_not_stop_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The calibration is refused only if both refuse it."""
    pictures = calibration()
    twins = (pictures[0], pictures[1], pictures[1])

    with pytest.raises(ProfileUnusable):
        ThrowReader.calibrate(*twins)

    class Easy(Said):
        separation = 12.0
        lesson = SimpleNamespace(shape=SimpleNamespace(is_long=True))

    easy = Easy(replace(seen(four(1)), marked=1))
    monkeypatch.setattr(throw_reader, "general_reader", lambda *_: easy)

    reader = ThrowReader.calibrate(*twins)
    assert reader.profile.separation == 12.0
    answer = reader.read(tray(four(1)))
    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 1

    def neither(*_: Pixels) -> None:
        raise ProfileUnusable("not that one either")

    monkeypatch.setattr(throw_reader, "general_reader", neither)
    with pytest.raises(FacesAlike, match="too alike"):
        ThrowReader.calibrate(*twins)


def test_the_measured_reader_is_told_where_lots_lie_that_it_does_not_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it reads throws of sticks that touched in both pictures, also where the others ask."""
    reader = ThrowReader.calibrate(heap([], noise=2), heap(touching(4), noise=3), heap(touching(0), noise=4))
    for found in (GeneralReader, JudgedReader):
        monkeypatch.setattr(found, "read", lambda *_: ASKS)

    answer = reader.read(heap(apart(3), noise=5))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


def test_a_reader_that_had_to_be_told_overrules_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its masks mix things up, so what the general reader reads counts without it."""
    reader = ThrowReader.calibrate(heap([], noise=2), heap(touching(4), noise=3), heap(touching(0), noise=4))
    monkeypatch.setattr(MeasuredReader, "read", lambda *_: ThrowUnreadable(reason="count"))

    answer = reader.read(heap(apart(3), noise=5))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


UNSURE = ThrowUnreadable(reason="unclear", lots=tuple(replace(lot, face=Face.UNKNOWN) for lot in LOTS))


def last(judge: Said, measured: Sequence[Lot], reason: str, general: ThrowUnreadable = UNSURE) -> Any:
    """The answer about sticks of which the measured and the general reader are uncertain."""
    return asked_last(judge, measured, reason, general, reads_sticks=True)


def test_the_judge_reads_only_sticks_that_another_reader_sees_too() -> None:
    """It would take a stick's halves for two, and overlook a fifth one."""
    elsewhere = replace(UNSURE, lots=(*UNSURE.lots[:3], replace(LOTS[3], x=320.0, y=240.0)))

    for general in (elsewhere, replace(UNSURE, reason="touching"), replace(UNSURE, lots=LOTS[:3])):
        assert isinstance(last(Said(seen(four(2))), doubted(LOTS), "unclear", general), ThrowUnreadable)
    assert isinstance(last(Said(seen(four(2))), doubted(LOTS), "unclear"), ThrowSeen)


def test_a_judge_that_contradicts_a_known_face_is_not_believed() -> None:
    """Nor is one that asks, too; the first doubt stays, with its lots."""
    turned, asking = Said(seen(four(2), turned=1)), Said(ThrowUnreadable(reason="count"))

    for judge in (turned, asking):
        answer = last(judge, LOTS, "leaning")

        assert judge.asked == 1
        assert isinstance(answer, ThrowUnreadable)
        assert answer.reason == "leaning"
        assert len(answer.lots) == 4
    assert isinstance(last(turned, UNSURE.lots, "leaning"), ThrowSeen)


def test_an_empty_tray_shows_no_four_lots_to_either_reader() -> None:
    """The advice comes from the measured reader."""
    empty = tray()

    with pytest.raises(ProfileUnusable, match="Four lots of one size"):
        check_lots(empty, tray(noise=3))


def test_the_shipped_model_is_the_one_that_belongs_here() -> None:
    """It is as small as promised, and its figures are those that were trained."""
    detector, weights = shipped.shipped_detector(), shipped.face_weights()

    assert (shipped.HERE / shipped.MODEL).stat().st_size < 3_000_000
    assert weights.weights.min() >= 0
    nothing = np.full((96, 128, 3), 120, np.uint8)
    assert detector.detect(nothing, nothing.astype(np.float32)).lot.max() < 0.5

"""The readers of sticks together: one reads, another confirms, and the judged one sees what does not lie flat."""

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
from hardware.reader.reading_comparison import confirms, contradict
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing import WIDTH, Stick, calibration, four, tray
from tests.hardware.reader.drawing_sticks import apart, heap, touching
from tests.hardware.reader.together.scripted_readers import ASKS, LOTS, Said, asked_last, seen, together

BLOCK = [Stick(300, 200 + WIDTH * number, 0, number == 1) for number in range(4)]
"""Sticks side by side without an edge between them, which the measured reader asks about."""


def last(
    judged: ThrowSeen | ThrowUnreadable | None,
    found: Sequence[Lot],
    reason: str,
    general: ThrowSeen | ThrowUnreadable = ASKS,
) -> ThrowSeen | ThrowUnreadable:
    """The answer about sticks of which the measured reader found these, and doubts that for this reason."""
    return asked_last(Said(judged) if judged else None, found, reason, general)


def doubting(reason: str, lots: Sequence[Lot] = LOTS) -> ThrowUnreadable:
    """A reading of these sticks, of which the first one's face is unknown."""
    return ThrowUnreadable(reason=reason, lots=(replace(lots[0], face=Face.UNKNOWN), *lots[1:]))


@pytest.mark.parametrize(
    ("reason", "read"),
    [("glare", True), ("covered", True), ("unclear", True), ("touching", False), ("count", False), ("leaning", False)],
)
def test_where_one_doubts_a_face_of_four_sticks_the_judge_answers(reason: str, *, read: bool) -> None:
    """Both must have found the same four; the general reader is not needed."""
    answer = last(seen(four(2)), doubted(LOTS), reason)

    assert isinstance(answer, ThrowSeen) == read
    assert isinstance(last(seen(four(2)), LOTS[:3], reason), ThrowUnreadable)


@pytest.mark.parametrize("reason", ["touching", "count", "leaning", "unclear"])
def test_the_judge_answers_where_the_general_reader_found_the_same_four(reason: str) -> None:
    """The measured one may have missed a stick."""
    answer = last(seen(four(2)), LOTS[:3], "count", doubting(reason))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize(
    ("reason", "read"), [("unclear", True), ("covered", True), ("touching", False), ("count", False)]
)
def test_the_general_reader_answers_if_the_judge_doubts_but_a_face(reason: str, *, read: bool) -> None:
    """Both must see four sticks that lie flat."""
    assert isinstance(last(doubting(reason), LOTS[:3], "count", seen(four(2))), ThrowSeen) == read
    assert isinstance(last(doubting(reason), LOTS[:3], "count", doubting("unclear")), ThrowUnreadable)


@pytest.mark.parametrize(
    ("reason", "read"),
    [("touching", True), ("leaning", True), ("unclear", True), ("count", False), ("glare", False), ("covered", False)],
)
def test_the_general_reader_answers_where_the_measured_one_found_the_same_four(reason: str, *, read: bool) -> None:
    """Also if the judge asks, or could not be taught."""
    for judged in (ASKS, doubting("leaning"), None):
        assert isinstance(last(judged, doubted(LOTS), reason, seen(four(2))), ThrowSeen) == read


def test_a_face_that_any_reader_tells_otherwise_is_asked_about() -> None:
    """Two may agree about the places and miss a mark that the third sees."""
    answer = last(seen(four(2), turned=1), doubted(LOTS), "leaning", seen(four(2)))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "leaning"


def test_one_reader_alone_is_not_believed() -> None:
    """Another one must have found the same four."""
    assert isinstance(last(seen(four(2)), LOTS[:3], "count"), ThrowUnreadable)
    assert isinstance(last(ASKS, LOTS[:3], "touching", seen(four(2))), ThrowUnreadable)


@pytest.mark.parametrize(
    ("found", "judged"),
    [
        (LOTS[:3], seen(four(2), turned=1)),
        (seen(four(2), turned=1).lots[:3], seen(four(2))),
        (LOTS[:3], seen([*four(2)[:3], Stick(320, 400, 90)])),
    ],
    ids=["they see another face", "it sees another face", "they see it elsewhere"],
)
def test_a_missed_stick_is_asked_about_where_the_readers_differ(found: Sequence[Lot], judged: ThrowSeen) -> None:
    """The first doubt stays, with its lots."""
    answer = last(judged, found, "count", seen(four(2)))

    assert isinstance(answer, ThrowUnreadable)
    assert (answer.reason, answer.lots) == ("count", tuple(found))


@pytest.mark.parametrize(("away", "read"), [(1.5 * WIDTH, False), (6 * WIDTH, True)])
def test_a_fifth_stick_beside_the_four_is_not_overlooked(away: float, *, read: bool) -> None:
    """One that lies alone is, because both others looked there: it may be a finger at the border."""
    top = min(LOTS, key=lambda lot: lot.y)
    above = replace(top, y=top.y - away, outline=tuple((x, y - away) for x, y in top.outline))

    answer = last(seen(four(2)), (*LOTS, above), "count", seen(four(2)))

    assert isinstance(answer, ThrowSeen) == read


def test_a_stick_that_certainly_does_not_lie_flat_is_asked_about() -> None:
    """The measured reader took it for flat, or overlooked one that looks out below another."""
    reader: Any = together(Said(seen(four(3))))
    lots = seen(four(3)).lots
    reader._judged = Said(doubting("leaning", lots))
    assert isinstance(reader.read(tray(four(3))), ThrowSeen)

    reader._judged = Said(ThrowUnreadable(reason="leaning", lots=(*lots[:3], replace(lots[3], confidence=0.0))))
    answer = reader.read(tray(four(3)))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "leaning"
    assert reader._general.asked == 0


def test_without_the_measured_reader_two_must_see_the_same() -> None:
    """If the judge could not be taught either, the general reader is all there is."""
    reader: Any = together(Said(seen(four(2))))
    reader._measured = None
    reader._general.lesson = SimpleNamespace(shape=SimpleNamespace(is_long=True))
    answers = []
    for judge in (None, Said(seen(four(2))), Said(doubting("unclear")), Said(ASKS), Said(seen(four(2), turned=1))):
        reader._judged = judge
        answers.append(reader.read(tray(four(2))))

    assert [isinstance(answer, ThrowSeen) for answer in answers] == [True, True, True, False, False]
    assert answers[-1].reason == "unclear"
    assert all(lot.confidence == 0 for lot in answers[-1].lots)


def test_two_sticks_of_one_reader_are_not_one_of_the_other() -> None:
    """As many lots, and each near one of the others, are not the same four."""
    twins = (*LOTS[:3], replace(LOTS[2], x=LOTS[2].x + 3))

    read = seen(four(2))

    assert confirms(replace(read, lots=LOTS[::-1]), read)
    assert not confirms(replace(read, lots=twins), read)
    assert not confirms(read, replace(read, lots=twins))


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
    """Then it reads throws of sticks that touched in both pictures, but not without another reader that agrees."""
    reader = ThrowReader.calibrate(heap([], noise=2), heap(touching(4), noise=3), heap(touching(0), noise=4))
    monkeypatch.setattr(GeneralReader, "read", lambda *_: ASKS)

    answer = reader.read(heap(apart(3), noise=5))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3
    monkeypatch.setattr(JudgedReader, "read", lambda *_: ASKS)
    assert isinstance(reader.read(heap(apart(3), noise=5)), ThrowUnreadable)


def test_a_reader_that_had_to_be_told_overrules_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its masks mix things up, so what the general reader reads counts without it."""
    reader = ThrowReader.calibrate(heap([], noise=2), heap(touching(4), noise=3), heap(touching(0), noise=4))
    monkeypatch.setattr(MeasuredReader, "read", lambda *_: ThrowUnreadable(reason="count"))

    answer = reader.read(heap(apart(3), noise=5))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


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

"""The judged and the general reader together: one reads, the other confirms."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import cv2
import numpy as np
import pytest

from companion.errors import FacesAlike, ProfileUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.reader import throw_reader
from hardware.reader.general import shipped_model as shipped
from hardware.reader.lots import Shown, doubted
from hardware.reader.reading_comparison import agrees, contradict, unmatched
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader import drawing_small_lots
from tests.hardware.reader.drawing import LENGTH, WIDTH, Stick, calibration, four, taught_reader, tray

Answer = ThrowSeen | ThrowUnreadable


@dataclass
class Said:
    """A reader with a scripted answer."""

    answer: Answer
    sure: bool = False
    mixes_up: bool = False
    reads_sticks: bool = True
    asked: int = 0

    def is_sure(self, _: ThrowSeen) -> bool:
        return self.sure

    def read(self, *_: object) -> Answer:
        self.asked += 1
        return self.answer


def together(judged: Said | None, general: Said | None) -> ThrowReader:
    """Both readers of the drawn sticks; None for one that could not be taught."""
    reader: Any = copy(taught_reader())
    reader._judged, reader._general = judged, general
    return reader  # type: ignore[no-any-return]


def answered(judged: Said | Answer | None, general: Answer | None) -> Answer:
    """What both say together."""
    judge = judged if isinstance(judged, Said) or judged is None else Said(judged)
    return together(judge, Said(general) if general else None).read(tray())


def seen(sticks: Sequence[Stick], turned: int = 0) -> ThrowSeen:
    """The sticks as a reader would report them, ``turned`` of them with the wrong face."""
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


TWO = seen(four(2))
LOTS = TWO.lots
ASKS = ThrowUnreadable(reason="count")


def asking(reason: str, lots: Sequence[Lot] = LOTS) -> ThrowUnreadable:
    """A reading that is certain of these lots' faces, but asks."""
    return ThrowUnreadable(reason=reason, lots=tuple(lots))


def doubting(reason: str, lots: Sequence[Lot] = LOTS) -> ThrowUnreadable:
    """A reading that does not know the first face."""
    return asking(reason, (replace(lots[0], face=Face.UNKNOWN), *lots[1:]))


@pytest.mark.parametrize(
    ("general", "reason"),
    [
        (TWO, None),
        (doubting("covered"), None),
        (doubting("count"), None),
        (seen([*four(2)[:3], Stick(320, 400, 90)]), None),
        (asking("count", LOTS[:3]), "count"),
        (asking("touching", [*LOTS[:3], replace(LOTS[3], y=LOTS[3].y + 3 * WIDTH)]), "touching"),
        (seen(four(2), turned=1), "unclear"),
        (asking("covered", seen(four(2), turned=1).lots), "covered"),
        (None, "unclear"),
    ],
)
def test_what_the_judge_reads_counts_if_the_general_reader_agrees(general: Answer | None, reason: str | None) -> None:
    """That may come to the same count, or doubt anything of the same four but know no face otherwise."""
    answer = answered(TWO, general)

    assert (answer.reason if isinstance(answer, ThrowUnreadable) else None) == reason
    if reason == "unclear":
        assert all(lot.confidence == 0 for lot in answer.lots)


@pytest.mark.parametrize(
    ("judged", "read"),
    [
        (doubting("unclear"), True),
        (doubting("glare"), True),
        (doubting("covered"), True),
        (asking("count"), True),
        (asking("leaning"), True),
        (doubting("count"), False),
        (doubting("leaning"), False),
        (asking("touching"), False),
        (asking("count", LOTS[:3]), False),
        (asking("unclear", seen(four(2), turned=1).lots), False),
    ],
)
def test_what_the_general_reader_reads_counts_if_the_judge_is_certain_of_the_same_four(
    judged: ThrowUnreadable, *, read: bool
) -> None:
    """It may doubt a face, or see more beside four that it knows. Where it is not sure of one, that may be two."""
    answer = answered(judged, TWO)

    assert isinstance(answer, ThrowSeen) == read
    if isinstance(answer, ThrowUnreadable):
        assert answer.reason == judged.reason
    assert answered(judged, ASKS) == judged


@pytest.mark.parametrize(("away", "sticks", "read"), [(1.1, True, True), (3.0, True, False), (1.1, False, False)])
def test_two_sticks_that_the_judge_takes_for_one_are_counted(*, away: float, sticks: bool, read: bool) -> None:
    """One of them lies against another. Of small lots the general reader itself may take two for one."""
    four_seen = seen([*four(2)[:3], Stick(210, 300 + away * WIDTH / np.cos(np.radians(30)), 150)])

    answer = answered(Said(asking("count", four_seen.lots[:3]), reads_sticks=sticks), four_seen)

    assert isinstance(answer, ThrowSeen) == read


@pytest.mark.parametrize("general", [None, ASKS, doubting("touching"), seen(four(3))])
def test_a_sure_judge_reads_alone(general: Answer | None) -> None:
    """Neither what the general reader doubts nor another count of it changes that."""
    answer = answered(Said(TWO, sure=True), general)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize("judged", [Said(TWO, sure=True), Said(TWO), Said(doubting("unclear"))])
@pytest.mark.parametrize(("is_doubted", "read"), [(False, False), (True, True)])
def test_five_faces_are_not_overlooked(judged: Said, *, is_doubted: bool, read: bool) -> None:
    """The judge takes a lot that lies alone for none, if that does not look like the others to it."""
    fifth = replace(LOTS[0], x=320, y=240)
    general = asking("count", (*LOTS, *(doubted([fifth]) if is_doubted else [fifth])))

    answer = answered(judged, general)

    assert isinstance(answer, ThrowSeen) == (read and judged.sure)
    if not read:
        assert isinstance(answer, ThrowUnreadable)
        assert (answer.reason, len(answer.lots)) == ("count", 5)


def test_a_lot_that_certainly_does_not_lie_flat_is_asked_about() -> None:
    """The general reader takes one on its edge for one that lies flat, and is not asked."""
    general = Said(TWO)
    leaning = asking("leaning", (*LOTS[:3], replace(LOTS[3], face=Face.UNKNOWN, confidence=0.0)))

    assert together(Said(leaning), general).read(tray()) == leaning
    assert general.asked == 0


@pytest.mark.parametrize(("judged", "read"), [(TWO, True), (doubting("unclear"), False)])
def test_of_a_set_whose_faces_the_judge_mixes_up_it_must_read_them_too(judged: Answer, *, read: bool) -> None:
    """One face that looks like the other side is not the only one."""
    assert isinstance(answered(Said(judged, mixes_up=True), TWO), ThrowSeen) == read


def test_lots_that_the_judge_does_not_know_are_shown_with_an_unknown_face() -> None:
    """Players can then say which face it is."""
    answer = answered(asking("count", LOTS[:2]), TWO)

    assert isinstance(answer, ThrowUnreadable)
    assert [lot.face for lot in answer.lots] == [LOTS[0].face, LOTS[1].face, Face.UNKNOWN, Face.UNKNOWN]
    assert {(lot.x, lot.y) for lot in answer.lots} == {(lot.x, lot.y) for lot in LOTS}


@pytest.mark.parametrize("judged", [TWO, doubting("unclear")])
def test_what_players_put_right_only_the_judge_has_learnt(judged: Answer) -> None:
    """The general reader may still take such a face for the other one."""
    reader: Any = together(Said(judged), Said(TWO))
    reader.profile = replace(reader.profile, shown=(Shown(tray(four(4)), ((200.0, 130.0, 5.0, Face.MARKED),)),))

    assert isinstance(reader.read(tray()), ThrowSeen) == isinstance(judged, ThrowSeen)


def test_without_the_judge_the_general_reader_is_all_there_is() -> None:
    assert answered(None, TWO) == TWO
    assert answered(None, ASKS) == ASKS


def test_two_lots_of_one_reading_are_not_one_of_the_other() -> None:
    """As many lots, and each near one of the others, are not the same four."""
    twins = (*LOTS[:3], replace(LOTS[2], x=LOTS[2].x + 3))

    assert agrees(asking("count", LOTS[::-1]), TWO)
    assert not agrees(asking("count", twins), TWO)
    assert unmatched(LOTS, twins) == [LOTS[3]]


def test_two_readings_contradict_each_other_about_faces_that_both_see() -> None:
    """Different places or an uncertain face are no contradiction."""
    turned = seen(four(2), turned=1).lots

    assert not contradict(LOTS, LOTS)
    assert contradict(LOTS, turned)
    assert not contradict([replace(LOTS[0], face=Face.UNKNOWN), *LOTS[1:]], turned)
    assert not contradict([replace(LOTS[0], y=LOTS[0].y + WIDTH), *LOTS[1:]], turned)
    assert not contradict([replace(LOTS[0], angle=LOTS[0].angle + 30), *LOTS[1:]], turned)


def test_a_tray_that_has_moved_is_no_question_of_lots() -> None:
    """No reader is asked, because none could help."""
    judged, general = Said(TWO), Said(TWO)
    away = np.ascontiguousarray(tray(four(2))[::-1, ::-1])

    answer = together(judged, general).read(np.roll(away, 200, axis=1))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "moved"
    assert judged.asked == general.asked == 0


def test_a_reading_that_drowns_in_noise_is_refused() -> None:
    """However sure it is."""
    noisy = np.clip(tray() + np.random.default_rng(1).normal(0, 40, (480, 640, 3)), 0, 255).astype(np.uint8)

    assert isinstance(together(Said(TWO, sure=True), Said(TWO)).read(noisy), ThrowUnreadable)


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


def test_lots_that_no_reader_can_be_taught_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """At once, and not when they are thrown."""
    monkeypatch.setattr(throw_reader, "general_reader", refuse)
    monkeypatch.setattr(throw_reader, "judged_reader", refuse)

    with pytest.raises(ProfileUnusable, match="They are not found"):
        ThrowReader.calibrate(*drawing_small_lots.calibration("coins"))


def test_sticks_that_only_the_judge_would_learn_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Alone it would overlook a fifth one."""
    monkeypatch.setattr(throw_reader, "general_reader", refuse)

    with pytest.raises(ProfileUnusable, match="They are not found"):
        ThrowReader.calibrate(*calibration())


def test_faces_that_are_alike_are_refused() -> None:
    """The message says what to do."""
    empty, marked, _ = calibration()

    with pytest.raises(FacesAlike, match="bolder"):
        ThrowReader.calibrate(empty, marked, marked)


def test_the_shipped_model_is_the_one_that_belongs_here() -> None:
    """It is as small as promised, and its figures are those that were trained."""
    detector, weights = shipped.shipped_detector(), shipped.face_weights()

    assert (shipped.HERE / shipped.MODEL).stat().st_size < 3_000_000
    assert weights.weights.min() >= 0
    nothing = np.full((96, 128, 3), 120, np.uint8)
    assert detector.detect(nothing, nothing.astype(np.float32)).lot.max() < 0.5


@pytest.mark.parametrize("lots", [(), four(0)[:3], [*four(4), Stick(310, 220, 90)]], ids=["none", "three", "five"])
def test_a_picture_that_teaches_must_show_four_lots(lots: Sequence[Stick]) -> None:
    """The advice names what was found."""
    with pytest.raises(ProfileUnusable, match=f"things found: {len(lots)}"):
        shipped.check_lots(tray(), tray(lots, noise=3))

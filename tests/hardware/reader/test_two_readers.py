"""The readers together: the general one answers if the measured one asks, unless they contradict each other.

Where both ask, the judged one may answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any, NoReturn

import cv2
import numpy as np
import pytest

from companion.errors import FacesAlike, ProfileUnusable
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader import throw_reader
from hardware.reader.general import shipped_model as shipped
from hardware.reader.lots import doubted
from hardware.reader.profile import check_lots
from hardware.reader.taught_lots import Shown
from hardware.reader.throw_reader import ThrowReader, _contradict
from hardware.registration.sheet_registration import RegisteredPicture
from tests.hardware.reader import drawing_small_lots
from tests.hardware.reader.drawing import LENGTH, WIDTH, Stick, calibration, four, taught_reader, tray

BLOCK = [Stick(300, 200 + WIDTH * number, 0, number == 1) for number in range(4)]
"""Sticks side by side without an edge between them, which the measured reader asks about."""


@dataclass
class Said:
    """A general reader with a scripted answer."""

    answer: ThrowSeen | ThrowUnreadable
    against: bool = False
    asked: int = 0
    foreign: bool = False
    least_confidence: float = 0.5
    sure: bool = False
    mixes_up: bool = False

    def is_sure(self, _: ThrowSeen) -> bool:
        return self.sure

    def leaves_out(self, _: RegisteredPicture, lots: Sequence[Lot], things: Sequence[Lot], __: object) -> bool:
        assert len(lots) == 4
        return bool(things) and not self.foreign

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


@dataclass
class Asking:
    """A measured reader of small lots that asks, or one that is certain."""

    compare: Callable[..., object]
    found: tuple[Lot, ...]
    reason: str = "touching"
    reads_sticks: bool = False
    certain: ThrowSeen | None = None
    leads = (1.0,)

    def read(self, *_: object) -> ThrowSeen | ThrowUnreadable:
        return self.certain or ThrowUnreadable(reason=self.reason, lots=self.found)


LOTS = seen(four(2)).lots
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


@pytest.mark.parametrize(("reason", "settled"), [("leaning", True), ("count", False), ("glare", False)])
def test_which_doubts_about_sticks_the_general_reader_settles(reason: str, *, settled: bool) -> None:
    """Both must have found the same four places."""
    reader: Any = together(Said(seen(four(2))))
    reader._measured = Asking(reader._measured.compare, tuple(doubted(LOTS)), reason, reads_sticks=True)

    assert isinstance(reader.read(tray(four(2))), ThrowSeen) == settled


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


def test_two_readers_contradict_each_other_about_faces_that_both_see() -> None:
    """Different places or an uncertain face are no contradiction."""
    lots = seen(four(2)).lots
    turned = seen(four(2), turned=1).lots

    assert not _contradict(lots, lots)
    assert _contradict(lots, turned)
    assert not _contradict([replace(lots[0], face=Face.UNKNOWN), *lots[1:]], turned)
    assert not _contradict([replace(lots[0], y=lots[0].y + WIDTH), *lots[1:]], turned)
    assert not _contradict([replace(lots[0], angle=lots[0].angle + 30), *lots[1:]], turned)


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
    refusal = FacesAlike("too alike")
    pictures = calibration()
    twins = (pictures[0], pictures[1], pictures[1])

    with pytest.raises(ProfileUnusable):
        ThrowReader.calibrate(*twins)

    class Easy(Said):
        separation = 12.0
        lesson = SimpleNamespace(shape=SimpleNamespace(is_long=True))

    easy = Easy(replace(seen(four(1)), marked=1))
    monkeypatch.setattr(shipped, "general_reader", lambda *_: easy)

    reader = ThrowReader.calibrate(*twins)
    assert reader.profile.separation == 12.0
    answer = reader.read(tray(four(1)))
    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 1

    def neither(*_: Pixels) -> None:
        raise ProfileUnusable("not that one either")

    monkeypatch.setattr(shipped, "general_reader", neither)
    with pytest.raises(FacesAlike, match="too alike"):
        shipped.learn_after(refusal, *pictures)


@pytest.fixture
def refusing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the measured reader nor the general one can be taught."""

    def refuse(*_: object) -> NoReturn:
        raise ProfileUnusable("They are not found.")

    monkeypatch.setattr(throw_reader, "MeasuredReader", refuse)
    monkeypatch.setattr(shipped, "general_reader", refuse)


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


def last(judge: Said, measured: Sequence[Lot], reason: str) -> ThrowSeen | ThrowUnreadable:
    """The answer about sticks of which the measured and the general reader are uncertain."""
    reader: Any = together(Said(ThrowUnreadable(reason="count")))
    reader._judged = judge
    reader._measured = Asking(reader._measured.compare, tuple(measured), reason, reads_sticks=True)
    answer = reader.read(tray(four(2)))
    assert isinstance(answer, ThrowSeen | ThrowUnreadable)
    return answer


@pytest.mark.parametrize(
    ("reason", "settled"),
    [("leaning", True), ("unclear", True), ("touching", True), ("count", False), ("glare", False)],
)
def test_which_doubts_about_sticks_the_judged_reader_settles(reason: str, *, settled: bool) -> None:
    """It is not asked about others, because it would take a hidden stick for one that lies flat."""
    judge = Said(seen(four(2)))

    answer = last(judge, doubted(LOTS), reason)

    assert isinstance(answer, ThrowSeen) == settled
    assert judge.asked == settled


def test_sticks_that_touch_are_judged_only_where_both_found_them() -> None:
    """One that the measured reader found elsewhere may be a fifth one."""
    elsewhere = [*doubted(LOTS)[:3], replace(doubted(LOTS)[3], x=320.0, y=240.0)]

    assert isinstance(last(Said(seen(four(2))), elsewhere, "touching"), ThrowUnreadable)
    assert isinstance(last(Said(seen(four(2))), elsewhere, "leaning"), ThrowSeen)


def small(
    judge: Said, things: Sequence[Lot], reason: str, certain: ThrowSeen | None = None
) -> ThrowSeen | ThrowUnreadable:
    """The answer about small lots of which the general reader is uncertain, and the measured one too, or certain."""
    reader: Any = together(Said(ThrowUnreadable(reason="count")))
    reader._judged = judge
    reader._measured = Asking(reader._measured.compare, tuple(things), reason, certain=certain)
    answer = reader.read(tray(four(2)))
    assert isinstance(answer, ThrowSeen | ThrowUnreadable)
    return answer


SMALL = tuple(replace(lot, outline=SQUARE, face=Face.UNKNOWN, confidence=0.0) for lot in LOTS)
LARGE_THING = tuple((300.0 + x, 220.0 + y) for x, y in ((0, 0), (60, 0), (60, 60), (0, 60)))
CRUMB = tuple((300.0 + x, 220.0 + y) for x, y in ((0, 0), (4, 0), (4, 4), (0, 4)))


def test_a_sure_judge_reads_small_lots_alone() -> None:
    """Neither what the measured reader doubts nor another count of it changes that."""
    for certain in (None, seen(four(3))):
        answer = small(Said(seen(four(2)), sure=True), [], "count", certain)

        assert isinstance(answer, ThrowSeen)
        assert answer.marked == 2


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


def test_a_judge_that_contradicts_a_known_face_is_not_believed() -> None:
    """Nor is one that asks, too; the first doubt stays, with its lots."""
    turned, asking = Said(seen(four(2), turned=1)), Said(ThrowUnreadable(reason="count"))

    for judge in (turned, asking):
        answer = last(judge, LOTS, "leaning")

        assert judge.asked == 1
        assert isinstance(answer, ThrowUnreadable)
        assert answer.reason == "leaning"
        assert len(answer.lots) == 4
    unknown = [replace(lot, face=Face.UNKNOWN) for lot in LOTS]
    assert isinstance(last(turned, unknown, "leaning"), ThrowSeen)


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

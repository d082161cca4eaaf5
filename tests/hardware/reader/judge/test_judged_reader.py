"""The judged reader reads drawn throws of sticks in small pictures, and asks in doubt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import FacesAlike, ProfileUnusable
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.reader.judge import judged_reader
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.lot_crops import CropMaker
from hardware.reader.judge.shipped_judge import shipped_judge
from hardware.reader.lots import Shown
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.judge.drawn_throws import (
    TRAY,
    counters,
    read,
    round_counters,
    sticks,
)
from tests.training.drawn_set import APART, CROSSED, LENGTH, WIDTH, drawn_set, laid, speckled

TWO_CROSSES = (*CROSSED[:2], (225.0, 150.0, 20.0), (225.0, 150.0, 100.0))


def test_sticks_that_lie_apart_are_told() -> None:
    """Each lot is read with its face and place."""
    answer = read(sticks(), laid(TRAY, APART, "1001", seed=3))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2
    marked = sorted((round(lot.x, -1), round(lot.y, -1)) for lot in answer.lots if lot.face is Face.MARKED)
    assert marked == [(70, 60), (220, 170)]


@pytest.mark.parametrize("faces", ["1100", "0110", "0000"])
def test_crossing_sticks_are_told(faces: str) -> None:
    """They are separated by the calibrated size and by what is visible beside the crossing."""
    answer = read(sticks(), laid(TRAY, CROSSED, faces, seed=4))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == faces.count("1")


def test_other_light_is_no_other_face() -> None:
    """The empty tray shows how the light has changed."""
    dimmed = np.round(laid(TRAY, APART, "1010", seed=5) * 0.7).astype(np.uint8)

    answer = read(sticks(), dimmed)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize(
    "lie",
    [
        APART[:3],
        (*APART, (160.0, 120.0, 90.0)),
        (*CROSSED, (228.0, 114.0, 100.0)),
        (APART[0], APART[0], *APART[2:]),
    ],
    ids=["three", "five", "a fifth crossed twice", "one hidden"],
)
def test_anything_but_four_sticks_is_asked_about(lie: tuple[tuple[float, ...], ...]) -> None:
    """A misreading would be the worst outcome."""
    answer = read(sticks(), laid(TRAY, lie, "10100"[: len(lie)], seed=6))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "count"


def test_a_stick_on_its_edge_is_asked_about() -> None:
    """It shows neither face, and is narrower than the others."""
    answer = read(sticks(), laid(TRAY, (*APART[:3], (220.0, 170.0, 40.0, 0.55)), "1010", seed=6))

    assert isinstance(answer, ThrowUnreadable)


@pytest.mark.parametrize(("down", "reason"), [(0.0, "leaning"), (0.6 * WIDTH, None)], ids=["on its edge", "beside"])
def test_a_stick_along_the_foot_of_the_rim_is_asked_about(down: float, reason: str | None) -> None:
    """It stands there on its edge, however much it looks as if it lay flat. Beside the rim one lies flat."""
    foot = 40
    rimmed = TRAY.copy()
    rimmed[:foot] = (rimmed[:foot] * 0.7).astype(np.uint8)
    lower = [(x, y + foot, turn) for x, y, turn in APART[:2]]
    reader = JudgedReader(shipped_judge(), rimmed, *(laid(rimmed, [*lower, *APART[2:]], 4 * face) for face in "10"))

    answer = read(reader, laid(rimmed, [*lower, APART[2], (240.0, foot + down, 0.0)], "1010", seed=3))

    assert getattr(answer, "reason", None) == reason


def test_a_stick_that_looks_broader_makes_no_other_narrow() -> None:
    """One is nearer to the camera, or has a shadow beside it; the others are as wide as they were taught."""
    answer = read(sticks(), laid(TRAY, (*APART[:3], (220.0, 170.0, 40.0, 1.25)), "1001", seed=3))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize("faces", ["1010", "1011"])
def test_a_stick_on_its_edge_with_a_shadow_as_wide_as_a_flat_one_is_asked_about(faces: str) -> None:
    """Most of what lies there has the tray's colours in shade."""
    shaded = TRAY.copy()
    x, y, turn = APART[3]
    corners = cv2.boxPoints(((x, y), (LENGTH, WIDTH), turn)).round().astype(np.int32)
    shadow = cv2.fillPoly(np.zeros(TRAY.shape[:2], np.uint8), [corners], 1) > 0
    shaded[shadow] = (shaded[shadow] * 0.45).astype(np.uint8)

    answer = read(sticks(), laid(shaded, (*APART[:3], (x, y, turn, 0.45)), faces, seed=3))

    assert isinstance(answer, ThrowUnreadable)


def test_a_line_is_no_stick() -> None:
    """The edge of a nudged tray looks like one."""
    pixels = laid(TRAY, APART, "1010", seed=4)
    cv2.line(pixels, (125, 222), (310, 216), (60, 60, 60), 4)

    answer = read(sticks(), pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_of_a_stick_that_looks_out_below_another_nothing_is_said() -> None:
    """Which face belongs to which cannot be told."""
    answer = read(sticks(), laid(TRAY, (APART[0], (78.0, 68.0, 22.0), *APART[2:]), "1010", seed=6))

    assert isinstance(answer, ThrowUnreadable)
    told = [lot for lot in answer.lots if lot.face is not Face.UNKNOWN]
    assert sorted(round(lot.x) for lot in told) == pytest.approx(sorted(place[0] for place in APART[2:]), abs=3)


def test_a_stick_at_the_pictures_border_is_no_hand() -> None:
    """Four sticks explain everything there."""
    answer = read(sticks(), laid(TRAY, (*APART[:3], (220.0, 230.0, 3.0)), "1001", seed=3))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_a_hand_beside_the_sticks_does_no_harm() -> None:
    """It reaches in from the border."""
    answer = read(sticks(), laid(TRAY, APART, "0001", hand=True, seed=8))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 1


def test_sticks_that_touch_in_one_picture_are_taught_by_the_other() -> None:
    """Their size is known from there."""
    touching = ((70.0, 60.0, 20.0), (70.0, 75.0, 20.0), *APART[2:])
    reader = JudgedReader(shipped_judge(), TRAY, laid(TRAY, APART, "1111"), laid(TRAY, touching, "0000"))

    answer = read(reader, laid(TRAY, APART, "1011", seed=9))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


def test_sticks_of_which_two_touch_in_both_pictures_are_taught_by_the_others() -> None:
    """Two of one size in each picture are enough to know where the others lie."""
    marked = laid(TRAY, (*APART[:2], (120.0, 170.0, 10.0), (130.0, 182.0, 30.0)), "1111")
    plain = laid(TRAY, ((70.0, 60.0, 20.0), (72.0, 71.0, 25.0), *APART[2:]), "0000")
    reader = JudgedReader(shipped_judge(), TRAY, marked, plain)

    answer = read(reader, laid(TRAY, APART, "1011", seed=9))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


def test_two_pairs_that_touch_are_not_taken_for_two_sticks() -> None:
    """Nothing lies apart, so that their size is not known."""
    touching = ((70.0, 60.0, 20.0), (70.0, 72.0, 20.0), (230.0, 160.0, 20.0), (230.0, 172.0, 20.0))

    with pytest.raises(ProfileUnusable, match="four sticks of one size"):
        JudgedReader(shipped_judge(), TRAY, laid(TRAY, touching, "1111"), laid(TRAY, touching, "0000", seed=2))


def test_three_lots_are_refused_for_calibration() -> None:
    """The message names the picture that must be taken again."""
    with pytest.raises(ProfileUnusable, match="plain picture"):
        JudgedReader(shipped_judge(), TRAY, laid(TRAY, APART, "1111"), laid(TRAY, APART[:3], "000"))


def test_faces_that_look_alike_are_refused() -> None:
    """Nobody could tell them apart."""
    with pytest.raises(FacesAlike, match="marked side"):
        JudgedReader(shipped_judge(), TRAY, *(laid(TRAY, APART, "0000", seed=seed) for seed in (1, 2)))


@pytest.mark.parametrize("is_turn_known", [True, False])
def test_a_later_picture_of_sticks_teaches_if_it_is_known_how_they_lie(*, is_turn_known: bool) -> None:
    """Older profiles do not say it."""
    lots = tuple((float(x), float(y), float(turn) if is_turn_known else None, Face.PLAIN) for x, y, turn in APART)
    shown = Shown(laid(TRAY, APART, "1111", seed=9), lots)

    reader = JudgedReader(
        shipped_judge(), TRAY, *(laid(TRAY, APART, faces) for faces in ("1111", "0000")), shown=[shown]
    )

    assert (reader.leads != sticks().leads) == is_turn_known


def test_a_drawn_set_is_read_whole(tmp_path: Path) -> None:
    """As in the evaluation."""
    one = drawn_set(tmp_path, 4)
    taught = (one.picture(image["file"]) for image in one.teaching_images())
    reader = ThrowReader.calibrate(*taught)

    answers = [reader.read(one.picture(image["file"])) for image in one.images("throw")]

    assert [answer.marked for answer in answers if isinstance(answer, ThrowSeen)] == [2, 2, 1]


def test_lots_are_written_as_plain_numbers() -> None:
    """Readings are stored as JSON; sticks and small lots alike."""
    for reader, pixels in ((sticks(), laid(TRAY, APART, "1001", seed=3)), (round_counters(), counters("1001"))):
        lots = read(reader, pixels).lots

        assert len(lots) == 4
        for lot in lots:
            assert {type(value) for value in (lot.x, lot.y, lot.angle, lot.confidence, *sum(lot.outline, ()))} == {
                float
            }


@pytest.mark.parametrize(
    ("shown", "alone", "crossed"),
    [(1.7, "1", "1"), (1.1, "leaning", "1"), (-0.5, "leaning", "touching")],
    ids=["surely", "likely", "hardly"],
)
def test_a_stick_that_lies_alone_must_show_its_face_more_surely(shown: float, alone: str, crossed: str) -> None:
    """Others that lie against one make it look as if it leaned."""
    model = shipped_judge()
    odds = model.odds.copy()
    odds[0, 1] = 0, 0, 0, 0, shown
    reader = JudgedReader(replace(model, odds=odds), TRAY, *(laid(TRAY, APART, 4 * face, seed=1) for face in "10"))

    answers = [read(reader, laid(TRAY, lie, "1000", seed=3)) for lie in (APART, TWO_CROSSES)]

    found = [str(one.marked) if isinstance(one, ThrowSeen) else one.reason for one in answers]
    assert found == [alone, crossed]


def test_what_the_judge_is_sure_of_is_a_lot_however_strange_it_looks() -> None:
    """Otherwise a fifth one could be overlooked."""
    model = shipped_judge()
    odds = model.odds.copy()
    odds[0, 0] = 0, 0, 0, 0, -30
    reader = JudgedReader(replace(model, odds=odds), TRAY, *(laid(TRAY, APART, 4 * face, seed=1) for face in "10"))

    answer = read(reader, laid(TRAY, APART, "1010", seed=3))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize(("share", "is_lot"), [(1.2, True), (0.6, True), (0.4, False)])
def test_what_is_hardly_seen_is_less_likely_a_lot(
    monkeypatch: pytest.MonkeyPatch, *, share: float, is_lot: bool
) -> None:
    """By as much of the odds that a lot must have as is missing of what is seen of a taught one."""
    monkeypatch.setattr(judged_reader, "ABSENT", 100.0)  # so high that what the judge alone says does not count
    model = shipped_judge()
    odds = model.odds.copy()
    odds[0, 0] = 0, 0, 0, 0, 150
    reader = JudgedReader(replace(model, odds=odds), TRAY, *(laid(TRAY, APART, 4 * face, seed=1) for face in "10"))
    seen = CropMaker.seen
    monkeypatch.setattr(CropMaker, "seen", lambda maker, places: share * seen(maker, places))

    answer = read(reader, laid(TRAY, APART, "1000", seed=3))

    assert isinstance(answer, ThrowSeen) == is_lot


def test_nothing_is_read_in_another_scene() -> None:
    """The tray is not found."""
    assert read(sticks(), speckled(8)) == ThrowUnreadable(reason="moved")

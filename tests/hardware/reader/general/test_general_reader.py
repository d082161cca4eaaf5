"""The general reader reads drawn throws, and asks in doubt."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import ProfileUnusable
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.general.face_matcher import FaceWeights
from hardware.reader.general.general_reader import GeneralReader, taught_reader
from hardware.registration.sheet_registration import RegisteredPicture
from tests.hardware.reader.general.ideal_detector import IdealDetector
from tests.training.drawn_set import APART, CROSSED, LENGTH, WIDTH, drawn_set, laid, speckled
from training.faces import learn_faces, set_faces

UNDER_OTHERS = (
    (180.0, 113.0, 76.0),
    (186.0, 137.0, 166.0),
    (160.0, 80.0, 34.0),
    (180.0, 117.0, 73.0),
    (177.0, 100.0, 149.0),
)
"""Five sticks that four explain so well that only a fit of five tells them."""


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> FaceWeights:
    faces = set_faces(drawn_set(tmp_path_factory.mktemp("sets")), np.random.default_rng(1))
    assert faces is not None
    return learn_faces([faces])


@pytest.fixture(scope="module")
def tray() -> Pixels:
    return speckled(7)


@pytest.fixture(scope="module")
def reader(tray: Pixels, weights: FaceWeights) -> GeneralReader:
    taught = (laid(tray, APART, faces) for faces in ("1111", "0000"))
    return taught_reader(IdealDetector(), weights, tray, *taught)


def read(reader: GeneralReader, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
    scene = reader.lesson.tray.scene(pixels)
    return reader.read(RegisteredPicture(pixels, np.eye(3)), scene) if scene else ThrowUnreadable(reason="moved")


def test_lots_that_lie_apart_are_told(reader: GeneralReader, tray: Pixels) -> None:
    """Each lot is read with its face and place."""
    answer = read(reader, laid(tray, APART, "1001", seed=3))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2
    marked = sorted((round(lot.x, -1), round(lot.y, -1)) for lot in answer.lots if lot.face is Face.MARKED)
    assert marked == [(70, 60), (220, 170)]


@pytest.mark.parametrize("faces", ["1100", "0110", "0000"])
def test_crossing_sticks_are_told(reader: GeneralReader, tray: Pixels, faces: str) -> None:
    """They are separated by the calibrated size and by what is visible beside the crossing."""
    answer = read(reader, laid(tray, CROSSED, faces, seed=4))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == faces.count("1")


def test_other_light_is_no_other_face(reader: GeneralReader, tray: Pixels) -> None:
    """The empty tray shows how the light has changed."""
    dimmed = np.round(laid(tray, APART, "1010", seed=5) * 0.7).astype(np.uint8)

    answer = read(reader, dimmed)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (APART[:3], "count"),
        ((*APART, (160.0, 120.0, 90.0)), "count"),
        ((*CROSSED, (228.0, 114.0, 100.0)), "count"),
        (UNDER_OTHERS, "count"),
        ((APART[0], APART[0], *APART[2:]), "count"),
        ((*APART[:3], (220.0, 170.0, 40.0, 0.55)), "leaning"),
    ],
    ids=["three", "five", "a fifth crossed twice", "a fifth under others", "one hidden", "one on its edge"],
)
def test_anything_but_a_throw_of_four_is_asked_about(
    reader: GeneralReader, tray: Pixels, lie: tuple[tuple[float, ...], ...], why: str
) -> None:
    """A misreading would be the worst outcome."""
    answer = read(reader, laid(tray, lie, "10100"[: len(lie)], seed=6))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == why


def test_a_stick_that_looks_broader_makes_no_other_narrow(reader: GeneralReader, tray: Pixels) -> None:
    """One is nearer to the camera, or has a shadow beside it; the others are as wide as they were taught."""
    answer = read(reader, laid(tray, (*APART[:3], (220.0, 170.0, 40.0, 1.25)), "1001", seed=3))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize("faces", ["1010", "1011"])
def test_a_stick_on_its_edge_with_a_shadow_as_wide_as_a_flat_one_is_asked_about(
    reader: GeneralReader, tray: Pixels, faces: str
) -> None:
    """Most of what lies there has the tray's colours in shade."""
    shaded = tray.copy()
    x, y, turn = APART[3]
    corners = cv2.boxPoints(((x, y), (LENGTH, WIDTH), turn)).round().astype(np.int32)
    shadow = cv2.fillPoly(np.zeros(tray.shape[:2], np.uint8), [corners], 1) > 0
    shaded[shadow] = (shaded[shadow] * 0.45).astype(np.uint8)

    answer = read(reader, laid(shaded, (*APART[:3], (x, y, turn, 0.45)), faces, seed=3))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "leaning"


def test_a_stick_at_the_pictures_border_is_no_hand(reader: GeneralReader, tray: Pixels) -> None:
    """Four sticks explain everything there."""
    answer = read(reader, laid(tray, (*APART[:3], (220.0, 232.0, 3.0)), "1001", seed=3))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_a_line_is_no_stick(reader: GeneralReader, tray: Pixels) -> None:
    """The edge of a nudged tray looks like one."""
    pixels = laid(tray, APART, "1010", seed=4)
    cv2.line(pixels, (125, 222), (310, 216), (60, 60, 60), 4)

    answer = read(reader, pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_a_hand_beside_the_lots_does_no_harm(reader: GeneralReader, tray: Pixels) -> None:
    """The hand reaches in from the border."""
    answer = read(reader, laid(tray, APART, "0001", hand=True, seed=8))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 1


def test_sticks_that_touch_in_one_picture_are_taught_by_the_other(tray: Pixels, weights: FaceWeights) -> None:
    """Their size is known from there."""
    touching = ((70.0, 60.0, 20.0), (70.0, 75.0, 20.0), *APART[2:])
    reader = taught_reader(IdealDetector(), weights, tray, laid(tray, APART, "1111"), laid(tray, touching, "0000"))

    answer = read(reader, laid(tray, APART, "1011", seed=9))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


def test_sticks_of_which_two_touch_in_both_pictures_are_taught_by_the_others(
    tray: Pixels, weights: FaceWeights
) -> None:
    """Two of one size in each picture are enough to know where the others lie."""
    marked = laid(tray, (*APART[:2], (120.0, 170.0, 10.0), (130.0, 182.0, 30.0)), "1111")
    plain = laid(tray, ((70.0, 60.0, 20.0), (72.0, 71.0, 25.0), *APART[2:]), "0000")
    reader = taught_reader(IdealDetector(), weights, tray, marked, plain)

    answer = read(reader, laid(tray, APART, "1011", seed=9))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


def test_two_pairs_that_touch_are_not_taken_for_two_sticks(tray: Pixels, weights: FaceWeights) -> None:
    """Nothing lies apart, so that their size is not known."""
    pairs = ((70.0, 60.0, 20.0), (70.0, 72.0, 20.0), (230.0, 160.0, 20.0), (230.0, 172.0, 20.0))

    with pytest.raises(ProfileUnusable, match="Four lots of one size"):
        taught_reader(IdealDetector(), weights, tray, laid(tray, pairs, "1111"), laid(tray, pairs, "0000", seed=2))


def test_three_lots_are_refused_for_calibration(tray: Pixels, weights: FaceWeights) -> None:
    """The message names the picture that must be taken again."""
    with pytest.raises(ProfileUnusable, match="plain picture"):
        taught_reader(IdealDetector(), weights, tray, laid(tray, APART, "1111"), laid(tray, APART[:3], "000"))


def test_faces_that_look_alike_are_refused(tray: Pixels, weights: FaceWeights) -> None:
    """Nobody could tell them apart."""
    with pytest.raises(ProfileUnusable, match="marked side"):
        taught_reader(IdealDetector(), weights, tray, *(laid(tray, APART, "0000", seed=seed) for seed in (1, 2)))


def test_a_drawn_set_is_read_whole(tmp_path: Path, weights: FaceWeights) -> None:
    """The whole set is read, as in the evaluation."""
    one = drawn_set(tmp_path, 4)
    taught = (one.picture(one.images(role)[0]["file"]) for role in ("empty", "calibration_marked", "calibration_plain"))
    reader = taught_reader(IdealDetector(), weights, *taught)

    answers = [read(reader, one.picture(image["file"])) for image in one.images("throw")]

    assert [answer.marked for answer in answers if isinstance(answer, ThrowSeen)] == [2, 2, 1]

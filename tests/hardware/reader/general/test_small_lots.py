"""Small lots of the general reader: what else lies in the tray is told from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.general.detector import Detection
from hardware.reader.general.face_features import FaceCrop, features
from hardware.reader.general.face_matcher import FaceMatcher, FaceWeights
from hardware.reader.general.general_reader import GeneralReader, taught_reader
from hardware.reader.general.lot_finder import arrange
from hardware.reader.general.lot_shape import look
from hardware.reader.general.shipped_model import face_weights
from hardware.reader.tray_moves import Floats
from hardware.registration.sheet_registration import RegisteredPicture
from tests.hardware.reader.general.ideal_detector import HAND, IdealDetector
from tests.training.drawn_set import PAINT, WOOD, speckled

PLACES = ((70, 60), (230, 60), (90, 180), (220, 170))
RADIUS = 11
STONE = (190, 60, 40)


def laid(faces: str, places: Sequence[tuple[int, int]] = PLACES) -> Pixels:
    """The tray with counters."""
    pixels = speckled(7)
    for place, face in zip(places, faces, strict=True):
        cv2.circle(pixels, place, RADIUS, PAINT if face == "1" else WOOD, -1, cv2.LINE_AA)
    return pixels


@pytest.fixture(scope="module")
def reader() -> GeneralReader:
    weights: FaceWeights = face_weights()
    return taught_reader(IdealDetector(), weights, speckled(7), laid("1111"), laid("0000"))


def read(reader: GeneralReader, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
    scene = reader.lesson.tray.scene(pixels)
    return reader.read(RegisteredPicture(pixels, np.eye(3)), scene) if scene else ThrowUnreadable(reason="moved")


def test_a_thing_of_other_colours_is_no_lot(reader: GeneralReader) -> None:
    """A game piece may lie among the lots, as large as one of them."""
    pixels = laid("1001")
    cv2.circle(pixels, (150, 120), RADIUS, STONE, -1)

    answer = read(reader, pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_a_thin_thing_is_no_lot(reader: GeneralReader) -> None:
    """Reflections and the tray's edges are thin, even in the lots' colours."""
    pixels = laid("0111")
    cv2.line(pixels, (130, 60), (130, 200), WOOD, 4)

    answer = read(reader, pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


@pytest.mark.parametrize(
    "places",
    [
        (*PLACES, (150, 120)),
        (*PLACES, (234, 68)),
        (*PLACES[:3], (93, 174)),
        ((70, 60), (91, 62), (80, 80), (96, 78), (86, 70)),
        PLACES[:3],
    ],
    ids=["five", "a fifth half on another", "one on another", "five in a heap", "three"],
)
def test_anything_but_four_lots_that_show_is_asked_about(
    reader: GeneralReader, places: tuple[tuple[int, int], ...]
) -> None:
    """Things in the lots' colours count."""
    answer = read(reader, laid("10101"[: len(places)], places))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "count"


def shaded(pixels: Pixels, places: Sequence[tuple[int, int]] = PLACES) -> Pixels:
    """The lots with shadows as large as themselves."""
    shade = np.zeros(pixels.shape[:2], np.uint8)
    for x, y in places:
        cv2.circle(shade, (x + 14, y + 8), RADIUS, 1, -1)
        cv2.circle(shade, (x, y), RADIUS + 1, 0, -1)
    return np.where(shade[..., None] > 0, pixels * 0.45, pixels).astype(np.uint8)


class ShadowBlind(IdealDetector):
    """Takes shadows for parts of lots, but knows the lots' middles."""

    def detect(self, pixels: Pixels, bare: Floats, scale: float, whole: bool, /) -> Detection:
        middles = [(np.abs(pixels.astype(np.float32) - colour).max(axis=2) < 12) for colour in (PAINT, WOOD)]
        return replace(super().detect(pixels, bare, scale, whole), inside=np.any(middles, axis=0).astype(np.float32))


def test_shadows_belong_to_no_lot() -> None:
    """Even if the network takes them for a part of it, both in teaching and in reading."""
    faces = shaded(laid("1111")), shaded(laid("0000"))
    taught = taught_reader(ShadowBlind(), face_weights(), speckled(7), *faces)

    answer = read(taught, shaded(laid("0110")))

    assert taught.lesson.shape.area == pytest.approx(np.pi * RADIUS**2, rel=0.2)
    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize("third", [(90, 180), (76, 84)], ids=["two", "three"])
def test_lots_side_by_side_are_read(reader: GeneralReader, third: tuple[int, int]) -> None:
    """Together they are as large as that number of lots, and leave no room for another one."""
    answer = read(reader, laid("1001", ((70, 60), (91, 66), third, (220, 170))))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_lots_that_touch_are_known_together_or_not_at_all(reader: GeneralReader) -> None:
    """Another reader may take over the faces of those that lie alone."""
    lesson = reader.lesson
    pixels = laid("1001", ((70, 60), (91, 66), (90, 180), (220, 170)))
    scene = lesson.tray.scene(pixels)
    assert scene is not None
    view = look(scene, IdealDetector(), lesson.shape.scale)
    way = arrange(view, lesson.shape, lambda _: False)[0]

    answer = reader._read(view, replace(way, doubt="touching"))

    assert sorted(lot.face.value for lot in answer.lots if lot.confidence) == ["marked", "plain"]


def test_a_fingertip_beside_a_hand_belongs_to_it(reader: GeneralReader) -> None:
    """Even if the network's output has a gap there."""
    pixels = laid("1100")
    cv2.circle(pixels, (319, 120), 30, HAND, -1)
    cv2.circle(pixels, (278, 120), 8, WOOD, -1)

    answer = read(reader, pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_a_small_lot_is_described_from_its_middle_to_its_rim() -> None:
    """A kernel has no ends: a dot in its middle is told from a stain at its rim, whichever way it lies."""
    crops = []
    for place in ((10, 10), (2, 10), (10, 2)):
        lab = np.full((20, 20, 3), 60, np.float32)
        cv2.circle(lab, place, 2, (10, 0, 0), -1)
        crops.append(FaceCrop(lab, np.ones((20, 20), np.bool_), 1.0, 0.0))
    dot, stain, turned = (features(crop) for crop in crops)

    np.testing.assert_allclose(np.sort(stain), np.sort(turned), atol=0.1)
    assert np.abs(dot - stain).max() > 5


def kernel(shade: int, dot: tuple[int, int] | None) -> FaceCrop:
    """A kernel that is paler towards one side, with or without a dot."""
    lab = np.full((20, 24, 3), (shade, 20, 40), np.float32)
    lab[..., 0] += np.linspace(-8, 8, 24, dtype=np.float32)
    if dot:
        cv2.circle(lab, dot, 2, (25, 0, 0), -1)
    return FaceCrop(lab, np.ones((20, 24), np.bool_), 1.0, 0.0)


def test_a_dot_tells_faces_of_many_shades() -> None:
    """Kernels differ more from one another than a dot changes them, and it lies elsewhere on each."""
    places, shades = ((9, 8), (14, 12), (10, 13), (15, 8)), (40, 70, 55, 80)
    marked = [kernel(shade, place) for shade, place in zip(shades, places, strict=True)]
    matcher = FaceMatcher(marked, [kernel(shade, None) for shade in shades[::-1]], face_weights())

    odds = [matcher.odds(kernel(shade, place)) for shade in (48, 75) for place in ((12, 7), None)]

    assert min(matcher.leads()) > 1.5
    assert min(odds[0], -odds[1], odds[2], -odds[3]) > 4.5

"""The judged reader reads drawn throws in small pictures, and asks in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import FacesAlike, ProfileUnusable
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.shipped_judge import shipped_judge
from hardware.reader.judge.teaching import find_lots
from hardware.reader.judge.witness import Witness
from hardware.reader.lots import Shown
from hardware.reader.throw_reader import ThrowReader
from hardware.registration.sheet_registration import RegisteredPicture
from tests.training.drawn_set import APART, CROSSED, HAND, LENGTH, PAINT, WIDTH, WOOD, drawn_set, laid, speckled

PLACES = ((70, 60), (230, 60), (90, 180), (220, 170))
RADIUS = 11
STONE = (190, 60, 40)
TRAY = speckled(7)


@cache
def sticks() -> JudgedReader:
    return JudgedReader(shipped_judge(), TRAY, *(laid(TRAY, APART, faces) for faces in ("1111", "0000")))


@cache
def round_counters() -> JudgedReader:
    return JudgedReader(shipped_judge(), TRAY, counters("1111"), counters("0000"))


def counters(faces: str, places: Sequence[tuple[int, int]] = PLACES) -> Pixels:
    """The tray with counters."""
    pixels = speckled(7)
    for place, face in zip(places, faces, strict=True):
        cv2.circle(pixels, place, RADIUS, PAINT if face == "1" else WOOD, -1, cv2.LINE_AA)
    return pixels


def shaded(
    pixels: Pixels,
    places: Sequence[tuple[int, int]] = PLACES,
    thrown: tuple[int, int] = (14, 8),
    light: float = 0.45,
) -> Pixels:
    """The counters with shadows as large as themselves, thrown that far, with that share of the light."""
    shade = np.zeros(pixels.shape[:2], np.uint8)
    for x, y in places:
        cv2.circle(shade, (x + thrown[0], y + thrown[1]), RADIUS, 1, -1)
        cv2.circle(shade, (x, y), RADIUS + 1, 0, -1)
    return np.where(shade[..., None] > 0, pixels * light, pixels).astype(np.uint8)


def read(reader: JudgedReader, pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
    return reader.read(RegisteredPicture(pixels, np.eye(3)))


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
    (hidden,) = (lot for lot in answer.lots if lot.confidence == 0)
    assert hidden.face is Face.UNKNOWN
    assert (hidden.x, hidden.y) == pytest.approx((74, 64), abs=8)


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

    with pytest.raises(ProfileUnusable, match="Four lots of one size"):
        JudgedReader(shipped_judge(), TRAY, laid(TRAY, touching, "1111"), laid(TRAY, touching, "0000", seed=2))


def test_three_lots_are_refused_for_calibration() -> None:
    """The message names the picture that must be taken again."""
    with pytest.raises(ProfileUnusable, match="plain picture"):
        JudgedReader(shipped_judge(), TRAY, laid(TRAY, APART, "1111"), laid(TRAY, APART[:3], "000"))


def test_faces_that_look_alike_are_refused() -> None:
    """Nobody could tell them apart."""
    with pytest.raises(FacesAlike, match="marked side"):
        JudgedReader(shipped_judge(), TRAY, *(laid(TRAY, APART, "0000", seed=seed) for seed in (1, 2)))


def test_a_later_picture_of_small_lots_teaches_unless_its_tray_is_not_found() -> None:
    """What is still taught counts, and only the calibration's faces have a lead."""
    lots = tuple((float(x), float(y), None, Face.PLAIN) for x, y in PLACES)
    known = round_counters().leads

    def leads(picture: Pixels) -> tuple[float, ...]:
        shown = (Shown(picture, lots),)
        return JudgedReader(shipped_judge(), TRAY, counters("1111"), counters("0000"), shown=shown).leads

    assert leads(speckled(8)) == known
    learnt = leads(shaded(counters("0000")))
    assert learnt != known
    assert len(learnt) == len(known) == 8


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
    taught = (one.picture(one.images(role)[0]["file"]) for role in ("empty", "calibration_marked", "calibration_plain"))
    reader = ThrowReader.calibrate(*taught)

    answers = [reader.read(one.picture(image["file"])) for image in one.images("throw")]

    assert [answer.marked for answer in answers if isinstance(answer, ThrowSeen)] == [2, 2, 1]


def test_a_thing_of_other_colours_is_no_counter() -> None:
    """A game piece may lie among the lots, as large as one of them."""
    pixels = counters("1001")
    cv2.circle(pixels, (150, 120), RADIUS, STONE, -1)

    answer = read(round_counters(), pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_a_thin_thing_is_no_counter() -> None:
    """Reflections and the tray's edges are thin, even in the lots' colours."""
    pixels = counters("0111")
    cv2.line(pixels, (130, 60), (130, 200), WOOD, 4)

    answer = read(round_counters(), pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 3


@pytest.mark.parametrize(
    "places",
    [
        (*PLACES, (150, 120)),
        (*PLACES, (234, 68)),
        (*PLACES[:3], (93, 174)),
        PLACES[:3],
    ],
    ids=["five", "a fifth half on another", "one on another", "three"],
)
def test_anything_but_four_counters_that_show_is_asked_about(places: tuple[tuple[int, int], ...]) -> None:
    """Things in the lots' colours count."""
    answer = read(round_counters(), counters("10101"[: len(places)], places))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "count"


def test_five_counters_in_a_heap_are_asked_about() -> None:
    """Four of them may be certain, but a fifth lies below."""
    heap = ((70, 60), (91, 62), (80, 80), (96, 78), (86, 70))

    assert isinstance(read(round_counters(), counters("10101", heap)), ThrowUnreadable)


def test_shadows_are_no_counters() -> None:
    """Neither in teaching nor in reading."""
    marked, plain, thrown = (shaded(counters(faces), light=0.55) for faces in ("1111", "0000", "0110"))

    answer = read(JudgedReader(shipped_judge(), TRAY, marked, plain), thrown)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


@pytest.mark.parametrize("faces", ["0000", "1100", "1011"])
def test_dark_counters_are_told_from_their_lighter_shadows(faces: str) -> None:
    """Although they are as the tray would be in a deep shadow."""

    def laid(faces: str) -> Pixels:
        pixels = counters(faces)
        for place, face in zip(PLACES, faces, strict=True):
            if face == "0":
                lot = cv2.circle(np.zeros(pixels.shape[:2], np.uint8), place, RADIUS, 1, -1) > 0
                pixels[lot] = TRAY[lot] // 4
        return pixels

    reader = JudgedReader(shipped_judge(), TRAY, laid("1111"), laid("0000"))

    answer = read(reader, shaded(laid(faces), thrown=(18, 9), light=0.65))

    assert isinstance(answer, ThrowSeen), answer
    assert answer.marked == faces.count("1")


@pytest.mark.parametrize("third", [(90, 180), (76, 84)], ids=["two", "three"])
def test_counters_side_by_side_are_read(third: tuple[int, int]) -> None:
    """Together they are as large as that number of lots, and leave no room for another one."""
    answer = read(round_counters(), counters("1001", ((70, 60), (91, 66), third, (220, 170))))

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_a_lot_on_another_ground_must_be_told_by_each_witness(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the table its face looks otherwise than it was taught, so that both together are not enough."""
    table = TRAY.copy()
    table[:, 260:] //= 4

    def laid(faces: str, places: Sequence[tuple[int, int]]) -> Pixels:
        lots = counters(faces, places)
        return np.where((lots != TRAY).any(axis=2, keepdims=True), lots, table)

    inside = [(70, 60), (70, 180), (150, 60), (150, 180)]
    reader = JudgedReader(shipped_judge(), table, laid("1111", inside), laid("0000", inside))

    answers = []
    for said in (0.6, 1.1):
        monkeypatch.setattr(Witness, "certainty", lambda _self, told, said=said: np.full(len(told), said))
        answers += [read(reader, laid("1111", [*inside[:3], place])) for place in ((150, 180), (290, 120))]

    usual, other, *certain = answers
    assert isinstance(usual, ThrowSeen)
    assert isinstance(other, ThrowUnreadable)
    assert other.reason == "unclear"
    assert all(isinstance(one, ThrowSeen) for one in certain)


def test_a_fingertip_beside_a_hand_belongs_to_it() -> None:
    """Even if it seems to lie apart from the hand."""
    pixels = counters("1100")
    cv2.circle(pixels, (319, 120), 30, HAND, -1)
    cv2.circle(pixels, (278, 120), 8, WOOD, -1)

    answer = read(round_counters(), pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


def test_lots_are_written_as_plain_numbers() -> None:
    """Readings are stored as JSON; sticks and small lots alike."""
    for reader, pixels in ((sticks(), laid(TRAY, APART, "1001", seed=3)), (round_counters(), counters("1001"))):
        lots = read(reader, pixels).lots

        assert len(lots) == 4
        for lot in lots:
            assert {type(value) for value in (lot.x, lot.y, lot.angle, lot.confidence, *sum(lot.outline, ()))} == {
                float
            }


def test_nothing_is_read_in_another_scene() -> None:
    """The tray is not found."""
    assert read(sticks(), speckled(8)) == ThrowUnreadable(reason="moved")


@pytest.mark.parametrize("light", [0.5, 0.3])
def test_shadows_as_large_as_lots_are_not_taught_with_them(light: float) -> None:
    """Each looks like some lot by itself, but none like the other seven, and a hard one like nothing but a shadow."""
    known = find_lots(shipped_judge(), TRAY, *in_the_sun(light))

    assert known.shape.bar.length < 1.4 * 2 * RADIUS
    for four in known.places:
        there = sorted(
            (round((lot.x + 0.5) * known.tray.scale), round((lot.y + 0.5) * known.tray.scale)) for lot in four
        )
        assert np.abs(np.array(there) - sorted(PLACES)).max() <= 3


@pytest.mark.parametrize("faces", ["0000", "1100", "1011"])
def test_lots_with_hard_shadows_are_read(faces: str) -> None:
    """A shadow as large as a lot hides nothing."""
    reader = ThrowReader.calibrate(TRAY, *in_the_sun(light=0.3))

    answer = reader.read(shaded(counters(faces), thrown=(18, 9), light=0.3))

    assert isinstance(answer, ThrowSeen), answer
    assert answer.marked == faces.count("1")


def in_the_sun(light: float) -> tuple[Pixels, Pixels]:
    """Both sides of the counters with shadows as large as they are, and the light that these leave."""
    marked, plain = (shaded(counters(faces), thrown=(18, 9), light=light) for faces in ("1111", "0000"))
    return marked, plain


@pytest.mark.parametrize("way", range(0, 360, 45))
def test_a_fifth_counter_that_lies_against_another_is_not_overlooked(way: int) -> None:
    """Half of it is enough."""
    x, y = (
        round(at + 1.3 * RADIUS * step(np.radians(way))) for at, step in zip(PLACES[0], (np.cos, np.sin), strict=True)
    )

    answer = read(round_counters(), counters("10011", [*PLACES, (x, y)]))

    assert isinstance(answer, ThrowUnreadable)

"""The judged reader reads drawn throws of small lots in small pictures, and asks in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.cameras.picture_files import load_picture
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge import judged_reader, teaching
from hardware.reader.judge.candidates import Candidates, Seeing, candidates
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.lot_judge import FACE, MAKE
from hardware.reader.judge.shipped_judge import shipped_judge
from hardware.reader.judge.teaching import find_lots
from hardware.reader.judge.witness import Witness
from hardware.reader.lots import Shown
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.judge.drawn_throws import (
    PLACES,
    RADIUS,
    TRAY,
    counters,
    read,
    round_counters,
    shaded,
)
from tests.training.drawn_set import HAND, PAINT, WOOD, speckled

STONE = (190, 60, 40)


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
    ("places", "reason"),
    [
        ((*PLACES, (150, 120)), "count"),
        ((*PLACES, (234, 68)), "leaning"),
        ((*PLACES[:3], (93, 174)), "count"),
        (PLACES[:3], "count"),
    ],
    ids=["five", "a fifth half on another", "one on another", "three"],
)
def test_anything_but_four_counters_that_show_is_asked_about(places: tuple[tuple[int, int], ...], reason: str) -> None:
    """Things in the lots' colours count."""
    answer = read(round_counters(), counters("10101"[: len(places)], places))

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == reason


def test_a_fifth_counter_from_which_its_place_was_moved_is_not_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is as large as a lot is judged where it lies, too."""
    middle = (150, 120)

    def overlooking(seeing: Seeing) -> Candidates:
        found, scale = candidates(seeing), seeing.view.scene.factor
        away = [np.hypot(place.x * scale - middle[0], place.y * scale - middle[1]) > RADIUS for place in found.places]
        return found.of(np.flatnonzero(away).tolist())

    monkeypatch.setattr(judged_reader, "candidates", overlooking)

    answer = read(round_counters(), counters("10101", (*PLACES, middle)))

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


def test_what_can_be_taught_as_small_lots_is_no_stick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of long beans only the middle may be seen, and the judge of sticks may be surer of that than theirs of all."""

    def beans(faces: str) -> Pixels:
        pixels = TRAY.copy()
        for place, face, turn in zip(PLACES, faces, (0, 50, 100, 150), strict=True):
            cv2.ellipse(pixels, place, (18, 8), turn, 0, 360, PAINT if face == "1" else WOOD, -1, cv2.LINE_AA)
        return pixels

    narrow = LotShape(Bar(0, 0, 0, 36, 12), Ends(1.0), 400.0)
    shapes = teaching._shapes
    monkeypatch.setattr(teaching, "_shapes", lambda *seen: [narrow, *shapes(*seen)])
    monkeypatch.setattr(teaching, "_least_present", lambda _model, shape, _sides: 0.0 if shape.is_long else -1.0)

    known = find_lots(shipped_judge(), TRAY, beans("1111"), beans("0000"))

    assert narrow.is_long
    assert not known.shape.is_long


@pytest.mark.parametrize("shade", [3, 2])
def test_a_lot_on_a_darker_table_is_read_as_on_the_tray(shade: int) -> None:
    """The table's colour is no shade, in which the face would look otherwise than it was taught."""
    table = TRAY.copy()
    table[:, 260:] //= shade

    def laid(faces: str, places: Sequence[tuple[int, int]]) -> Pixels:
        lots = counters(faces, places)
        return np.where((lots != TRAY).any(axis=2, keepdims=True), lots, table)

    inside = [(70, 60), (70, 180), (150, 60), (150, 180)]
    reader = JudgedReader(shipped_judge(), table, laid("1111", inside), laid("0000", inside))

    for faces in ("1110", "1111", "0000", "0001"):
        answer = read(reader, laid(faces, [*inside[:3], (290, 120)]))

        assert isinstance(answer, ThrowSeen)
        assert answer.marked == faces.count("1")


@pytest.mark.parametrize(("networks", "read_as"), [(0.2, "unclear"), (0.3, "2"), (-0.3, "unclear")])
def test_colours_say_half_of_what_is_certain_at_most(
    monkeypatch: pytest.MonkeyPatch, networks: float, read_as: str
) -> None:
    """They are sure here, but alone they count no face, nor against the networks."""
    reader, certainty = round_counters(), Witness.certainty

    def said(witness: Witness, told: Floats) -> Floats:
        colours = told.shape[1] < 5 + MAKE + FACE
        sure = certainty(witness, told)
        return sure if colours else np.asarray(networks * np.sign(sure), np.float32)

    monkeypatch.setattr(Witness, "certainty", said)

    answer = read(reader, counters("0110"))

    assert (str(answer.marked) if isinstance(answer, ThrowSeen) else answer.reason) == read_as


def test_a_fingertip_beside_a_hand_belongs_to_it() -> None:
    """Even if it seems to lie apart from the hand."""
    pixels = counters("1100")
    cv2.circle(pixels, (319, 120), 30, HAND, -1)
    cv2.circle(pixels, (278, 120), 8, WOOD, -1)

    answer = read(round_counters(), pixels)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 2


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


@pytest.mark.parametrize("light", [(0.8, 0.65, 0.5), (0.45, 0.55, 0.65)], ids=["blue", "warm"])
@pytest.mark.parametrize("faces", ["0000", "1100", "1011"])
def test_lots_with_tinted_shadows_are_read(light: tuple[float, float, float], faces: str) -> None:
    """Where the lamp has another colour than the room, a shadow is not the tray made darker."""
    marked, plain, thrown = (shaded(counters(one), light=light) for one in ("1111", "0000", faces))
    reader = ThrowReader.calibrate(TRAY, marked, plain)

    answer = reader.read(thrown)

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


def test_a_fifth_bean_that_the_judge_doubts_is_not_overlooked() -> None:
    """Five pale beans lie apart, of set 72891 of the random renders. The judge gives one of them log-odds of -1.9."""
    folder = Path(__file__).parents[3] / "data" / "pale_beans"
    *lesson, five = (load_picture(folder / f"{name}.jpg") for name in ("empty", "marked", "plain", "five"))

    answer = ThrowReader.calibrate(*lesson).read(five)

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == "count"

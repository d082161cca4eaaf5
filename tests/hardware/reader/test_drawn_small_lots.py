"""Drawn throws of kernels, beans, coins and cubes are read, or refused with the right reason."""

from itertools import product

import cv2
import numpy as np
import pytest

from companion.errors import FacesAlike
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing_small_lots import APART, COLUMNS, SIZE, Small, calibration, four, scene
from tests.hardware.reader.labelled.corruptions import step

KINDS = ("kernels", "dotted kernels", "beans", "coins", "cubes")


class Readers(dict[str, ThrowReader]):
    """A reader for each kind, taught when it is first needed: each of several workers may run a few of these tests."""

    def __missing__(self, kind: str) -> ThrowReader:
        self[kind] = ThrowReader.calibrate(*calibration(kind))
        return self[kind]


@pytest.fixture(scope="module")
def readers() -> Readers:
    return Readers()


def thrown(seed: int, marked: int, pair: bool) -> list[Small]:
    """Four lots at random places, two of them touching if ``pair``."""
    random = np.random.default_rng(seed)
    places: list[tuple[float, float]] = []
    while len(places) < 4:
        x, y = random.uniform(180, 780), random.uniform(120, 600)
        if all(np.hypot(x - one, y - other) > 1.8 * SIZE for one, other in places):
            places.append((x, y))
    if pair:
        way = random.uniform(0, 2 * np.pi)
        places[3] = (places[0][0] + 0.98 * SIZE * np.cos(way), places[0][1] + 0.98 * SIZE * np.sin(way))
    order = random.permutation(4)
    return [
        Small(x, y, random.uniform(0, 360), number < marked, int(which))
        for number, ((x, y), which) in enumerate(zip(places, order, strict=True))
    ]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("marked", range(5))
def test_lots_that_lie_apart_are_counted(readers: dict[str, ThrowReader], kind: str, marked: int) -> None:
    """The light is slightly brighter or dimmer than during the calibration."""
    seen = readers[kind].read(scene(kind, thrown(marked, marked, pair=False), noise=60, light=0.88 + 0.06 * marked))

    assert isinstance(seen, ThrowSeen), seen
    assert seen.marked == marked
    assert [lot.face for lot in seen.lots].count(Face.MARKED) == marked


@pytest.mark.parametrize("kind", ["kernels", "dotted kernels", "beans", "cubes"])
def test_two_that_touch_are_told_apart(readers: dict[str, ThrowReader], kind: str) -> None:
    """At least eight of ten pairs that touch or overlap slightly are read, and none wrongly."""
    answers = [(n % 5, readers[kind].read(scene(kind, thrown(30 + n, n % 5, pair=True), noise=n))) for n in range(10)]
    read = [(marked, seen.marked) for marked, seen in answers if isinstance(seen, ThrowSeen)]

    assert len(read) >= 8
    assert all(marked == seen for marked, seen in read)


@pytest.mark.parametrize("kind", KINDS)
def test_other_counts_than_four_are_refused(readers: dict[str, ThrowReader], kind: str) -> None:
    """There are three lots, or five."""
    fifth = Small(470.0, 350.0, 10.0, True, 4)
    answers = [readers[kind].read(scene(kind, lots, noise=62)) for lots in (four(2)[:3], [*four(2), fifth])]

    assert [answer.reason for answer in answers if isinstance(answer, ThrowUnreadable)] == ["count", "count"]


@pytest.mark.parametrize(
    ("kind", "other", "reason"), [("beans", "kernels", "count"), ("kernels", "dotted kernels", "leaning")]
)
def test_a_thing_like_none_of_them_is_not_counted(
    readers: dict[str, ThrowReader], kind: str, other: str, reason: str
) -> None:
    """Three lots lie in the tray, and a thing as large from another set where the fourth would be."""
    picture = scene(kind, four(1)[:3], noise=63)
    there = slice(440, 560), slice(540, 660)
    picture[there] = scene(other, [Small(600.0, 500.0, 75.0, other != "kernels", 1)], noise=63)[there]
    answer = readers[kind].read(picture)

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason == reason


@pytest.mark.parametrize("kind", KINDS)
def test_a_fifth_lot_against_another_is_never_overlooked(readers: dict[str, ThrowReader], kind: str) -> None:
    """It touches a lot or lies half on it, on any side, by turns of the kinds."""
    for number, way in enumerate(range(0, 360, 60), KINDS.index(kind)):
        apart = (0.55, 0.95)[number % 2]
        x = APART[0][0] + apart * SIZE * np.cos(np.radians(way))
        y = APART[0][1] + apart * SIZE * np.sin(np.radians(way))
        lots = [*four(2), Small(float(x), float(y), 3.0 * way, bool(way % 120), 4)]

        assert isinstance(readers[kind].read(scene(kind, lots, noise=way)), ThrowUnreadable), (way, apart)


@pytest.mark.parametrize("kind", ["kernels", "beans", "coins"])
def test_a_lot_on_its_edge_is_refused(readers: dict[str, ThrowReader], kind: str) -> None:
    """It has half of the usual outline, and may have any colour."""
    for marked in (True, False):
        lots = [*four(2)[:3], Small(600.0, 500.0, 75.0, marked, 3, edge=True)]

        assert isinstance(readers[kind].read(scene(kind, lots, noise=63)), ThrowUnreadable)


@pytest.mark.parametrize("kind", KINDS)
def test_game_pieces_and_fingertips_are_ignored(readers: dict[str, ThrowReader], kind: str) -> None:
    """There are a large game piece in the tray and fingers at the border."""
    seen = readers[kind].read(scene(kind, four(3), noise=64, others=("token", "hand")))

    assert isinstance(seen, ThrowSeen), seen
    assert seen.marked == 3


CRUMB = 4, (40, 165, 215)
MIDDLE = 470, 350


@pytest.mark.parametrize("lots", [3, 4])
def test_a_crumb_is_no_fifth_lot(readers: dict[str, ThrowReader], lots: int) -> None:
    """Beside four lots a speck of their colour is ignored; beside three it may be a part of the fourth."""
    picture = scene("kernels", four(2)[:lots], noise=66)
    cv2.circle(picture, MIDDLE, *CRUMB, cv2.FILLED, cv2.LINE_AA)

    seen = readers["kernels"].read(picture)

    assert seen.marked == 2 if isinstance(seen, ThrowSeen) else lots == 3, seen


@pytest.mark.parametrize("lots", [3, 4])
def test_strip_shown_by_a_knock_is_no_fifth_lot(readers: dict[str, ThrowReader], lots: int) -> None:
    """A strip of the surroundings at the border is ignored; beside three lots it may be a part of the fourth."""
    picture = scene("kernels", four(2)[:lots], noise=70)
    picture[340:362, :9] = (40, 165, 215)

    seen = readers["kernels"].read(picture)

    assert seen.marked == 2 if isinstance(seen, ThrowSeen) else lots == 3, seen


@pytest.mark.parametrize("apart", [True, False])
def test_a_die_in_the_lots_colours_is_no_lot(readers: dict[str, ThrowReader], apart: bool) -> None:
    """Even with a piece broken out it is neither one lot nor several, unless it touches one."""
    picture = scene("kernels", four(2), noise=68)
    x, y = MIDDLE if apart else (round(APART[3][0]) - 44, round(APART[3][1]))
    cv2.rectangle(picture, (x - 24, y - 24), (x + 24, y + 24), (45, 42, 40), cv2.FILLED)
    cv2.circle(picture, (x, y - 24), 13, tuple(map(int, picture[250, 470])), cv2.FILLED)

    seen = readers["kernels"].read(picture)

    assert seen.marked == 2 if isinstance(seen, ThrowSeen) else not apart, seen


def test_a_striped_counter_is_no_lot(readers: dict[str, ThrowReader]) -> None:
    """It has a lot's size and colours, but resembles neither face."""
    picture = scene("dotted kernels", four(2), noise=69)
    cv2.circle(picture, MIDDLE, 15, (40, 165, 215), cv2.FILLED, cv2.LINE_AA)
    for shift in (-9, 0, 9):
        cv2.line(picture, (MIDDLE[0] - 11, MIDDLE[1] + shift), (MIDDLE[0] + 11, MIDDLE[1] + shift), (45, 42, 40), 4)

    seen = readers["dotted kernels"].read(picture)

    assert isinstance(seen, ThrowSeen), seen
    assert seen.marked == 2


def test_a_hand_beside_the_lots_is_no_lot_even_in_their_colour(readers: dict[str, ThrowReader]) -> None:
    """Fingertips that look like kernels in shadow are still connected to the hand at the border."""
    picture = scene("kernels", four(3), noise=65, others=("hand",))
    picture[280:420, -190:-100] = (0.5 * picture[280:420, -190:-100]).astype(np.uint8)
    for row in (300, 350, 400):
        cv2.circle(picture, (COLUMNS - 170, row), 15, (40, 165, 215), cv2.FILLED, cv2.LINE_AA)

    seen = readers["kernels"].read(picture)

    assert isinstance(seen, ThrowSeen), seen
    assert seen.marked == 3


def test_a_fingertip_that_seems_to_lie_alone_is_no_lot(readers: dict[str, ThrowReader]) -> None:
    """If the finger behind it has the tray's colour, the tip is not counted as a fourth lot."""
    picture = scene("kernels", four(2)[:3], noise=71, others=("hand",))
    cv2.circle(picture, (COLUMNS - 134, 300), 15, (40, 165, 215), cv2.FILLED, cv2.LINE_AA)

    seen = readers["kernels"].read(picture)

    assert isinstance(seen, ThrowUnreadable), seen
    assert seen.reason == "covered"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lots", [4, 5])
def test_a_fifth_lot_in_a_shadow_is_never_overlooked(readers: dict[str, ThrowReader], kind: str, lots: int) -> None:
    """A shadow that falls in over the border is not a hand, whose fingers are ignored; without the fifth lot the throw
    is read.
    """
    lit = scene(kind, [*four(2), Small(470.0, 600.0, 10.0, True, 4)][:lots], noise=70)
    down = np.arange(lit.shape[0])[:, None, None]
    counts = set()
    # Every second shadow, the others with the next kind.
    for edge, depth in [*product((570, 600, 630, 690), (0.3, 0.4, 0.5))][KINDS.index(kind) % 2 :: 2]:
        seen = readers[kind].read((lit * (1 - depth * step(down - edge, 2))).astype(np.uint8))
        counts.add(seen.marked if isinstance(seen, ThrowSeen) else None)

    assert counts - {None} == ({2} if lots == 4 else set())


@pytest.mark.parametrize(
    ("depth", "inside", "first"), [(0.3, False, 456), (0.45, False, 460), (0.4, True, 456), (0.5, True, 460)]
)
def test_the_edge_of_a_shadow_is_no_mark(
    readers: dict[str, ThrowReader], depth: float, inside: bool, first: int
) -> None:
    """A band of shadow across two lots never changes the count."""
    lit = scene("dotted kernels", four(2), noise=70)
    across, down = np.arange(COLUMNS)[:, None], np.arange(lit.shape[0])[:, None, None]
    lies = np.abs(across - COLUMNS / 2) < (0.3 if inside else 0.5) * COLUMNS
    plain = readers["dotted kernels"].read(lit)
    assert isinstance(plain, ThrowSeen)
    assert plain.marked == 2
    for edge in range(first, 506, 8):
        band = step(down - edge, 1.5) * step(edge + 60 - down, 1.5)
        seen = readers["dotted kernels"].read((lit * (1 - depth * band * lies)).astype(np.uint8))

        assert isinstance(seen, ThrowUnreadable) or seen.marked == 2, edge


@pytest.mark.parametrize("marked", [True, False])
def test_shade_next_to_another_lot_is_no_mark(readers: dict[str, ThrowReader], marked: bool) -> None:
    """A plain lot half in another's shade is read at least half of the time, and never as marked."""
    x, y, _ = APART[0]
    read = 0
    for way in range(0, 360, 45):
        place = x + 0.8 * SIZE * np.cos(np.radians(way)), y + 0.8 * SIZE * np.sin(np.radians(way))
        lots = [*four(2)[1::2], Small(x, y, 20.0, False, 0), Small(*place, 2.0 * way, marked, 2)]

        seen = readers["dotted kernels"].read(scene("dotted kernels", lots, noise=way))

        if isinstance(seen, ThrowSeen):
            read += 1
            assert seen.marked == 1 + marked, (way, seen)

    assert read >= 4


@pytest.mark.parametrize("kind", ["dotted kernels", "coins", "cubes"])
@pytest.mark.parametrize(("number", "size"), [*product([0, 3], [0.28, 0.32, 0.36])])
def test_a_lot_half_burnt_out_to_white_is_asked_about(
    readers: dict[str, ThrowReader], kind: str, number: int, size: float
) -> None:
    """A mark in its middle, if it has one, cannot be seen; what is white altogether may be no lot."""
    picture = scene(kind, four(2), noise=70)
    x, y, _ = APART[number]
    cv2.circle(picture, (round(x), round(y)), round(size * SIZE), (255, 255, 255), cv2.FILLED)

    answer = readers[kind].read(picture)

    assert isinstance(answer, ThrowUnreadable)
    assert answer.reason in ("glare", "count")


def test_white_lots_are_no_glare() -> None:
    """They were as white when they were taught."""
    *taught, thrown = (whitened(picture) for picture in (*calibration("cubes"), scene("cubes", four(1), noise=71)))

    answer = ThrowReader.calibrate(*taught).read(thrown)

    assert isinstance(answer, ThrowSeen)
    assert answer.marked == 1


def whitened(picture: Pixels) -> Pixels:
    """The picture with pale wood as white paint in bright light."""
    white = picture.copy()
    white[picture.min(axis=2) > 150] = 255
    return white


def test_faces_that_do_not_differ_are_refused_when_taught() -> None:
    """The calibration refuses them with advice, so the game does not have to."""
    with pytest.raises(FacesAlike, match="bolder"):
        ThrowReader.calibrate(*calibration("twins"))

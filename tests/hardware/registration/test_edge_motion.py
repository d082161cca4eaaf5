"""How the edges that differ between two pictures have moved."""

import cv2
import numpy as np
import pytest

from hardware.cameras.camera import Pixels
from hardware.registration.edge_motion import Move, edge_motion, edges_stay
from tests.grain import grain

ROWS, COLUMNS = 480, 640
RIM = np.array([[130.0, 90], [520, 70], [540, 390], [110, 410]])


def scene(move: Move | None = None, *, light: float = 1.0, noise: int = 0) -> Pixels:
    """A plain tray with a rim on a table whose boards do not move with it, in grey."""
    picture = np.full((ROWS, COLUMNS), 120, np.uint8)
    for at in range(40, COLUMNS, 90):
        cv2.line(picture, (at, 0), (at, ROWS), 80, 2, cv2.LINE_AA)
    corners = RIM if move is None else RIM @ move[:, :2].T + move[:, 2]
    place = [np.round(corners * 16).astype(np.int32)]
    cv2.polylines(picture, place, True, 200, 14, cv2.LINE_AA, 4)
    cv2.fillPoly(picture, place, 60, cv2.LINE_AA, 4)
    return np.asarray(np.clip(picture * light + grain(noise, 1.5, picture.shape), 0, 255), np.uint8)


def shift(right: float, down: float, turn: float) -> Move:
    """A shift in pixels and a turn in radians around the picture's middle."""
    move = cv2.getRotationMatrix2D((COLUMNS / 2, ROWS / 2), -np.degrees(turn), 1.0)
    move[:, 2] += np.array([right, down])
    return np.asarray(move, np.float64)


def farthest_off(found: Move | None, move: Move) -> float:
    """How far the rim is from its place, in pixels."""
    assert found is not None
    return float(np.linalg.norm(np.hstack([RIM, np.ones((4, 1))]) @ (found - move).T, axis=1).max())


@pytest.mark.parametrize("light", [1.0, 0.7])
@pytest.mark.parametrize("nudge", [(1.5, -0.5, 0.0), (4, -3, 0.01), (-6, 5, -0.02), (9, 9, 0.0)])
def test_a_nudged_rim_is_followed_although_the_table_stays(nudge: tuple[float, float, float], light: float) -> None:
    """No texture of the tray is needed."""
    move = shift(*nudge)

    assert farthest_off(edge_motion(scene(noise=1), scene(move, light=light, noise=2)), move) < 0.5


def test_sticks_and_a_hand_over_the_rim_do_not_matter() -> None:
    """A quarter of the rim is covered."""
    move = shift(4, -3, 0.01)
    picture = scene(move, noise=2)
    for start, end, width in (((90, 200), (250, 260), 20), ((300, 40), (330, 190), 20), ((640, 260), (480, 380), 70)):
        cv2.line(picture, start, end, 230, width, cv2.LINE_AA)

    assert farthest_off(edge_motion(scene(noise=1), picture), move) < 0.5


@pytest.mark.parametrize("move", [shift(0, 0, 0), shift(0.3, -0.2, 0)])
def test_edges_stay_although_a_hand_covers_some(move: Move) -> None:
    """The light is other, too, and so is the noise."""
    picture = scene(move, light=0.8, noise=2)
    cv2.line(picture, (640, 260), (480, 380), 230, 70, cv2.LINE_AA)

    assert edges_stay(scene(noise=1), picture)


@pytest.mark.parametrize("move", [shift(4, -3, 0.01), shift(0, 60, 0), shift(90, 0, 0), shift(0, 0, 0.1)])
def test_edges_of_what_has_moved_do_not_stay(move: Move) -> None:
    """The camera has moved: table and tray alike, also along the table's boards."""
    picture = cv2.warpAffine(scene(), move, (COLUMNS, ROWS), borderMode=cv2.BORDER_REPLICATE)

    assert not edges_stay(scene(noise=1), np.asarray(np.clip(picture + grain(2, 1.5, picture.shape), 0, 255), np.uint8))


def test_nothing_has_moved_where_only_noise_and_light_differ() -> None:
    """A still tray needs no second motion."""
    assert edge_motion(scene(noise=1), scene(light=0.8, noise=2)) is None


def test_edges_that_are_covered_have_not_moved() -> None:
    """A cloth over half of the rim explains itself by no motion."""
    picture = scene(noise=2)
    cv2.rectangle(picture, (0, 0), (COLUMNS // 2, ROWS), 150, cv2.FILLED)

    assert edge_motion(scene(noise=1), picture) is None

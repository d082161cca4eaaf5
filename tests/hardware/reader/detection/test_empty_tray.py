"""Alignment of the empty tray's picture to the tray's present position."""

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.reader.detection.empty_tray import EmptyTray
from hardware.registration.tray_moves import TrayMoves
from tests.training.drawn_set import COLUMNS, ROWS, speckled


def moved(tray: Pixels, right: float, turn: float) -> Pixels:
    move = cv2.getRotationMatrix2D((COLUMNS / 2, ROWS / 2), turn, 1.0)
    move[0, 2] += right
    return np.asarray(cv2.warpAffine(tray, move, (COLUMNS, ROWS), borderMode=cv2.BORDER_REFLECT), np.uint8)


def test_a_nudged_tray_in_other_light_is_followed() -> None:
    """The remaining difference is far less than the tray's own texture."""
    tray = speckled(3)
    picture = np.round(moved(tray, 4.0, 1.0) * [0.6, 0.7, 0.75]).astype(np.uint8)

    aligned = EmptyTray(tray).aligned(picture)

    assert aligned is not None
    inside = (slice(20, -20), slice(20, -20))
    assert np.abs(aligned - picture)[inside].mean() < 2 < np.abs(0.7 * tray - picture)[inside].mean()


def test_a_plain_tray_on_a_speckled_table_is_followed_by_its_rim() -> None:
    """Most of the texture is the table's, which stays where it is."""

    def scene(right: int, down: int, turn: float) -> Pixels:
        table = speckled(3)
        corners = cv2.boxPoints(((COLUMNS / 2 + right, ROWS / 2 + down), (220, 150), turn)).round().astype(np.int32)
        cv2.fillPoly(table, [corners], (90, 90, 90), cv2.LINE_AA)
        cv2.polylines(table, [corners], True, (210, 220, 230), 6, cv2.LINE_AA)
        return table

    picture = scene(5, -3, 1.0)

    aligned = EmptyTray(scene(0, 0, 0.0)).aligned(picture)

    assert aligned is not None
    assert (np.abs(aligned - picture).max(axis=2) > 60).mean() < 0.002


def test_a_tray_whose_texture_drowns_in_noise_is_followed_by_what_is_larger() -> None:
    """Another such tray is still not found."""
    random = np.random.default_rng(6)
    fields = random.normal(120, 45, (2, ROWS // 20, COLUMNS // 20, 3)).clip(0, 255).astype(np.uint8)
    one, other = (cv2.resize(field, (COLUMNS, ROWS), interpolation=cv2.INTER_NEAREST) for field in fields)

    def noisy(tray: NDArray[Any]) -> Pixels:
        return np.asarray((tray + random.normal(0, 100, tray.shape)).clip(0, 255), np.uint8)

    moves = TrayMoves(noisy(one))

    ((_, _, right), (_, _, down)) = moves.found(noisy(moved(one, 5.0, 0.0)))[0]
    assert abs(right - 5) < 1
    assert abs(down) < 1
    assert not moves.found(noisy(other))


def test_a_plain_tray_in_noise_is_known_by_its_edge() -> None:
    """It has no texture, and the noise looks like one. A tray elsewhere is still not found."""
    random = np.random.default_rng(6)

    def scene(right: int, down: int) -> Pixels:
        table = np.full((ROWS, COLUMNS, 3), 105, np.uint8)
        cv2.circle(table, (COLUMNS // 2 + right, ROWS // 2 + down), ROWS // 3, (60, 66, 58), cv2.FILLED, cv2.LINE_AA)
        return np.asarray((table + random.normal(0, 30, table.shape)).clip(0, 255), np.uint8)

    moves = TrayMoves(scene(0, 0))

    np.testing.assert_array_equal(moves.found(scene(0, 0)), [np.eye(2, 3)])
    assert not moves.found(scene(20, 0))
    assert not moves.found(scene(130, 60))


def test_another_response_of_the_camera_is_undone() -> None:
    """A camera that brightens dark places more than bright ones changes colours as no light does."""
    tray = speckled(3)
    tray[:, : COLUMNS // 2] //= 4
    curved = np.round(255 * (tray / 255.0) ** 0.7).astype(np.uint8)

    scene = EmptyTray(tray).scene(curved)

    assert scene is not None
    for seen in (scene.small, scene.given):
        assert np.abs(seen - tray.astype(float)).mean() < 0.2 * np.abs(curved - tray.astype(float)).mean()


def test_another_tray_is_not_found() -> None:
    """Its texture differs from the calibrated one."""
    assert EmptyTray(speckled(3)).aligned(speckled(4)) is None


def test_a_tray_without_texture_stays_where_it_was() -> None:
    """Without texture there is nothing to align."""
    plain = np.full((ROWS, COLUMNS, 3), 120, np.uint8)

    aligned = EmptyTray(plain).aligned(plain)

    assert aligned is not None
    np.testing.assert_allclose(aligned, 120, atol=0.01)

"""The simulated camera: fair sticks, true results, movement and rest, and pictures for a calibration."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import cv2
import numpy as np
import pytest

from companion.referee.events import Face, ThrowSeen
from hardware.cameras.camera import Pixels
from hardware.cameras.simulated_camera import TUMBLE_S, SimulatedCamera
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.settling import SettlingDetector
from tests.hardware.cameras.fake_clock import FakeClock


def simulated(seed: int, clock: FakeClock | None = None, *, width: int = 1280, height: int = 960) -> SimulatedCamera:
    clock = clock or FakeClock()
    return SimulatedCamera(seed, clock=clock, sleep=clock.sleep, width=width, height=height)


def rested(camera: SimulatedCamera, clock: FakeClock) -> Pixels:
    """Throw, wait until the sticks lie still, and take a still."""
    camera.throw()
    clock.sleep(TUMBLE_S[1] + 0.1)
    return camera.still().pixels


def moving_share(one: Pixels, other: Pixels) -> float:
    """Return the share of pixels that differ by more than noise."""
    smooth = [cv2.blur(pixels, (5, 5)).astype(int) for pixels in (one, other)]
    return float((np.abs(smooth[0] - smooth[1]).max(axis=2) > 6).mean())


def test_same_seed_same_pictures() -> None:
    """Equal seeds give equal throws and equal pixels; another seed gives other throws."""
    clock = FakeClock()
    first, again, other = (simulated(seed, clock, width=640, height=480) for seed in (7, 7, 8))
    pictures = [rested(camera, clock) for camera in (first, again, other)]

    np.testing.assert_array_equal(pictures[0], pictures[1])
    assert first.truth == again.truth
    assert first.truth != other.truth


def test_looking_does_not_change_the_throws() -> None:
    """Throws do not depend on the frames taken, nor on ``calibration``."""
    looked, blind = (simulated(3, width=320, height=240) for _ in range(2))
    truths = []
    for camera in (looked, blind):
        for _ in range(3):
            camera.throw()
            if camera is looked:
                camera.next_frame()
                camera.calibration()
        truths.append(camera.truth)

    assert truths[0] == truths[1]


def test_the_scene_is_rendered_once_for_each_size() -> None:
    """A camera that is opened again need not wait for it."""
    first, again, larger = (simulated(seed, width=width, height=240) for seed, width in ((1, 320), (2, 320), (1, 340)))

    assert first._full is again._full
    assert first._full is not larger._full


def test_sticks_are_fair_and_mostly_apart() -> None:
    """The counts are those of four fair coins, and in about one throw of eight sticks touch."""
    camera = simulated(11, width=320, height=240)
    counts: Counter[int] = Counter()
    apart = 0
    throws = 2000
    for _ in range(throws):
        camera.throw()
        assert camera.truth is not None
        counts[camera.truth.marked] += 1
        apart += camera.truth.apart

    for marked, outcomes in enumerate((1, 4, 6, 4, 1)):
        assert abs(counts[marked] / throws - outcomes / 16) < 0.04
    assert 0.84 < apart / throws < 0.90


def test_truth_is_where_the_sticks_are() -> None:
    """A stick lies at each true centre, and the true count is the number of marked faces."""
    clock = FakeClock()
    camera = simulated(4, clock)
    empty = cv2.GaussianBlur(camera.calibration()[0], (0, 0), 2).astype(int)
    for _ in range(4):
        seen = cv2.GaussianBlur(rested(camera, clock), (0, 0), 2).astype(int)
        truth = camera.truth
        assert truth is not None

        assert truth.marked == sum(stick.face is Face.MARKED for stick in truth.sticks)
        for stick in truth.sticks:
            assert 0 <= stick.angle < 180
            spot = round(stick.y), round(stick.x)
            assert np.abs(seen[spot] - empty[spot]).max() > 25


def test_calibration_shows_four_of_each_face() -> None:
    """They are an empty tray, four sticks with dark bands and four pale ones, all apart."""
    empty, marked, plain = (cv2.GaussianBlur(picture, (0, 0), 2) for picture in simulated(0).calibration())
    pale, dark = (142, 184, 212), (40, 46, 56)
    shares = []
    for picture in (marked, plain):
        changed = (np.abs(picture.astype(int) - empty.astype(int)).max(axis=2) > 25).astype(np.uint8)
        found, _, stats, _ = cv2.connectedComponentsWithStats(
            cv2.morphologyEx(changed, cv2.MORPH_CLOSE, np.ones((9, 9)))
        )
        assert sum(area > 3000 for area in stats[1:found, cv2.CC_STAT_AREA]) == 4
        colours = picture[changed > 0].astype(int)
        nearer_dark = np.abs(colours - dark).sum(axis=1) < np.abs(colours - pale).sum(axis=1)
        shares.append(float(nearer_dark.mean()))

    assert shares[0] > 0.3
    assert shares[1] < 0.15


def test_throw_moves_then_rests() -> None:
    """Only the sensor's noise changes before a throw and after it; in between there is clear movement."""
    camera = simulated(9)
    before = [camera.next_frame().pixels for _ in range(3)]
    camera.throw()
    during = [camera.next_frame().pixels for _ in range(10)]
    for _ in range(8):
        camera.next_frame()
    after = [camera.next_frame().pixels for _ in range(3)]

    assert moving_share(before[0], before[2]) < 0.0005
    shares = [moving_share(one, other) for one, other in pairwise(during)]
    assert sorted(shares)[len(shares) // 2] > 0.02
    assert min(shares) > 0.005
    assert moving_share(after[0], after[2]) < 0.0005
    assert (after[0] != after[2]).mean() > 0.2


@pytest.mark.slow
def test_reader_never_misreads_it() -> None:
    """Calibrated with its pictures, the reader reads at least 90 % of the throws that lie apart, and none wrongly."""
    clock = FakeClock()
    camera = simulated(23, clock)
    reader = ThrowReader.calibrate(*camera.calibration())
    apart = read = 0
    for _ in range(16):
        picture = rested(camera, clock)
        truth = camera.truth
        assert truth is not None
        seen = reader.read(picture)
        if isinstance(seen, ThrowSeen):
            assert seen.marked == truth.marked
        apart += truth.apart
        read += truth.apart and isinstance(seen, ThrowSeen)

    assert apart > 10
    assert read >= 0.9 * apart


def test_settling_sees_every_throw() -> None:
    """Each throw is noticed, and found at rest soon after the last stick has landed, not before."""
    camera = simulated(24, width=640, height=480)
    settling = SettlingDetector(camera.calibration()[0])
    for _ in range(20):
        assert not (settling.update(camera.next_frame()) and settling.has_changed)
    for _ in range(8):
        camera.throw()
        frames = [camera.next_frame() for _ in range(30)]
        at_rest = [settling.update(frame) and settling.has_changed for frame in frames]
        settling.mark_read()

        assert TUMBLE_S[0] < frames[at_rest.index(True)].taken_at - frames[0].taken_at < TUMBLE_S[1] + 0.5
        assert all(at_rest[at_rest.index(True) :])


def test_frames_keep_their_pace() -> None:
    """There are about fifteen frames a second by the camera's clock."""
    camera = simulated(1, width=320, height=240)
    times = [camera.next_frame().taken_at for _ in range(16)]

    assert times[-1] - times[0] == pytest.approx(1.0, abs=0.05)

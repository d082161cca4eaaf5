"""The tray is read when it has come to rest, not earlier, and only once."""

import gc
import weakref
from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest

from hardware.cameras.camera import Frame, Pixels
from hardware.tracking.settling import SettlingDetector
from tests.hardware.reader.drawing import Stick, four, tray


def update_all(
    detector: SettlingDetector, pictures: Iterable[Pixels], *, fps: float = 30, start: float = 0.0
) -> list[bool]:
    """Pass pictures at a constant rate, and return the answers."""
    return [detector.update(Frame(pixels, start + number / fps)) for number, pixels in enumerate(pictures)]


def still(count: int, sticks: list[Stick] | None = None, **more: object) -> list[Pixels]:
    """Draw the same tray several times, with new noise."""
    return [tray(sticks or [], noise=number, **more) for number in range(count)]  # type: ignore[arg-type]  # each has its own type


@pytest.mark.parametrize("fps", [10, 30])
def test_still_tray_is_at_rest_within_half_a_second(fps: float) -> None:
    """Noise is not motion."""
    answers = update_all(SettlingDetector(), still(int(fps), four(2)), fps=fps)

    assert not answers[0]
    assert all(answers[int(0.5 * fps) :])


def test_flicker_is_not_motion() -> None:
    """A lamp that brightens and dims every frame is ignored."""
    flickering = [tray(four(2), light=1 + 0.06 * (-1) ** number, noise=number) for number in range(20)]

    assert all(update_all(SettlingDetector(), flickering)[12:])


def test_shaking_camera_is_not_motion() -> None:
    """The picture shifts by a third of a pixel, as on a table that someone leans on."""
    steps = np.random.default_rng(1).uniform(-0.3, 0.3, (20, 2))
    shaken = [
        cv2.warpAffine(
            tray(four(2), noise=n), np.array([[1, 0, x], [0, 1, y]]), (640, 480), borderMode=cv2.BORDER_REFLECT
        ).astype(np.uint8)
        for n, (x, y) in enumerate(steps)
    ]

    assert all(update_all(SettlingDetector(), shaken)[12:])


@pytest.mark.parametrize("speed", [0.7, 3.0, 20.0])
def test_moving_stick_is_not_at_rest(speed: float) -> None:
    """Whether it moves fast or slowly, in pixels a frame."""
    moving = [tray([*four(0)[:3], Stick(300 + speed * n, 240, 30)], noise=n) for n in range(14)]

    assert not any(update_all(SettlingDetector(), moving))


def test_rotating_stick_is_not_at_rest() -> None:
    """A stick that turns slowly in place is moving until it stops."""
    turning = [tray([Stick(300, 240, 30 + 1.0 * n)], noise=n) for n in range(12)]
    detector = SettlingDetector()

    assert not any(update_all(detector, turning))
    assert update_all(detector, still(15, [Stick(300, 240, 41)]), start=12 / 30)[-1]


def test_resting_hand_is_not_rest() -> None:
    """A hand over the tray that does not move prevents rest."""
    held = still(30, four(2), hand=(500, 300))

    assert not any(update_all(SettlingDetector(tray()), held))
    assert update_all(SettlingDetector(tray()), still(30, four(2)))[-1]


def test_obstruction_prevents_rest_until_it_is_accepted() -> None:
    """However long it stays; after that, a hand still does."""
    detector = SettlingDetector(tray())
    cup = still(12, four(2), hand=(560, 300))
    long = [frame for _ in range(10) for frame in cup[:10]]

    assert not any(update_all(detector, long, fps=10))
    assert detector.is_obstructed
    detector.accept_obstruction()
    assert all(update_all(detector, long[:40], fps=10, start=10.0))
    assert not detector.is_obstructed
    assert not update_all(detector, still(10, four(2), hand=(300, 300)), fps=10, start=14.0)[-1]


def test_empty_tray_may_have_another_size() -> None:
    """The calibration has full pictures, the frames are small."""
    large = cv2.resize(tray(), (1280, 960)).astype(np.uint8)

    assert update_all(SettlingDetector(large), still(20, four(1)))[-1]


def test_throw_is_new_until_it_is_read() -> None:
    """Nothing has changed at the start, a throw is a change, and reading it resets that."""
    detector = SettlingDetector()
    update_all(detector, still(10))
    assert not detector.has_changed

    update_all(detector, still(15, four(2)), start=10 / 30)
    assert detector.has_changed
    detector.mark_read()
    assert not detector.has_changed

    update_all(detector, still(15, four(2)), start=25 / 30)
    assert not detector.has_changed


def test_passing_hand_is_not_a_new_throw() -> None:
    """Reaching across the tray is motion, but the tray has not changed afterwards."""
    detector = SettlingDetector()
    update_all(detector, still(15, four(2)))
    update_all(detector, still(5, four(2), hand=(400, 100)), start=0.5)
    update_all(detector, still(15, four(3)), start=0.7)
    assert detector.has_changed
    detector.mark_read()

    update_all(detector, still(5, four(3), hand=(400, 100)), start=1.2)
    update_all(detector, still(15, four(3)), start=1.4)

    assert not detector.has_changed


def test_gap_starts_over() -> None:
    """Nobody knows what happened during a gap between frames."""
    detector = SettlingDetector()
    assert update_all(detector, still(15, four(2)))[-1]

    assert not detector.update(Frame(tray(four(2)), 5.0))


def test_reading_may_take_seconds() -> None:
    """The first frame after it is compared with what was read; a later gap starts over."""
    detector = SettlingDetector()
    assert update_all(detector, still(15, four(2)))[-1]
    detector.mark_read()

    assert detector.update(Frame(tray(four(2)), 5.0))
    detector.mark_read()
    assert not detector.update(Frame(tray(four(3)), 8.0))
    assert not detector.update(Frame(tray(four(3)), 10.0))
    assert not detector.is_settling
    assert not detector.update(Frame(tray(four(3)), 10.2))
    assert detector.is_settling
    detector.expect_delay()
    assert detector.update(Frame(tray(four(3)), 14.0))


def test_a_tray_with_a_hand_in_view_is_not_settling() -> None:
    """However still it is, what lies under it is not worth reading."""
    detector = SettlingDetector(tray())
    update_all(detector, still(3, four(2), hand=(400, 100)), fps=10)
    under_a_hand = detector.is_settling
    update_all(detector, still(3, four(2)), fps=10, start=0.3)

    assert not under_a_hand
    assert detector.is_settling


def test_frames_of_another_size_start_over() -> None:
    """A change of size is neither motion nor rest."""
    detector = SettlingDetector()
    assert update_all(detector, still(15, four(2)))[-1]

    assert not detector.update(Frame(tray(four(2))[:300], 0.52))


NUDGES = [(0.5, 0, False), (12, 5, True), (30, 40, True)]
"""Pixels and degrees by which one of four sticks is pushed, and whether that is a change."""


@pytest.mark.parametrize(("pixels", "degrees", "noticed"), NUDGES)
def test_nudge_differs_from_a_throw(pixels: float, degrees: float, noticed: bool) -> None:
    """If one of four is pushed, most has not moved; if all four lie elsewhere, they were thrown."""
    detector = SettlingDetector(tray())
    update_all(detector, still(15, four(2)))
    detector.mark_read()
    first, *others = four(2)
    pushed = [Stick(first.x + pixels, first.y, first.turn + degrees, first.marked), *others]
    update_all(detector, still(15, pushed), start=0.5)

    assert detector.has_changed is noticed
    assert detector.is_nudged
    detector.mark_read()
    thrown = [Stick(stick.x, 460 - stick.y, 70 - stick.turn) for stick in pushed]
    update_all(detector, still(15, thrown), start=1.0)
    assert detector.has_changed
    assert not detector.is_nudged


@pytest.mark.parametrize("change", ["brighter", "from the side", "bumped", "shaded"])
def test_changed_light_or_bumped_camera_is_not_a_change(change: str) -> None:
    """The picture differs, but the lots have not moved."""
    detector = SettlingDetector(tray())
    update_all(detector, still(15, four(2)))
    detector.mark_read()
    across = np.linspace(0.7, 1.1, 640)[None, :, None]
    shade = 1 - 0.35 / (1 + np.exp((np.arange(640) - 150) / 25))[None, :, None]
    changes: dict[str, Callable[[Pixels], Pixels]] = {
        "brighter": lambda picture: np.asarray(np.clip(picture * 1.3, 0, 255), np.uint8),
        "from the side": lambda picture: np.asarray(np.clip(picture * across, 0, 255), np.uint8),
        "bumped": lambda picture: np.asarray(np.roll(picture, (3, -5), (0, 1)), np.uint8),
        "shaded": lambda picture: np.asarray(picture * shade, np.uint8),
    }
    answers = update_all(detector, [changes[change](picture) for picture in still(20, four(2))], start=0.5)

    assert answers[-1]
    assert not detector.has_changed


def test_empty_tray_is_untouched_until_something_moves() -> None:
    """A throw ends that."""
    detector = SettlingDetector(tray())
    assert update_all(detector, still(15))[-1]
    assert detector.is_untouched

    update_all(detector, still(3, four(2), hand=(300, 200)), start=0.5)
    assert update_all(detector, still(15, four(2)), start=0.6)[-1]
    assert not detector.is_untouched


def test_irregular_frames_do_not_cause_early_rest() -> None:
    """Dropped or late frames delay rest, and frames with the same time add nothing."""
    detector = SettlingDetector()
    pictures = still(8, four(2))
    times = [0.0, 0.0, 0.0, 0.3, 0.3, 0.75, 1.4, 1.35]

    answers = [detector.update(Frame(picture, at)) for picture, at in zip(pictures, times, strict=True)]

    assert answers == [False, False, False, True, True, True, True, False]


def test_creeping_is_motion() -> None:
    """Frames are compared with the first one of the rest, not with the previous one."""
    creeping = [tray([*four(0)[:3], Stick(300 + 0.3 * n, 240, 30)], noise=n) for n in range(30)]

    assert not any(update_all(SettlingDetector(), creeping))


def test_rocking_stick_is_not_at_rest() -> None:
    """It rocks twice a second by three degrees."""
    rocking = [
        tray([*four(0)[:3], Stick(300, 240, 30 + 3 * float(np.sin(2 * np.pi * n / 15)))], noise=n) for n in range(40)
    ]

    assert not any(update_all(SettlingDetector(), rocking))


def test_memory_is_bounded() -> None:
    """Through rests and motion, no frame is kept, and at most three small ones."""
    detector = SettlingDetector(tray())

    def watch(number: int) -> weakref.ref[Pixels]:
        # A function of its own, because measuring coverage keeps the variables of those that run.
        picture = tray(four(number // 20), noise=number)
        detector.update(Frame(picture, number / 15))
        if detector.has_changed:
            detector.mark_read()
        return weakref.ref(picture)

    kept = [watch(number) for number in range(60)]
    gc.collect()

    assert sum(one() is not None for one in kept) == 0
    held = {id(one): one for one in gc.get_objects() if type(one).__name__ == "_SmallFrame"}
    assert 0 < len(held) <= 3

"""The tray is read when it has come to rest, no sooner, and only once."""

import gc
import weakref
from collections.abc import Callable, Iterable

import cv2
import numpy as np
import pytest

from hardware.camera import Frame, Pixels
from hardware.settling import Settling
from tests.hardware.drawing import Stick, four, tray


def watch(settling: Settling, pictures: Iterable[Pixels], *, fps: float = 30, start: float = 0.0) -> list[bool]:
    """What ``see`` says to each picture, at an even pace."""
    return [settling.see(Frame(pixels, start + number / fps)) for number, pixels in enumerate(pictures)]


def still(count: int, sticks: list[Stick] | None = None, **more: object) -> list[Pixels]:
    """The same tray again and again; only the noise differs."""
    return [tray(sticks or [], noise=number, **more) for number in range(count)]  # type: ignore[arg-type]  # each has its own type


@pytest.mark.parametrize("fps", [10, 30])
def test_a_still_tray_settles_within_half_a_second(fps: float) -> None:
    """Noise is no movement."""
    answers = watch(Settling(), still(int(fps), four(2)), fps=fps)

    assert not answers[0]
    assert all(answers[int(0.5 * fps) :])


def test_flicker_is_no_movement() -> None:
    """A lamp on alternating current brightens and dims every frame."""
    flickering = [tray(four(2), light=1 + 0.06 * (-1) ** number, noise=number) for number in range(20)]

    assert all(watch(Settling(), flickering)[12:])


def test_a_shaking_camera_is_no_movement() -> None:
    """A third of a pixel to and fro, as on a table someone leans on."""
    steps = np.random.default_rng(1).uniform(-0.3, 0.3, (20, 2))
    shaken = [
        cv2.warpAffine(
            tray(four(2), noise=n), np.array([[1, 0, x], [0, 1, y]]), (640, 480), borderMode=cv2.BORDER_REFLECT
        ).astype(np.uint8)
        for n, (x, y) in enumerate(steps)
    ]

    assert all(watch(Settling(), shaken)[12:])


@pytest.mark.parametrize("speed", [0.7, 3.0, 20.0])
def test_a_moving_stick_is_not_at_rest(speed: float) -> None:
    """Fast or creeping, in pixels a frame."""
    moving = [tray([*four(0)[:3], Stick(300 + speed * n, 240, 30)], noise=n) for n in range(14)]

    assert not any(watch(Settling(), moving))


def test_a_rolling_stick_is_not_at_rest() -> None:
    """One that turns slowly on the spot counts as moving until it stops."""
    turning = [tray([Stick(300, 240, 30 + 1.0 * n)], noise=n) for n in range(12)]
    settling = Settling()

    assert not any(watch(settling, turning))
    assert watch(settling, still(15, [Stick(300, 240, 41)]), start=12 / 30)[-1]


def test_a_resting_hand_is_not_rest() -> None:
    """Someone holds a hand over the tray without stirring."""
    held = still(30, four(2), hand=(500, 300))

    assert not any(watch(Settling(tray()), held))
    assert watch(Settling(tray()), still(30, four(2)))[-1]


def test_a_thing_at_the_border_blocks_until_a_person_says_that_it_belongs_there() -> None:
    """However long a hand rests, it is not read under; of a cup that stays, somebody says so."""
    settling = Settling(tray())
    cup = still(12, four(2), hand=(560, 300))
    long = [frame for _ in range(10) for frame in cup[:10]]

    assert not any(watch(settling, long, fps=10))
    assert settling.blocked
    settling.accept()
    assert all(watch(settling, long[:40], fps=10, start=10.0))
    assert not settling.blocked
    assert not watch(settling, still(10, four(2), hand=(300, 300)), fps=10, start=14.0)[-1]


def test_the_empty_tray_may_be_of_another_size() -> None:
    """A profile is taught from full pictures, and watched in small ones."""
    large = cv2.resize(tray(), (1280, 960)).astype(np.uint8)

    assert watch(Settling(large), still(20, four(1)))[-1]


def test_a_tray_is_read_once() -> None:
    """Nothing is new at the start; a throw makes it new; reading it makes it old."""
    settling = Settling()
    watch(settling, still(10))
    assert not settling.stirred

    watch(settling, still(15, four(2)), start=10 / 30)
    assert settling.stirred
    settling.read()
    assert not settling.stirred

    watch(settling, still(15, four(2)), start=25 / 30)
    assert not settling.stirred


def test_a_hand_that_came_and_went_does_not_bring_the_old_throw_back() -> None:
    """Reaching across the tray is movement, but what lies there is what was read."""
    settling = Settling()
    watch(settling, still(15, four(2)))
    watch(settling, still(5, four(2), hand=(400, 100)), start=0.5)
    watch(settling, still(15, four(3)), start=0.7)
    assert settling.stirred
    settling.read()

    watch(settling, still(5, four(3), hand=(400, 100)), start=1.2)
    watch(settling, still(15, four(3)), start=1.4)

    assert not settling.stirred


def test_after_a_gap_it_waits_anew() -> None:
    """What happened while the camera was away is unknown."""
    settling = Settling()
    assert watch(settling, still(15, four(2)))[-1]

    assert not settling.see(Frame(tray(four(2)), 5.0))


def test_frames_of_another_size_start_anew() -> None:
    """A camera that was switched is no movement and no rest."""
    settling = Settling()
    assert watch(settling, still(15, four(2)))[-1]

    assert not settling.see(Frame(tray(four(2))[:300], 0.52))


NUDGES = [(0.5, 0, False), (12, 5, True), (30, 40, True)]
"""Pixels and degrees by which one of four sticks is pushed, and whether that is noticed."""


@pytest.mark.parametrize(("pixels", "degrees", "noticed"), NUDGES)
def test_a_nudge_is_told_from_a_throw(pixels: float, degrees: float, noticed: bool) -> None:
    """One of four was pushed: most lies as it lay. All four lie elsewhere: thrown."""
    settling = Settling(tray())
    watch(settling, still(15, four(2)))
    settling.read()
    first, *others = four(2)
    pushed = [Stick(first.x + pixels, first.y, first.turn + degrees, first.marked), *others]
    watch(settling, still(15, pushed), start=0.5)

    assert settling.stirred is noticed
    assert settling.nudged
    settling.read()
    thrown = [Stick(stick.x, 460 - stick.y, 70 - stick.turn) for stick in pushed]
    watch(settling, still(15, thrown), start=1.0)
    assert settling.stirred
    assert not settling.nudged


@pytest.mark.parametrize("change", ["brighter", "from the side", "bumped", "shaded"])
def test_what_changed_in_the_light_or_by_a_bump_is_no_nudge(change: str) -> None:
    """The picture is another one, and the lots lie where they lay."""
    settling = Settling(tray())
    watch(settling, still(15, four(2)))
    settling.read()
    across = np.linspace(0.7, 1.1, 640)[None, :, None]
    shade = 1 - 0.35 / (1 + np.exp((np.arange(640) - 150) / 25))[None, :, None]
    changes: dict[str, Callable[[Pixels], Pixels]] = {
        "brighter": lambda picture: np.asarray(np.clip(picture * 1.3, 0, 255), np.uint8),
        "from the side": lambda picture: np.asarray(np.clip(picture * across, 0, 255), np.uint8),
        "bumped": lambda picture: np.asarray(np.roll(picture, (3, -5), (0, 1)), np.uint8),
        "shaded": lambda picture: np.asarray(picture * shade, np.uint8),
    }
    answers = watch(settling, [changes[change](picture) for picture in still(20, four(2))], start=0.5)

    assert answers[-1]
    assert not settling.stirred


def test_an_empty_tray_is_untouched_until_something_stirs() -> None:
    """Before a throw there is nothing at rest."""
    settling = Settling(tray())
    assert watch(settling, still(15))[-1]
    assert settling.untouched

    watch(settling, still(3, four(2), hand=(300, 200)), start=0.5)
    assert watch(settling, still(15, four(2)), start=0.6)[-1]
    assert not settling.untouched


def test_frames_that_are_dropped_late_or_doubled_do_no_harm() -> None:
    """Few frames in the time make rest come later, never sooner; the same moment twice adds nothing."""
    settling = Settling()
    pictures = still(8, four(2))
    times = [0.0, 0.0, 0.0, 0.3, 0.3, 0.75, 1.4, 1.35]

    answers = [settling.see(Frame(picture, at)) for picture, at in zip(pictures, times, strict=True)]

    assert answers == [False, False, False, True, True, True, True, False]


def test_slow_creeping_is_movement() -> None:
    """Though from frame to frame nearly nothing changes, it is not where it was when the rest began."""
    creeping = [tray([*four(0)[:3], Stick(300 + 0.3 * n, 240, 30)], noise=n) for n in range(30)]

    assert not any(watch(Settling(), creeping))


def test_a_stick_that_rocks_is_not_at_rest() -> None:
    """To and fro, twice a second, by three degrees."""
    rocking = [
        tray([*four(0)[:3], Stick(300, 240, 30 + 3 * float(np.sin(2 * np.pi * n / 15)))], noise=n) for n in range(40)
    ]

    assert not any(watch(Settling(), rocking))


def test_nothing_is_kept_of_frames_that_went_by() -> None:
    """However many come, through rests and movement, it holds no more than three small ones."""
    settling = Settling(tray())
    kept: list[weakref.ref[Pixels]] = []
    for number in range(60):
        picture = tray(four(number // 20), noise=number)
        kept.append(weakref.ref(picture))
        settling.see(Frame(picture, number / 15))
        if settling.stirred:
            settling.read()
    del picture
    gc.collect()

    assert sum(one() is not None for one in kept) == 0
    held = {id(one): one for one in gc.get_objects() if type(one).__name__ == "_Small"}
    assert len(held) <= 3

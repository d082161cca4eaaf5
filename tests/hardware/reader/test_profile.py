"""Three pictures make a profile of the tray and its lots; unusable pictures are refused with advice."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.errors import ProfileUnusable
from companion.i18n import languages, use_language
from companion.referee.events import Face, ThrowSeen
from hardware.reader.lots import Shown
from hardware.reader.profile import FILE, Profile
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing import Stick, calibration, four, tray

TOUCHING = [*four(0)[:2], Stick(300, 300), Stick(300, 318)]
"""Four plain sticks, two of them side by side."""


@pytest.fixture(scope="module")
def profile() -> Profile:
    return ThrowReader.calibrate(*calibration()).profile


def test_a_profile_comes_back_as_it_was_saved(profile: Profile, tmp_path: Path) -> None:
    """Every picture survives to the last bit; nothing else is left in the folder."""
    profile.save(tmp_path / "new" / "folder")
    back = Profile.load(tmp_path / "new" / "folder")

    for picture in ("empty", "marked", "plain"):
        np.testing.assert_array_equal(getattr(back, picture), getattr(profile, picture))
    assert (back.separation, back.name, back.sticks) == (profile.separation, profile.name, profile.sticks)
    assert [path.name for path in (tmp_path / "new" / "folder").iterdir()] == [FILE]


def test_a_profile_whose_sticks_were_put_right_before_angles_were_kept_still_opens(
    profile: Profile, tmp_path: Path
) -> None:
    """Then each place was saved as x, y and face."""
    lots: Any = ((200.0, 130.0, Face.MARKED),)
    replace(profile, shown=(Shown(tray(four(4)), lots),)).save(tmp_path)

    [shown] = Profile.load(tmp_path).shown

    assert shown.lots == ((200.0, 130.0, None, Face.MARKED),)


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flip(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes(255 - byte for byte in data[middle : middle + 64]) + data[middle + 64 :]


@pytest.mark.parametrize("harm", [cut, flip, lambda _: b"", lambda _: b"not a profile at all"])
def test_a_damaged_profile_is_refused(profile: Profile, tmp_path: Path, harm: Callable[[bytes], bytes]) -> None:
    """A truncated, corrupted, empty or foreign file never makes a reader."""
    profile.save(tmp_path)
    path = tmp_path / FILE
    path.write_bytes(harm(path.read_bytes()))

    with pytest.raises(ProfileUnusable, match="damaged"):
        Profile.load(tmp_path)


def test_a_profile_of_another_version_says_so(profile: Profile, tmp_path: Path) -> None:
    """Older and newer profiles must be made again."""
    replace(profile, version=99).save(tmp_path)

    with pytest.raises(ProfileUnusable, match="version 99"):
        Profile.load(tmp_path)


def test_a_missing_profile_says_how_to_make_one(tmp_path: Path) -> None:
    """The message contains the command."""
    with pytest.raises(ProfileUnusable, match="puluc calibrate"):
        Profile.load(tmp_path)
    with pytest.raises(ProfileUnusable, match="puluc calibrate"):
        Profile.load(tmp_path / "nowhere")


def test_a_folder_that_cannot_be_written_says_so(profile: Profile, tmp_path: Path) -> None:
    """There is a file in the folder's place."""
    (tmp_path / "taken").write_text("")

    with pytest.raises(ProfileUnusable, match="cannot be written") as refused:
        profile.save(tmp_path / "taken")
    with use_language(languages()["es"]):
        assert str(refused.value).startswith("El perfil no se puede escribir en ")


def test_faces_that_are_alike_are_refused() -> None:
    """Both pictures show the plain side."""
    with pytest.raises(ProfileUnusable, match="tell the marked side"):
        ThrowReader.calibrate(tray(noise=1), tray(four(0), noise=2), tray(four(0), noise=3))


@pytest.mark.parametrize(
    ("marked", "plain", "says"),
    [
        (four(4)[:3], four(0), "marked picture"),
        (four(4), [], "plain picture"),
        ([*four(4), Stick(310, 220, 90, marked=True)], four(0), "marked picture"),
        (four(4), [Stick(stick.x, stick.y, stick.turn, length=100) for stick in four(0)], "differ in size"),
    ],
)
def test_pictures_without_four_lots_of_one_size_are_refused(marked: list[Stick], plain: list[Stick], says: str) -> None:
    """Three, none, five or other lots: the message names the picture."""
    with pytest.raises(ProfileUnusable, match=says):
        ThrowReader.calibrate(tray(noise=1), tray(marked, noise=2), tray(plain, noise=3))


@pytest.mark.parametrize("marked", [four(4), [replace(one, marked=True) for one in TOUCHING]], ids=["one", "both"])
def test_two_sticks_may_touch_in_one_picture_or_both(marked: list[Stick]) -> None:
    """The others show their size, and every throw is read."""
    reader = ThrowReader.calibrate(tray(noise=1), tray(marked, noise=2), tray(TOUCHING, noise=3))
    answers = [reader.read(tray(four(count), noise=10 + count)) for count in range(5)]

    assert [answer.marked for answer in answers if isinstance(answer, ThrowSeen)] == list(range(5))


def test_sticks_of_which_none_lies_apart_are_refused() -> None:
    """The message names a picture."""
    pairs = [Stick(200, 130), Stick(200, 147), Stick(420, 330), Stick(420, 347)]

    with pytest.raises(ProfileUnusable, match="picture"):
        ThrowReader.calibrate(
            tray(noise=1), tray([replace(one, marked=True) for one in pairs], noise=2), tray(pairs, noise=3)
        )


def test_pictures_of_different_sizes_are_refused() -> None:
    """All three must have the same camera setting."""
    empty, marked, plain = calibration()

    with pytest.raises(ProfileUnusable, match="320 x 240"):
        ThrowReader.calibrate(empty, marked, cv2.resize(plain, (320, 240)).astype(np.uint8))


def test_a_set_of_lots_is_known_again(profile: Profile, tmp_path: Path) -> None:
    """It is identified by its name, or else by its pictures: equal after saving, different after a new calibration."""
    profile.save(tmp_path)
    named = replace(profile, name="Beans")
    other = ThrowReader.calibrate(*(np.ascontiguousarray(picture[::-1]) for picture in calibration())).profile

    assert profile.sticks.startswith("#")
    assert Profile.load(tmp_path).sticks == profile.sticks != other.sticks
    named.save(tmp_path)
    assert Profile.load(tmp_path).sticks == "Beans"

"""``puluc calibrate`` and ``puluc read`` print results in the format that scripts rely on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from companion.commands.read import calibrate, read, take
from companion.errors import FacesAlike, PictureUnusable, ProfileUnusable
from companion.printing.tray_plan import PAPERS
from hardware.cameras.camera import Frame, Pixels
from hardware.cameras.locked_controls import LockedControls
from hardware.reader.profile import Profile
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing import Stick, calibration, four, tray
from tests.printing.printed import four as on_sheet
from tests.printing.printed import laid, overhead, printed, seen


def save(path: Path, pixels: Pixels) -> str:
    assert cv2.imwrite(str(path), pixels)
    return str(path)


def run(command: click.Command, *words: str) -> Result:
    return CliRunner().invoke(command, words, standalone_mode=False)


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("taught")
    empty, marked, plain = (save(folder / f"{n}.png", p) for n, p in enumerate(calibration()))

    three = ("--empty", empty, "--marked", marked, "--plain", plain)
    result = run(calibrate, *three, "--out", str(folder / "profile"), "--trials", "2")

    assert result.exception is None
    assert result.stdout == ""
    assert result.stderr.splitlines()[-1] == "I made 2 throws from your pictures and read 2. I expect to ask seldom."
    return str(folder / "profile")


def test_a_reading_has_the_promised_keys(profile: str, tmp_path: Path) -> None:
    """One object a line, with the count, every lot, and the time taken."""
    image = save(tmp_path / "throw.png", tray(four(3)))

    result = run(read, "--profile", profile, "--json", image)

    assert result.return_value == 0
    [answer] = lines(result)
    assert set(answer) == {"image", "status", "marked", "confidence", "reason", "lots", "ms"}
    assert (answer["image"], answer["status"], answer["marked"], answer["reason"]) == (image, "read", 3, None)
    assert 0.9 < answer["confidence"] <= 1
    assert [set(lot) for lot in answer["lots"]] == [{"x", "y", "angle", "face", "confidence"}] * 4
    assert sorted(lot["face"] for lot in answer["lots"]) == ["marked", "marked", "marked", "plain"]
    assert answer["ms"] > 0


def test_an_unsure_answer_has_no_count_and_status_1(profile: str, tmp_path: Path) -> None:
    """A reason replaces the count."""
    sure, unsure = save(tmp_path / "1.png", tray(four(3))), save(tmp_path / "2.png", tray(four(3)[:3]))

    result = run(read, "--profile", profile, "--json", sure, unsure)

    assert result.return_value == 1
    assert [(answer["status"], answer["marked"], answer["reason"]) for answer in lines(result)] == [
        ("read", 3, None),
        ("unsure", None, "count"),
    ]


def test_a_moved_camera_is_reported(tmp_path: Path) -> None:
    """The message gives a remedy. The sheet under the sticks reveals the movement."""
    sheet, straight = printed(), overhead(PAPERS["a4"])
    pictures = [seen(laid(sheet, sticks), straight, noise=1) for sticks in ([], on_sheet(4), on_sheet(0))]
    ThrowReader.calibrate(*pictures).profile.save(tmp_path / "profile")
    knocked = seen(laid(sheet, on_sheet(2)), overhead(PAPERS["a4"], turn=40), noise=2)

    result = run(read, "--profile", str(tmp_path / "profile"), save(tmp_path / "knocked.png", knocked))

    assert result.return_value == 1
    assert "unsure. The camera or the tray has moved. Put it back, or teach the camera again." in result.stdout


def test_a_picture_that_cannot_be_used_leaves_an_error_in_its_place(profile: str, tmp_path: Path) -> None:
    """The others are read; the error appears once on standard error and names the file; the status is 2."""
    good = save(tmp_path / "good.png", tray(four(1)))
    bad = tmp_path / "bad.jpg"
    bad.write_bytes(b"no picture")
    large = save(tmp_path / "large.png", cv2.resize(tray(four(1)), (960, 600)).astype(np.uint8))

    result = run(read, "--profile", profile, "--json", str(bad), good, str(tmp_path / "none.jpg"), large)

    assert result.return_value == 2
    first, second, third, fourth = lines(result)
    assert set(first) == set(third) == set(fourth) == {"image", "error"}
    assert second["marked"] == 1
    assert fourth["error"].startswith(f"{large}: The picture is 960x600 but the camera was taught at 640x480.")
    assert len(result.stderr.splitlines()) == 3


def test_without_json_it_prints_sentences(profile: str, tmp_path: Path) -> None:
    """One sentence a picture."""
    images = [save(tmp_path / "1.png", tray(four(3))), save(tmp_path / "2.png", tray(four(3)[:2]))]

    result = run(read, "--profile", profile, *images)

    lines = result.stdout.splitlines()
    assert "3 marked" in lines[0]
    assert ", not four" in lines[1]


def test_a_clip_is_read_once_it_is_at_rest(profile: str, tmp_path: Path) -> None:
    """One line a frame in order of their numbers, followed by the reading."""
    for number in range(24):
        turn = max(0, 10 - number) * 9
        sticks = [*four(2)[:3], Stick(420, 330, turn)]
        save(tmp_path / f"f{number}.png", tray(sticks, hand=(300, 200) if number < 8 else None, noise=number))

    result = run(read, "--profile", profile, "--json", "--video", str(tmp_path))

    *frames, last = lines(result)
    assert result.return_value == 0
    assert [Path(frame["image"]).stem for frame in frames] == [f"f{number}" for number in range(24)]
    assert not any(frame["settled"] for frame in frames[:12])
    assert frames[-1]["settled"]
    assert (last["status"], last["marked"]) == ("read", 2)


def test_a_clip_that_never_rests_is_unsure(profile: str, tmp_path: Path) -> None:
    """The hand stays in view to the end."""
    for number in range(12):
        save(tmp_path / f"f{number:02d}.png", tray(four(2), hand=(500 - number, 300), noise=number))

    result = run(read, "--profile", profile, "--json", "--video", str(tmp_path))

    assert result.return_value == 1
    assert lines(result)[-1]["reason"] == "moving"


def test_wrong_requests_name_the_fault(profile: str, tmp_path: Path) -> None:
    """No profile, no pictures, both kinds together, a folder without frames."""
    image = save(tmp_path / "throw.png", tray(four(3)))
    (tmp_path / "bare").mkdir()

    assert isinstance(run(read, "--profile", str(tmp_path), image).exception, ProfileUnusable)
    assert isinstance(run(read, "--profile", profile).exception, click.UsageError)
    assert isinstance(run(read, "--profile", profile, "--video", str(tmp_path), image).exception, click.UsageError)
    assert isinstance(run(read, "--profile", profile, "--video", str(tmp_path / "bare")).exception, PictureUnusable)
    assert isinstance(
        run(calibrate, "--empty", image, "--marked", image, "--plain", image, "--out", "x").exception, ProfileUnusable
    )


def test_sides_that_are_too_alike_are_saved_beside_each_other(tmp_path: Path) -> None:
    """The one line names the picture and what would help; there is no profile."""
    pictures = (tray(noise=1), tray(four(0), noise=2), tray(four(0), noise=3))
    empty, marked, plain = (save(tmp_path / f"{n}.png", picture) for n, picture in enumerate(pictures))
    out = tmp_path / "out"

    refusal = run(calibrate, "--empty", empty, "--marked", marked, "--plain", plain, "--out", str(out)).exception

    assert isinstance(refusal, FacesAlike)
    assert "Draw a thicker cross on one side of each." in str(refusal)
    assert f"{out / 'faces.jpg'} shows" in str(refusal)
    assert [path.name for path in out.iterdir()] == ["faces.jpg"]
    saved = cv2.imread(str(out / "faces.jpg"))
    assert saved is not None
    assert saved.shape[1] > 8 * 80


def test_the_commands_load_no_opencv_until_they_run() -> None:
    """Playing without a camera starts without loading the picture library."""
    code = "import sys, companion.commands.read; sys.exit('cv2' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0


class ScriptedCamera:
    """A camera that shows the three calibration pictures in turn, and can lock its exposure."""

    def __init__(self) -> None:
        self.pictures = list(calibration())
        self.done: list[str] = []

    def next_frame(self) -> Frame:
        raise AssertionError("calibration reads stills")

    def still(self) -> Frame:
        self.done.append("still")
        return Frame(self.pictures.pop(0), 0.0)

    is_locked = False

    def lock(self) -> LockedControls:
        self.done.append("lock")
        return LockedControls(exposure_us=9000)

    def close(self) -> None:
        self.done.append("close")


def test_a_camera_takes_the_three_pictures_itself() -> None:
    """It asks for each, and locks the exposure before taking the first."""
    eye = ScriptedCamera()

    pictures, held = take(eye, eye.done.append)

    assert held == LockedControls(exposure_us=9000)
    assert [word.split()[0] for word in eye.done] == ["Empty", "lock", "still", "Lay", "still", "Turn", "still"]
    assert ThrowReader.calibrate(*pictures).profile.separation > 0


def test_the_simulated_camera_lays_out_its_sticks(tmp_path: Path) -> None:
    """The command can be tried without a camera; an invalid name is refused before a picture is taken."""
    result = run(calibrate, "--camera", "simulated", "--sticks", "Drawn by hand", "--out", str(tmp_path / "drawn"))
    refused = run(calibrate, "--camera", "simulated", "--sticks", "simulated", "--out", str(tmp_path / "none"))

    assert result.exception is None
    assert "throws from your pictures" not in result.stderr, "nobody waits for trials in a script"
    assert Profile.load(tmp_path / "drawn").name == "Drawn by hand"
    assert isinstance(refused.exception, click.UsageError)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("words", [[], ["--empty", "a"], ["--empty", "a", "--camera", "usb:0"], ["--camera", "none"]])
def test_calibration_wants_pictures_or_a_camera(tmp_path: Path, words: list[str]) -> None:
    """Missing, incomplete or conflicting sources are refused with a remedy."""
    result = run(calibrate, *words, "--out", str(tmp_path))

    assert isinstance(result.exception, click.UsageError)
    assert "camera" in result.exception.message

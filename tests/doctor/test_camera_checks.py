from __future__ import annotations

from dataclasses import replace

from companion.camera_spec import CameraSpec
from companion.doctor import camera_checks
from companion.doctor.camera_checks import PictureQuality, ProfileFit
from companion.doctor.finding import FindingState
from tests.doctor.test_computer_checks import states

GOOD = PictureQuality(
    width=1280, height=960, edge=2.1, brightness=150, burnt=0.0, evenness=0.8, markers=4, fit=ProfileFit.FITS
)
NONE, PI = CameraSpec("none"), CameraSpec("pi")


def test_camera() -> None:
    """A picture; a lost camera with its reason; a table without a camera."""
    lost = camera_checks.camera(PI, "Check its ribbon, at both ends.", None)

    assert states(camera_checks.camera(PI, "", GOOD), lost) == [FindingState.OK, FindingState.ERROR]
    assert lost.says == "Check its ribbon, at both ends."
    assert camera_checks.camera(NONE, "", None).state is FindingState.SKIPPED


def test_a_lost_camera_has_one_cure() -> None:
    """The reason that it gives says what helps; only without one does the check, for the kind of camera."""
    kinds = ("pi", "usb:0", "http://192.0.2.7/", "phone")
    unsaid = [camera_checks.camera(CameraSpec.parse(spec), "", None).cure.partition(",")[0] for spec in kinds]
    said = {
        camera_checks.camera(CameraSpec.parse(spec), "Check this, and do that.", None).cure
        for spec in (*kinds, "usb:x", "folder:a")
    }

    assert unsaid == ["Unplug the power", "Check its plug", "Check the address", "Tap the counts for now."]
    assert said == {"Tap the counts for now."}


def test_focus() -> None:
    """Sharp, a little soft, blurred, and a lens with its cap on; the message has the figure."""
    soft = camera_checks.focus(replace(GOOD, edge=4.5))

    assert states(
        camera_checks.focus(GOOD),
        soft,
        camera_checks.focus(replace(GOOD, edge=7.0)),
        camera_checks.focus(replace(GOOD, edge=None)),
    ) == [FindingState.OK, FindingState.WARNING, FindingState.ERROR, FindingState.WARNING]
    assert "4.5 pixels" in soft.says
    assert camera_checks.focus(replace(GOOD, brightness=5)).state is FindingState.SKIPPED


def test_light() -> None:
    """Good; dim, dark, overexposed; uneven, and far too uneven."""
    assert states(
        camera_checks.light(GOOD),
        camera_checks.light(replace(GOOD, brightness=50)),
        camera_checks.light(replace(GOOD, brightness=20)),
        camera_checks.light(replace(GOOD, burnt=0.1)),
        camera_checks.light(replace(GOOD, evenness=0.4)),
        camera_checks.light(replace(GOOD, evenness=0.2)),
    ) == [
        FindingState.OK,
        FindingState.WARNING,
        FindingState.ERROR,
        FindingState.ERROR,
        FindingState.WARNING,
        FindingState.ERROR,
    ]


def test_tray() -> None:
    """The printed sheet, the taught tray, one that has moved, a hidden square, no known tray."""
    plain = replace(GOOD, markers=0)

    assert states(
        camera_checks.tray(GOOD),
        camera_checks.tray(plain),
        camera_checks.tray(replace(GOOD, fit=ProfileFit.MOVED)),
        camera_checks.tray(replace(GOOD, markers=3)),
    ) == [FindingState.OK, FindingState.OK, FindingState.ERROR, FindingState.WARNING]
    assert camera_checks.tray(replace(plain, fit=None)).state is FindingState.SKIPPED
    assert camera_checks.tray(replace(GOOD, brightness=5)).state is FindingState.SKIPPED


def test_profile() -> None:
    """Known and matching; unknown; of another camera; of a tray that has moved."""
    assert states(
        camera_checks.profile(GOOD, "", "Maya sticks"),
        camera_checks.profile(GOOD, "There is no profile.", ""),
        camera_checks.profile(replace(GOOD, fit=ProfileFit.OTHER_SIZE), "", "Maya sticks"),
        camera_checks.profile(replace(GOOD, fit=ProfileFit.MOVED), "", "Maya sticks"),
    ) == [FindingState.OK, FindingState.WARNING, FindingState.ERROR, FindingState.WARNING]


def test_board() -> None:
    """Known; covered; not asked for; dark, with the tray or alone; unknown; another camera's; pushed away."""
    lost = camera_checks.board(CameraSpec("phone"), "The phone is away.", sees=False, taught=True)

    assert states(
        camera_checks.board(NONE, "", sees=True, taught=True),
        camera_checks.board(NONE, "", sees=True, taught=True, reason="hand"),
        camera_checks.board(NONE, "", sees=True, taught=True, reason="unclear"),
        camera_checks.board(NONE, "", sees=True, taught=False),
        camera_checks.board(NONE, "", sees=False, taught=True),
        lost,
        camera_checks.board(CameraSpec("usb", "1"), "", sees=True, taught=False),
        camera_checks.board(CameraSpec("usb", "1"), "", sees=True, taught=True, reason="picture"),
        camera_checks.board(NONE, "", sees=True, taught=True, reason="moved"),
    ) == [
        FindingState.OK,
        FindingState.SKIPPED,
        FindingState.SKIPPED,
        FindingState.SKIPPED,
        FindingState.SKIPPED,
        FindingState.ERROR,
        FindingState.WARNING,
        FindingState.ERROR,
        FindingState.WARNING,
    ]
    assert lost.says == "The phone is away."


def test_checks_of_the_picture_need_a_picture() -> None:
    """Without a picture, focus, light and tray are skipped."""
    for check in (camera_checks.focus, camera_checks.light, camera_checks.tray):
        assert check(None).state is FindingState.SKIPPED

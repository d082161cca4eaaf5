"""Checks of camera, focus, light, tray and profile, from the measured quality of one picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.camera_spec import CameraSpec
from companion.doctor.finding import Check, Finding, failed, passed, skipped, warning
from companion.i18n import _, ngettext

SOFT_PX, BLURRED_PX = 4.0, 6.0
"""Width of an edge in pixels of a picture 640 wide. Twelve sets of sharp photographs had 1.2 to 2.8. Taught on sharp
pictures, the reader read five throws of six; with edges blurred to 4.5 it read three, at 6.8 one, at 8 none."""
DIM, DARK = 60.0, 40.0
"""Brightness of the brighter parts of the picture, 0..255. Twelve sets of photographs had 115 to 215; with half the
light, which the reader can cope with, 58 to 107; with a fifth of it 23 to 43."""
GLARING = 0.05
"""Share of the tray that may be overexposed. Sticks that lie there show no face."""
UNEVEN, SHADED = 0.5, 0.3
"""Brightness of the darkest part of the tray as a share of the brightest. Those photographs had 0.57 to 0.96; lit from
one side only, with 15 % of the light on the other, 0.38 to 0.68."""


class ProfileFit(StrEnum):
    """Whether the picture matches the reader's profile."""

    FITS = "fits"
    MOVED = "moved"
    OTHER_SIZE = "other size"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureQuality:
    """Measurements of one picture of the tray.

    width, height: of the picture, in pixels.
    edge: width of an edge, in pixels of a picture 640 wide; None if there is no edge.
    brightness: of the brighter parts, 0..255. burnt: share of the middle that is overexposed.
    evenness: brightness of the darkest part of the middle as a share of the brightest.
    markers: how many of the printed sheet's four are in view. things: how many things lie in the tray, if known.
    fit: whether it matches the profile; None without a profile, or if there is nothing to compare.
    """

    width: int
    height: int
    edge: float | None
    brightness: float
    burnt: float
    evenness: float
    markers: int
    things: int | None = None
    fit: ProfileFit | None = None


def camera(spec: CameraSpec, lost: str, quality: PictureQuality | None) -> Finding:
    """Check that there is a picture. lost: why there is none and what helps, if the camera said so."""
    if spec.is_none:
        return skipped(Check.CAMERA, _("This table has no camera; you enter counts by hand."))
    if quality is None:
        return failed(
            Check.CAMERA,
            lost or _("The camera sends no picture."),
            _camera_cure(spec, lost),
            camera=str(spec),
        )
    return passed(
        Check.CAMERA, _("The camera is working."), camera=str(spec), width=quality.width, height=quality.height
    )


def _camera_cure(spec: CameraSpec, lost: str) -> str:
    """What helps a camera that does not say so itself, and what to do without it."""
    match "" if lost else spec.kind:
        case "pi":
            return _("Unplug the power, check both ends of the camera's cable, and start again.")
        case "usb":
            return _("Check its plug, and close any other program that uses it.")
        case "http" | "https" | "rtsp":
            return _("Check the address, and that the camera is on and in the same network.")
    return _("Tap the counts for now.")


def focus(quality: PictureQuality | None) -> Finding:
    """Check that the picture is sharp."""
    if quality is None:
        return _no_picture(Check.FOCUS)
    if quality.edge is None:
        return warning(
            Check.FOCUS,
            _("There is nothing in the picture to focus on."),
            _("Take the cap off the lens, turn on a light, and point the camera at the tray."),
        )
    if quality.brightness < DARK:
        return skipped(Check.FOCUS, _("It's too dark to tell."))
    shown = f"{quality.edge:.1f}"
    if quality.edge > BLURRED_PX:
        return failed(
            Check.FOCUS,
            _("The picture is blurred: edges are {number} pixels wide; they should be 4 or less.", number=shown),
            _("Turn the lens until the picture is sharp, wipe it, or mount the camera 40 to 50 cm above the tray."),
            edge_px=quality.edge,
        )
    if quality.edge > SOFT_PX:
        return warning(
            Check.FOCUS,
            _("The picture is a little soft: edges are {number} pixels wide; 4 or less is better.", number=shown),
            _("Turn the lens a little, or wipe it. Until then I'll ask you more often."),
            edge_px=quality.edge,
        )
    return passed(Check.FOCUS, _("The picture is sharp."), edge_px=quality.edge)


def light(quality: PictureQuality | None) -> Finding:
    """Check that the light is bright enough, not too bright, and even."""
    if quality is None:
        return _no_picture(Check.LIGHT)
    facts = {"brightness": quality.brightness, "burnt": quality.burnt, "evenness": quality.evenness}
    if quality.brightness < DARK:
        return failed(Check.LIGHT, _("It's too dark to see the sticks on the tray."), _("Move a lamp closer."), **facts)
    if quality.burnt > GLARING:
        return failed(
            Check.LIGHT,
            _("Glare hides {number}% of the tray; sticks can't be read there.", number=_percent(quality.burnt)),
            _("Shade the lamp, move it to the side, or move it farther away."),
            **facts,
        )
    if quality.evenness < SHADED:
        return failed(
            Check.LIGHT,
            _(
                "The light is too uneven: the darkest part gets {number}% of the brightest.",
                number=_percent(quality.evenness),
            ),
            _("Put a second lamp on the other side, or point the lamp at the ceiling."),
            **facts,
        )
    if quality.brightness < DIM:
        return warning(Check.LIGHT, _("It's a bit dark."), _("Move a lamp closer."), **facts)
    if quality.evenness < UNEVEN:
        return warning(
            Check.LIGHT,
            _(
                "The light comes from one side: the darkest part gets {number}% of the brightest.",
                number=_percent(quality.evenness),
            ),
            _("A second lamp on the other side helps the camera."),
            **facts,
        )
    return passed(Check.LIGHT, _("Bright enough, and even."), **facts)


def tray(quality: PictureQuality | None) -> Finding:
    """Check that the tray is in view: the printed sheet, or the tray of the profile."""
    if quality is None or quality.edge is None:
        return _no_picture(Check.TRAY)
    if quality.brightness < DARK:
        return skipped(Check.TRAY, _("It's too dark to tell."))
    facts = {"markers": quality.markers, "things": quality.things}
    if quality.fit is ProfileFit.MOVED:
        return failed(
            Check.TRAY,
            _("The tray or the camera has moved since you taught it."),
            _("Move it back, or teach the camera again from the menu."),
            **facts,
        )
    if 0 < quality.markers < 4:
        return warning(
            Check.TRAY,
            ngettext(
                "The camera sees {number} of the four black squares on the sheet.",
                "The camera sees {number} of the four black squares on the sheet.",
                quality.markers,
            ),
            _("Move the sheet, or what covers it, until all four are in view."),
            **facts,
        )
    if quality.markers == 4:
        return passed(Check.TRAY, _("The camera sees all four black squares of the printed sheet."), **facts)
    if quality.fit is ProfileFit.FITS:
        return passed(Check.TRAY, _("The tray is where you taught it."), **facts)
    return skipped(
        Check.TRAY,
        _("The camera doesn't know a tray yet."),
        _("Teach it your sticks from the menu, or put the printed sheet under it: puluc print tray"),
    )


def profile(quality: PictureQuality | None, problem: str, name: str) -> Finding:
    """Check that the reader knows the sticks. problem: why it does not, or empty. name: of their set."""
    cure = _("Teach the camera your sticks from the menu.")
    if problem:
        return warning(Check.PROFILE, problem, cure)
    if quality is not None and quality.fit is ProfileFit.OTHER_SIZE:
        return failed(Check.PROFILE, _("You taught it with another camera, or at another resolution."), cure)
    if quality is not None and quality.fit is ProfileFit.MOVED:
        return warning(Check.PROFILE, _("The camera knows your sticks, but the tray has moved."), cure)
    if quality is None or quality.fit is None:
        return passed(Check.PROFILE, _("The camera knows them: {name}.", name=name), name=name)
    return passed(Check.PROFILE, _("The camera knows them, and the picture matches: {name}.", name=name), name=name)


def board(spec: CameraSpec, lost: str, *, sees: bool, taught: bool, reason: str = "") -> Finding:
    """Check that the board is watched.

    spec: the camera over the board, if there is a second one. lost: why it sends no picture, if it said.
    sees: whether there is a picture. taught: whether a board is known. reason: why it was not read, in a word.
    """
    camera = "" if spec.is_none else str(spec)
    if spec.is_none and not taught:
        return skipped(Check.BOARD, _("No camera watches your board; you tap your moves."))
    if not sees and spec.is_none:
        return _no_picture(Check.BOARD)
    if not sees:
        return failed(
            Check.BOARD,
            lost or _("The camera over the board sends no picture."),
            _("Check its cable, or open its page on the phone. Until then, tap your moves."),
            camera=camera,
        )
    teach = _("Teach the board from the menu.")
    if not taught:
        return warning(
            Check.BOARD, _("The camera doesn't know your board yet, so you tap your moves."), teach, camera=camera
        )
    if reason == "picture":
        return failed(
            Check.BOARD, _("You taught it with another camera, or at another resolution."), teach, camera=camera
        )
    if reason == "moved":
        return warning(
            Check.BOARD,
            _("The board or its camera has moved since you taught it."),
            _("Move it back, or teach the board again from the menu."),
            camera=camera,
        )
    if reason in ("hand", "unclear"):
        return skipped(Check.BOARD, _("The camera can't see the whole board clearly right now."))
    return passed(Check.BOARD, _("The camera knows your board."), camera=camera)


def _no_picture(check: Check) -> Finding:
    return skipped(check, _("There is no picture to check."))


def _percent(share: float) -> int:
    return round(100 * share)

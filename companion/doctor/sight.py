"""What a picture of the tray tells: camera, focus, light, tray, and whether the reader's profile fits."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.doctor.finding import Check, Finding, doubt, skipped, well, wrong
from companion.words import _, ngettext

SOFT_PX, BLURRED_PX = 4.0, 6.0
"""Pixels of a picture 640 wide that an edge may take. Twelve sets of photographs in focus had 1.2 to 2.8. Taught in
focus and blurred until edges took 4.5, the reader read three throws of six instead of five, at 6.8 one, at 8 none."""
DIM, DARK = 60.0, 40.0
"""Brightness of the bright things in the picture, of 255. Twelve sets of photographs had 115 to 215; with half their
light, which the reader bears, 58 to 107; with a fifth 23 to 43."""
GLARING = 0.05
"""Share of the tray that may be burnt out white. More hides the faces of sticks that lie there."""
UNEVEN, SHADED = 0.5, 0.3
"""The darkest part of the tray as a share of the brightest. Those photographs had 0.57 to 0.96; a lamp on one side that
leaves the other 15 % of its light brings them to 0.38 to 0.68."""


class Fit(StrEnum):
    """How the picture goes with what the reader was taught."""

    FITS = "fits"
    MOVED = "moved"
    OTHER_SIZE = "other size"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A picture of the tray in figures.

    width, height: of the picture, in pixels.
    edge: pixels of a picture 640 wide that an edge takes from dark to light; None where there is no edge.
    brightness: of the bright things in it, 0..255. burnt: share of its middle that is as white as can be.
    evenness: the darkest part of its middle as a share of the brightest.
    markers: how many of the printed sheet's four are seen. things: how many things lie in the tray, if that is known.
    fit: how it goes with the profile; None without one.
    """

    width: int
    height: int
    edge: float | None
    brightness: float
    burnt: float
    evenness: float
    markers: int
    things: int | None = None
    fit: Fit | None = None


def camera(spec: str, lost: str, sight: Sight | None) -> Finding:
    """Whether there is a picture. lost: why there is none, with the cure in it; empty where nothing was said."""
    if spec == "none":
        return skipped(Check.CAMERA, _("This table has no camera; counts are entered by hand."))
    if sight is None:
        return wrong(
            Check.CAMERA,
            lost or _("The camera sends no picture."),
            _("Check its cable at both ends, with the plug pulled; then start again."),
            camera=spec,
        )
    return well(
        Check.CAMERA,
        _("It sends pictures."),
        camera=spec,
        width=sight.width,
        height=sight.height,
    )


def focus(sight: Sight | None) -> Finding:
    """Whether the picture is sharp."""
    if sight is None:
        return _no_picture(Check.FOCUS)
    if sight.edge is None:
        return doubt(
            Check.FOCUS,
            _("The picture shows no edge to tell it by."),
            _("Take the cap off the lens, make light, and let the camera see the tray."),
        )
    if sight.brightness < DARK:
        return skipped(Check.FOCUS, _("It is too dark to tell."))
    shown = f"{sight.edge:.1f}"
    if sight.edge > BLURRED_PX:
        return wrong(
            Check.FOCUS,
            _("The picture is blurred: an edge takes {number} pixels, and should take 4 or less.", number=shown),
            _("Turn the lens until it is sharp, wipe it, or hang the camera 40 to 50 cm above the tray."),
            edge_px=sight.edge,
        )
    if sight.edge > SOFT_PX:
        return doubt(
            Check.FOCUS,
            _("The picture is a little soft: an edge takes {number} pixels; 4 or less are better.", number=shown),
            _("Turn the lens a little, or wipe it. Until then the reader asks more often."),
            edge_px=sight.edge,
        )
    return well(Check.FOCUS, _("Sharp: an edge takes {number} pixels.", number=shown), edge_px=sight.edge)


def light(sight: Sight | None) -> Finding:
    """Whether there is enough light, not too much, and from more than one side."""
    if sight is None:
        return _no_picture(Check.LIGHT)
    facts = {"brightness": sight.brightness, "burnt": sight.burnt, "evenness": sight.evenness}
    if sight.brightness < DARK:
        return wrong(
            Check.LIGHT, _("It is too dark to tell the sticks from the tray."), _("Bring a lamp nearer."), **facts
        )
    if sight.burnt > GLARING:
        return wrong(
            Check.LIGHT,
            _(
                "{number} % of the tray is burnt out white, and sticks there cannot be read.",
                number=_percent(sight.burnt),
            ),
            _("Shade the lamp, move it to the side, or take it further away."),
            **facts,
        )
    if sight.evenness < SHADED:
        return wrong(
            Check.LIGHT,
            _(
                "The light is too uneven: the darkest part has {number} % of the brightest.",
                number=_percent(sight.evenness),
            ),
            _("Put a second lamp on the other side, or turn the lamp to the ceiling."),
            **facts,
        )
    if sight.brightness < DIM:
        return doubt(Check.LIGHT, _("It is rather dark."), _("Bring a lamp nearer."), **facts)
    if sight.evenness < UNEVEN:
        return doubt(
            Check.LIGHT,
            _(
                "The light comes from one side: the darkest part has {number} % of the brightest.",
                number=_percent(sight.evenness),
            ),
            _("A second lamp on the other side makes reading surer."),
            **facts,
        )
    return well(Check.LIGHT, _("Enough, and even."), **facts)


def tray(sight: Sight | None) -> Finding:
    """Whether the camera sees the tray: the printed sheet, or the one it was taught."""
    if sight is None:
        return _no_picture(Check.TRAY)
    facts = {"markers": sight.markers, "things": sight.things}
    if sight.fit is Fit.MOVED:
        return wrong(
            Check.TRAY,
            _("The tray is not where it was taught: it or the camera has moved."),
            _("Put it back, or teach the camera again from the page's menu."),
            **facts,
        )
    if 0 < sight.markers < 4:
        return doubt(
            Check.TRAY,
            ngettext(
                "The camera sees {number} of the printed sheet's four black squares.",
                "The camera sees {number} of the printed sheet's four black squares.",
                sight.markers,
            ),
            _("Let it see all four: move the sheet, or what lies on it."),
            **facts,
        )
    if sight.markers == 4:
        return well(Check.TRAY, _("The camera sees the printed sheet, with all four black squares."), **facts)
    if sight.fit is Fit.FITS:
        return well(Check.TRAY, _("The camera sees the tray where it was taught."), **facts)
    return skipped(
        Check.TRAY,
        _("The camera knows no tray yet."),
        _("Teach it your sticks from the page's menu, or lay the printed sheet under it: puluc print tray"),
    )


def profile(sight: Sight | None, problem: str, name: str) -> Finding:
    """Whether the reader knows the sticks. problem: why it does not, or empty. name: what their set is called."""
    cure = _("Teach the camera your sticks: on the page, Menu, Teach the camera.")
    if problem:
        return doubt(Check.PROFILE, problem, cure)
    if sight is not None and sight.fit is Fit.OTHER_SIZE:
        return wrong(Check.PROFILE, _("The sticks were taught with another camera, or another setting of it."), cure)
    if sight is not None and sight.fit is Fit.MOVED:
        return doubt(Check.PROFILE, _("The sticks are known, but not a tray that lies so."), cure)
    if sight is None:
        return well(Check.PROFILE, _("They are known: {name}.", name=name), name=name)
    return well(Check.PROFILE, _("They are known, and the picture fits: {name}.", name=name), name=name)


def _no_picture(check: Check) -> Finding:
    return skipped(check, _("There is no picture to tell by."))


def _percent(share: float) -> int:
    return round(100 * share)

from __future__ import annotations

from dataclasses import replace

from companion.doctor import sight
from companion.doctor.finding import State
from companion.doctor.sight import Fit, Sight
from tests.doctor.test_computer import states

GOOD = Sight(width=1280, height=960, edge=2.1, brightness=150, burnt=0.0, evenness=0.8, markers=4, fit=Fit.FITS)


def test_camera() -> None:
    """A picture, none with its reason, and a table that is played without."""
    lost = sight.camera("pi", "Check its ribbon, at both ends.", None)

    assert states(sight.camera("pi", "", GOOD), lost) == [State.WELL, State.WRONG]
    assert lost.says == "Check its ribbon, at both ends."
    assert sight.camera("none", "", None).state is State.SKIPPED


def test_focus() -> None:
    """Sharp, a little soft, blurred, and a lens with its cap on; the figure is told."""
    soft = sight.focus(replace(GOOD, edge=4.5))

    assert states(
        sight.focus(GOOD), soft, sight.focus(replace(GOOD, edge=7.0)), sight.focus(replace(GOOD, edge=None))
    ) == [State.WELL, State.DOUBT, State.WRONG, State.DOUBT]
    assert "4.5 pixels" in soft.says
    assert sight.focus(replace(GOOD, brightness=5)).state is State.SKIPPED


def test_light() -> None:
    """Enough; dim, dark, burnt out; from one side, and far too much from one side."""
    assert states(
        sight.light(GOOD),
        sight.light(replace(GOOD, brightness=50)),
        sight.light(replace(GOOD, brightness=20)),
        sight.light(replace(GOOD, burnt=0.1)),
        sight.light(replace(GOOD, evenness=0.4)),
        sight.light(replace(GOOD, evenness=0.2)),
    ) == [State.WELL, State.DOUBT, State.WRONG, State.WRONG, State.DOUBT, State.WRONG]


def test_tray() -> None:
    """The printed sheet, or the tray it was taught; one that has moved; a square hidden; no tray known."""
    plain = replace(GOOD, markers=0)

    assert states(
        sight.tray(GOOD),
        sight.tray(plain),
        sight.tray(replace(GOOD, fit=Fit.MOVED)),
        sight.tray(replace(GOOD, markers=3)),
    ) == [State.WELL, State.WELL, State.WRONG, State.DOUBT]
    assert sight.tray(replace(plain, fit=None)).state is State.SKIPPED


def test_profile() -> None:
    """Known and fitting; unknown; of another camera; of a tray that has moved."""
    assert states(
        sight.profile(GOOD, "", "Maya sticks"),
        sight.profile(GOOD, "There is no profile.", ""),
        sight.profile(replace(GOOD, fit=Fit.OTHER_SIZE), "", "Maya sticks"),
        sight.profile(replace(GOOD, fit=Fit.MOVED), "", "Maya sticks"),
    ) == [State.WELL, State.DOUBT, State.WRONG, State.DOUBT]


def test_nothing_is_said_of_what_cannot_be_seen() -> None:
    """Without a picture focus, light and tray are not looked at."""
    for check in (sight.focus, sight.light, sight.tray):
        assert check(None).state is State.SKIPPED

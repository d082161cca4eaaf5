"""The lamp's language in words: what each mood tells the players, and how it looks to somebody who sees no colours."""

from __future__ import annotations

from typing import assert_never

from companion.panel import Light
from companion.words import _
from hardware.lamp import SIGNALS, Colour, Mood


def light(mood: Mood) -> Light:
    """This word of the lamp's language, told in words."""
    signal = SIGNALS[mood]
    says, rhythm = _told(mood)
    return Light(
        mood=mood.value, says=says, rhythm=rhythm, colour=_hex(signal.colour), beats=signal.beats, fade=signal.fade
    )


def language() -> tuple[Light, ...]:
    """All that the lamp can say."""
    return tuple(light(mood) for mood in Mood)


def _told(mood: Mood) -> tuple[str, str]:
    """What it says, and its rhythm."""
    match mood:
        case Mood.WAITING:
            return _("Throw the sticks."), _("White, swelling and ebbing slowly, like breath.")
        case Mood.THINKING:
            return _("Something moves: the camera looks."), _("Blue, on and off quickly, twice a second.")
        case Mood.SURE:
            return _("There is something to confirm."), _("Green, lit without a break.")
        case Mood.UNSURE:
            return _("The camera is not sure: say what was thrown."), _("Amber, two short flashes and a pause.")
        case Mood.REFUSED:
            return _("That button does not fit the moment."), _("Red, three very short flashes, then as before.")
        case Mood.LOST:
            return _("The camera cannot help: enter the throw by hand."), _(
                "Pink, one very short flash every two seconds."
            )
        case Mood.OFF:
            return _("The game is over."), _("Nearly dark: an ember that glows up every ten seconds.")
        case Mood.LEAVING:
            return _("Keep holding, and the companion ends. Let go to stay."), _(
                "Violet, three flashes, each one shorter."
            )
        case Mood.GONE:
            return _("The companion ends."), _("Turquoise, lit long with a short gap, until it stays dark.")
        case _:
            assert_never(mood)


def _hex(colour: Colour) -> str:
    """As a page writes it, at full brightness: the rhythm dims it."""
    brightest = max(colour)
    return "#" + "".join(f"{round(255 * part / brightest):02x}" for part in colour)

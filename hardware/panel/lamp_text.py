"""The lamp's signals described in words, for people who see no colours too."""

from __future__ import annotations

from typing import assert_never

from companion.i18n import _
from companion.panel import LampSignal
from hardware.panel.lamp import SIGNALS, Colour, Mood


def describe(mood: Mood) -> LampSignal:
    """Describe the lamp's signal for a mood, in the current language."""
    signal = SIGNALS[mood]
    says, rhythm = _words(mood)
    return LampSignal(
        mood=mood.value, says=says, rhythm=rhythm, colour=_hex(signal.colour), beats=signal.beats, fade=signal.fade
    )


def all_signals() -> tuple[LampSignal, ...]:
    """Describe the lamp's signals for all moods."""
    return tuple(describe(mood) for mood in Mood)


def _words(mood: Mood) -> tuple[str, str]:
    """Return the meaning of a mood and the look of its signal."""
    match mood:
        case Mood.WAITING:
            return _("Throw the sticks."), _("White, fading in and out slowly, like breathing.")
        case Mood.THINKING:
            return _("Something is moving. The camera is watching."), _("Blue, blinking twice a second.")
        case Mood.SURE:
            return _("There is something to confirm."), _("Green, always on.")
        case Mood.COUNTING:
            return _("It counts by itself in a moment. Confirm to count it now."), _(
                "Lime green, blinking off twice a second."
            )
        case Mood.UNSURE:
            return _("The camera isn't sure of the throw, or a piece is on the wrong space."), _(
                "Amber, two short flashes and a pause."
            )
        case Mood.REFUSED:
            return _("That button does nothing right now."), _("Red, three very short flashes, then as before.")
        case Mood.LOST:
            return _("The camera can't help. Enter the count."), _("Pink, one very short flash every two seconds.")
        case Mood.OFF:
            return _("The game is over."), _("Almost dark, with a faint glow every ten seconds.")
        case Mood.LEAVING:
            return _("Keep holding to close the companion. Let go to keep playing."), _(
                "Violet, three flashes, each shorter than the last."
            )
        case Mood.GONE:
            return _("The companion is closing."), _("Turquoise, long flashes with short gaps, until it goes dark.")
        case _:
            assert_never(mood)


def _hex(colour: Colour) -> str:
    """Write a colour as ``#rrggbb`` at full brightness."""
    brightest = max(colour)
    return "#" + "".join(f"{round(255 * part / brightest):02x}" for part in colour)

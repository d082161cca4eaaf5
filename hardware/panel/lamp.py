"""The lamp's language: a colour and a rhythm for each mood of the table, so that either alone tells them apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import pi, sin
from types import MappingProxyType

Colour = tuple[float, float, float]
"""Red, green and blue, 0 (dark) to 1 (full)."""

DARK: Colour = (0.0, 0.0, 0.0)


class Mood(Enum):
    """What the lamp has to say."""

    WAITING = "waiting"  # throw the lots
    THINKING = "thinking"  # something moves on the tray, the camera looks
    SURE = "sure"  # a reading or a move stands there to be confirmed
    UNSURE = "unsure"  # the camera will not guess: say what was thrown
    REFUSED = "refused"  # that button does not fit the moment
    LOST = "lost"  # the camera cannot help: enter the throw by hand
    OFF = "off"  # the game is over, nothing is asked
    LEAVING = "leaving"  # two buttons are held: let go, or the companion ends
    GONE = "gone"  # the companion ends


@dataclass(frozen=True, slots=True)
class Signal:
    """One word of the lamp's language.

    beats: (lit, dark) seconds each, played in turn over and over.
    fade: the light swells and ebbs within each beat instead of switching.
    """

    colour: Colour
    beats: tuple[tuple[float, float], ...]
    fade: bool = False


SIGNALS: Mapping[Mood, Signal] = MappingProxyType(
    {
        Mood.WAITING: Signal((1.0, 1.0, 0.8), ((3.0, 1.0),), fade=True),
        Mood.THINKING: Signal((0.0, 0.3, 1.0), ((0.25, 0.25),)),
        Mood.SURE: Signal((0.0, 1.0, 0.1), ((1.0, 0.0),)),
        Mood.UNSURE: Signal((1.0, 0.5, 0.0), ((0.2, 0.2), (0.2, 1.0))),
        Mood.REFUSED: Signal((1.0, 0.0, 0.0), ((0.1, 0.1), (0.1, 0.1), (0.1, 0.5))),
        Mood.LOST: Signal((1.0, 0.0, 0.6), ((0.1, 1.9),)),
        # Not quite dark: an ember every ten seconds, or one would look for the plug.
        Mood.OFF: Signal((0.15, 0.08, 0.0), ((2.0, 8.0),), fade=True),
        # A candle that gutters: three seconds, each with less light than the one before.
        Mood.LEAVING: Signal((0.7, 0.4, 1.0), ((0.8, 0.2), (0.5, 0.5), (0.2, 0.8))),
        Mood.GONE: Signal((0.0, 0.6, 0.6), ((1.6, 0.4),)),
    }
)


def colour_at(mood: Mood, t: float) -> Colour:
    """The lamp's colour ``t`` seconds after the mood began, t >= 0.

    >>> colour_at(Mood.LOST, 0.05), colour_at(Mood.LOST, 1.0)
    ((1.0, 0.0, 0.6), (0.0, 0.0, 0.0))
    """
    signal = SIGNALS[mood]
    t %= sum(lit + dark for lit, dark in signal.beats)
    for lit, dark in signal.beats:
        if t < lit:
            light = sin(pi * t / lit) ** 2 if signal.fade else 1.0
            red, green, blue = signal.colour
            return (red * light, green * light, blue * light)
        t -= lit + dark
        if t < 0:
            break
    return DARK


def mood_of(phase: str, camera: str, unsure: bool, refused: bool) -> Mood:
    """The one thing worth saying, most urgent first.

    phase, camera: as the table's snapshot spells them.
    unsure: the camera looked at this throw and will not guess.
    refused: the last thing asked for did not fit the moment.

    The camera counts only while a throw is awaited. Once a throw is entered by hand, a lost camera no longer hides that
    there is something to confirm.

    >>> mood_of("throw", "lost", unsure=False, refused=False)
    <Mood.LOST: 'lost'>
    >>> mood_of("move", "lost", unsure=False, refused=False)
    <Mood.SURE: 'sure'>
    """
    if refused:
        return Mood.REFUSED
    match phase, camera:
        case "over", _:
            return Mood.OFF
        case "move", _:
            return Mood.SURE
        case "throw" | "throw_off", "lost" | "uncalibrated":
            return Mood.LOST
        case "throw" | "throw_off", "moving":
            return Mood.THINKING
    if unsure:
        return Mood.UNSURE
    return Mood.SURE if phase == "reading" else Mood.WAITING

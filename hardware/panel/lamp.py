"""The lamp's signals: a colour and a rhythm for each mood, so that either alone tells them apart."""

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
    """What the lamp says."""

    WAITING = "waiting"  # throw the lots
    THINKING = "thinking"  # something moves in the tray
    SURE = "sure"  # confirm the reading or the move
    COUNTING = "counting"  # it counts by itself in a moment; confirm takes it at once
    UNSURE = "unsure"  # the camera won't guess: enter the throw; or the board is wrong
    REFUSED = "refused"  # that button does nothing now
    LOST = "lost"  # no camera: enter the throw
    OFF = "off"  # the game is over
    LEAVING = "leaving"  # two buttons are held: the companion is about to end
    GONE = "gone"  # the companion is ending


@dataclass(frozen=True, slots=True)
class Signal:
    """Colour and rhythm of one mood.

    beats: (lit, dark) seconds, repeated in turn.
    fade: the light fades in and out within each beat instead of switching.
    """

    colour: Colour
    beats: tuple[tuple[float, float], ...]
    fade: bool = False


SIGNALS: Mapping[Mood, Signal] = MappingProxyType(
    {
        Mood.WAITING: Signal((1.0, 1.0, 0.8), ((3.0, 1.0),), fade=True),
        Mood.THINKING: Signal((0.0, 0.3, 1.0), ((0.25, 0.25),)),
        Mood.SURE: Signal((0.0, 1.0, 0.1), ((1.0, 0.0),)),
        Mood.COUNTING: Signal((0.6, 1.0, 0.0), ((0.4, 0.1),)),
        Mood.UNSURE: Signal((1.0, 0.5, 0.0), ((0.2, 0.2), (0.2, 1.0))),
        Mood.REFUSED: Signal((1.0, 0.0, 0.0), ((0.1, 0.1), (0.1, 0.1), (0.1, 0.5))),
        Mood.LOST: Signal((1.0, 0.0, 0.6), ((0.1, 1.9),)),
        # Not quite dark, or people would think it is unplugged.
        Mood.OFF: Signal((0.15, 0.08, 0.0), ((2.0, 8.0),), fade=True),
        # Like a dying candle: in each of three seconds it is lit for less long.
        Mood.LEAVING: Signal((0.7, 0.4, 1.0), ((0.8, 0.2), (0.5, 0.5), (0.2, 0.8))),
        Mood.GONE: Signal((0.0, 0.6, 0.6), ((1.6, 0.4),)),
    }
)


def colour_at(mood: Mood, t: float) -> Colour:
    """Return the lamp's colour ``t`` seconds after the mood began, t >= 0.

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


def mood_of(phase: str, camera: str, unsure: bool, *, counting: bool = False, wrong: bool = False) -> Mood:
    """Choose the mood, the most urgent first.

    phase, camera: the values of Phase and CameraState.
    unsure: whether the camera could not read the throw. counting: whether a countdown is running.
    wrong: whether the real board shows what is not legal.

    The camera matters only while a throw is awaited: a lost camera does not hide that a throw entered by hand is to be
    confirmed.

    >>> mood_of("throw", "lost", unsure=False)
    <Mood.LOST: 'lost'>
    >>> mood_of("move", "lost", unsure=False)
    <Mood.SURE: 'sure'>
    """
    if counting:
        return Mood.COUNTING
    if wrong and phase in ("move", "throw"):
        return Mood.UNSURE
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

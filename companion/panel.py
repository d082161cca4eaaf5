"""The panel as buttons, lamp and page share it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.errors import NotAllowed
from companion.i18n import _


class Button(StrEnum):
    """The buttons, as spelt in the configuration file."""

    CONFIRM = "confirm"
    NEXT = "next"
    BACK = "back"


class PanelAction(StrEnum):
    """What a press can do, as spelt in the configuration file."""

    YES = "yes"
    LOOK = "look"
    NEXT = "next"
    PASS = "pass"  # noqa: S105 - not a password
    UNDO = "undo"
    AGAIN = "again"
    NOTHING = "nothing"


class PanelKind(StrEnum):
    """What the panel is connected to: the pins of a Raspberry Pi, pins in memory that phones press, or nothing."""

    GPIO = "gpio"
    MOCK = "mock"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class LampSignal:
    """A signal of the lamp, described for the page.

    mood: its name. says: what it tells the players. rhythm: what it looks like, in words.
    colour: as ``#rrggbb``. beats: (lit, dark) seconds, repeated in turn.
    fade: the light fades in and out within each beat instead of switching.
    """

    mood: str
    says: str
    rhythm: str
    colour: str
    beats: tuple[tuple[float, float], ...]
    fade: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ButtonStatus:
    """One button: whether it is down, and what a short and a long press do."""

    button: Button
    down: bool
    short: PanelAction
    held: PanelAction


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelState:
    """The present state of the panel.

    light: what the lamp shows; None without a panel. language: all signals that it has.
    hold_s: how long a long press is.
    off: the two buttons that end the companion when both are held for off_s seconds, or none.
    """

    kind: PanelKind
    light: LampSignal | None = None
    language: tuple[LampSignal, ...] = ()
    keys: tuple[ButtonStatus, ...] = ()
    hold_s: float = 0.0
    off: tuple[Button, ...] = ()
    off_s: float = 0.0


class PanelControl(Protocol):
    """The panel as the page sees it. Thread-safe."""

    def state(self) -> PanelState:
        """Return the panel's state."""
        ...

    def press(self, button: Button, down: bool) -> None:
        """Press or release a button. Raises NotAllowed unless the pins are in memory.

        A press must be repeated at least every second, or the button is released.
        """
        ...


class NoPanel:
    """A table without a panel."""

    def state(self) -> PanelState:
        return PanelState(kind=PanelKind.NONE)

    def press(self, button: Button, down: bool) -> None:  # noqa: ARG002 - PanelControl's signature
        raise NotAllowed(_("This table has no panel. Start the companion with --buttons mock to try one."))

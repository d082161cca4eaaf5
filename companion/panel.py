"""The panel in the words of buttons, lamp and page: what can be pressed, what that means, and what the lamp says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.errors import NotNow
from companion.words import _


class Button(StrEnum):
    """The buttons, spelt as in the settings file."""

    CONFIRM = "confirm"
    NEXT = "next"
    BACK = "back"


class Act(StrEnum):
    """What a press may mean, spelt as in the settings file."""

    YES = "yes"
    LOOK = "look"
    NEXT = "next"
    PASS = "pass"  # noqa: S105 - no secret
    UNDO = "undo"
    AGAIN = "again"
    NOTHING = "nothing"


class PanelKind(StrEnum):
    """What the panel hangs on: the pins of a Raspberry Pi, pins in memory that a phone presses, or nothing."""

    GPIO = "gpio"
    MOCK = "mock"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """One word of the lamp's language.

    mood: its name. says: what it tells the players. rhythm: how it looks, in words that need no colours.
    colour: as ``#rrggbb``. beats: (lit, dark) seconds each, played in turn over and over.
    fade: the light swells and ebbs within each beat instead of switching.
    """

    mood: str
    says: str
    rhythm: str
    colour: str
    beats: tuple[tuple[float, float], ...]
    fade: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One button: whether it is down now, and what a short and a long press of it mean."""

    button: Button
    down: bool
    short: Act
    held: Act


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelState:
    """The panel as it is now.

    light: what the lamp says; None where there is no panel. language: all that it can say.
    hold_s: seconds from which a press is a long one.
    off: the two buttons that end the companion when both are held, or none; off_s: for how many seconds.
    """

    kind: PanelKind
    light: Light | None = None
    language: tuple[Light, ...] = ()
    keys: tuple[Key, ...] = ()
    hold_s: float = 0.0
    off: tuple[Button, ...] = ()
    off_s: float = 0.0


class PanelDesk(Protocol):
    """The panel as a page sees it. Any thread may ask."""

    def state(self) -> PanelState:
        """The panel as it is now."""
        ...

    def press(self, button: Button, down: bool) -> None:
        """Put a finger on the button, or take it off. Raises NotNow where there are no pins in memory.

        A finger that is not put there again and again, every second at least, is taken off.
        """
        ...


class NoPanel:
    """A table without a panel."""

    def state(self) -> PanelState:
        return PanelState(kind=PanelKind.NONE)

    def press(self, button: Button, down: bool) -> None:  # noqa: ARG002 - as every panel is asked
        raise NotNow(_("This table has no panel. Start the companion with --buttons mock, and try one here."))

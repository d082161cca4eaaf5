"""The panel's configuration file: pins, timing, and what each button does."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from companion.errors import SettingsUnusable
from companion.panel import Button, PanelAction

DEFAULT_PATH = Path("/etc/puluc/puluc.toml")
"""The file that is used if none is named."""

ACTIONS = "yes, look, next, pass, undo, again or nothing"

Gpio = Annotated[int, Field(ge=2, le=27, description="a GPIO number from 2 to 27")]
Action = Annotated[PanelAction, Field(strict=False, description=ACTIONS)]
ButtonName = Annotated[Button, Field(strict=False)]


class TomlSection(BaseModel):
    """A section of the file. Immutable; unknown keys and values of another type are errors.

    A key's title says what it is for and its description what it accepts. The written file shows both.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class ButtonSection(TomlSection):
    """Three buttons, each between its pin and ground. The Pi has pull-up resistors inside."""

    confirm: Gpio = Field(default=17, title="pin of the confirm button")
    next: Gpio = Field(default=27, title="pin of the next button")
    back: Gpio = Field(default=22, title="pin of the back button")
    settle_ms: float = Field(
        default=25,
        ge=1,
        le=100,
        title="how long a contact must be stable to count; raise it if one press counts twice",
        description="milliseconds from 1 to 100",
    )
    hold_s: float = Field(
        default=0.8,
        ge=0.3,
        le=5,
        title="how long until a press counts as long; raise it if short presses are taken for long ones",
        description="seconds from 0.3 to 5",
    )


class ActionSection(TomlSection):
    """What a short press and a long press of each button do.

    yes: accept the reading, the move or the pass. look: read the tray again. next: show the next legal move, or count
    one more marked face. pass: end the turn without a move. undo: take back the last step. again: once the game is
    over, play it again. nothing: ignore the press.
    """

    confirm: Action = Field(default=PanelAction.YES, title="confirm, short press")
    confirm_held: Action = Field(default=PanelAction.LOOK, title="confirm, long press")
    next: Action = Field(default=PanelAction.NEXT, title="next, short press")
    next_held: Action = Field(default=PanelAction.PASS, title="next, long press")
    back: Action = Field(default=PanelAction.UNDO, title="back, short press")
    back_held: Action = Field(default=PanelAction.AGAIN, title="back, long press")

    def action(self, button: Button, *, held: bool) -> PanelAction:
        """Return the action of a short press, or of a long one."""
        action: PanelAction = getattr(self, f"{button.value}_held" if held else button.value)
        return action


class LampSection(TomlSection):
    """An RGB LED with one resistor per pin: 220 ohms for red, 100 ohms for green and blue."""

    red: Gpio = Field(default=5, title="pin of the red LED")
    green: Gpio = Field(default=6, title="pin of the green LED")
    blue: Gpio = Field(default=13, title="pin of the blue LED")
    common_anode: bool = Field(
        default=False,
        title="whether the longest leg is wired to 3.3 V (common anode) instead of ground (common cathode)",
        description="true or false",
    )
    brightness: float = Field(
        default=0.5, ge=0, le=1, title="brightness of all signals", description="a number from 0 to 1"
    )


class BuzzerSection(TomlSection):
    """An active 3 V piezo buzzer, switched by a small transistor."""

    fitted: bool = Field(default=False, title="whether there is one", description="true or false")
    pin: Gpio = Field(default=12, title="pin of the transistor")


class ShutdownSection(TomlSection):
    """Holding two buttons ends the companion. On a Raspberry Pi, the service then switches the computer off.

    The lamp shows it. Letting go of either button early cancels it.
    """

    enabled: bool = Field(default=True, title="whether the buttons can do this", description="true or false")
    buttons: tuple[ButtonName, ButtonName] = Field(
        default=(Button.CONFIRM, Button.BACK),
        strict=False,
        title="which two buttons",
        description='two different ones of "confirm", "next" and "back", such as ["confirm", "back"]',
    )
    hold_s: float = Field(
        default=3,
        ge=2,
        le=10,
        title="how long both must be held; less happens more easily by accident",
        description="seconds from 2 to 10",
    )

    @model_validator(mode="after")
    def _two_buttons(self) -> Self:
        first, second = self.buttons
        if first is second:
            wanted = type(self).model_fields["buttons"].description
            raise ValueError(f"off.buttons names {first} twice; accepted is {wanted}.")
        return self


class PanelConfiguration(TomlSection):
    """The whole file. No pin is used twice."""

    buttons: ButtonSection = Field(default_factory=ButtonSection, description="a table, headed [buttons]")
    meanings: ActionSection = Field(default_factory=ActionSection, description="a table, headed [meanings]")
    lamp: LampSection = Field(default_factory=LampSection, description="a table, headed [lamp]")
    buzzer: BuzzerSection = Field(default_factory=BuzzerSection, description="a table, headed [buzzer]")
    off: ShutdownSection = Field(default_factory=ShutdownSection, description="a table, headed [off]")

    @classmethod
    def load(cls, path: Path | None) -> Self:
        """Read a file. Missing keys have their defaults, as has everything for None.

        Raises SettingsUnusable, which names the file, the key and what it accepts.
        """
        if path is None:
            return cls()
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            return cls.model_validate(data)
        except OSError as error:
            raise SettingsUnusable(f"{path} cannot be read ({error.strerror}); a TOML file is accepted.") from error
        except ValidationError as error:
            raise SettingsUnusable(f"{path}: {_describe(error.errors()[0])}") from error
        except ValueError as error:  # no TOML, or not UTF-8
            raise SettingsUnusable(f"{path} is not TOML: {error}.") from error

    def wires(self) -> Iterator[tuple[str, int]]:
        """Yield every wire as (``section.key``, GPIO number), in the file's order."""
        for button in Button:
            yield f"buttons.{button}", getattr(self.buttons, button)
        for colour in ("red", "green", "blue"):
            yield f"lamp.{colour}", getattr(self.lamp, colour)
        if self.buzzer.fitted:
            yield "buzzer.pin", self.buzzer.pin

    @model_validator(mode="after")
    def _each_pin_once(self) -> Self:
        users = defaultdict(list)
        for name, pin in self.wires():
            users[pin].append(name)
        for pin, names in users.items():
            if len(names) > 1:
                raise ValueError(f"{' and '.join(names)} are both {pin}; give each a different pin.")
        return self


def find_configuration(named: Path | None) -> Path | None:
    """Return the file that was named, else the default file if it exists, else None."""
    if named is None and DEFAULT_PATH.exists():
        return DEFAULT_PATH
    return named


SECTIONS: dict[str, type[TomlSection]] = {
    "buttons": ButtonSection,
    "meanings": ActionSection,
    "lamp": LampSection,
    "buzzer": BuzzerSection,
    "off": ShutdownSection,
}
"""The sections by their names, in the file's order."""


def _describe(error: ErrorDetails) -> str:
    """Say in one sentence which key is wrong and what it accepts."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    place = [str(part) for part in error["loc"]]
    # An error in an item of a list is reported for the list.
    section, key = (place[0], place[1]) if len(place) > 1 else ("", place[0])
    name = f"{section}.{key}" if section else key
    fields = SECTIONS.get(section, PanelConfiguration).model_fields
    if error["type"] == "extra_forbidden":
        return f"{name} is not known here; accepted are {', '.join(fields)}."
    return f"{name} is {error['input']!r}; accepted is {fields[key].description}."

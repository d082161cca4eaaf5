"""The settings file: which pin each button, lamp and buzzer hang on, how they feel, and what a press means."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from companion.errors import SettingsUnusable
from companion.panel import Act, Button

USUAL = Path("/etc/puluc/puluc.toml")
"""Where the settings are looked for when no file is named."""

MEANINGS = "yes, look, next, pass, undo, again or nothing"

Gpio = Annotated[int, Field(ge=2, le=27, description="a GPIO number from 2 to 27")]
Meaning = Annotated[Act, Field(strict=False, description=MEANINGS)]
Named = Annotated[Button, Field(strict=False)]


class Table(BaseModel):
    """A table of the settings file: fixed once read, every key known, nothing converted.

    The title of a key says what it is for, its description what it takes; the settings file shows both.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Buttons(Table):
    """Three buttons, each from its pin to ground; the pull-up is inside the Pi."""

    confirm: Gpio = Field(default=17, title="the pin of the button confirm")
    next: Gpio = Field(default=27, title="the pin of the button next")
    back: Gpio = Field(default=22, title="the pin of the button back")
    settle_ms: float = Field(
        default=25,
        ge=1,
        le=100,
        title="how long a contact must be still to count; raise it if one press counts twice",
        description="milliseconds from 1 to 100",
    )
    hold_s: float = Field(
        default=0.8,
        ge=0.3,
        le=5,
        title="how long until a press is a long one; raise it if short presses do what long ones should",
        description="seconds from 0.3 to 5",
    )


class Meanings(Table):
    """What a press means, short and held.

    yes: to the reading, the move, the pass. look: look at the tray again. next: the next legal move; while throwing,
    one marked face more. pass: nothing can be moved. undo: take back the last step. again: the same game once more,
    when it is over. nothing: the press does nothing.
    """

    confirm: Meaning = Field(default=Act.YES, title="confirm, pressed briefly")
    confirm_held: Meaning = Field(default=Act.LOOK, title="confirm, held")
    next: Meaning = Field(default=Act.NEXT, title="next, pressed briefly")
    next_held: Meaning = Field(default=Act.PASS, title="next, held")
    back: Meaning = Field(default=Act.UNDO, title="back, pressed briefly")
    back_held: Meaning = Field(default=Act.AGAIN, title="back, held")

    def of(self, button: Button, *, held: bool) -> Act:
        """What that press means."""
        act: Act = getattr(self, f"{button.value}_held" if held else button.value)
        return act


class Lamp(Table):
    """A lamp of three colours, each pin through its own resistor: 220 ohms for red, 100 for green and blue."""

    red: Gpio = Field(default=5, title="the pin of the red part")
    green: Gpio = Field(default=6, title="the pin of the green part")
    blue: Gpio = Field(default=13, title="the pin of the blue part")
    common_anode: bool = Field(
        default=False,
        title="whether the longest leg goes to 3.3 V (common anode) instead of to ground (common cathode)",
        description="true or false",
    )
    brightness: float = Field(
        default=0.5, ge=0, le=1, title="how bright it may get, over all it says", description="a number from 0 to 1"
    )


class Buzzer(Table):
    """A buzzer that sounds by itself when it has current (active, piezo, for 3 V), switched by a small transistor."""

    fitted: bool = Field(default=False, title="whether there is one", description="true or false")
    pin: Gpio = Field(default=12, title="the pin that switches it")


class Off(Table):
    """Two buttons held together end the companion; on a Raspberry Pi the service then switches the computer off.

    The lamp shows it, and letting go of either button before the time is over leaves all as it was.
    """

    enabled: bool = Field(default=True, title="whether that can be done with the buttons", description="true or false")
    buttons: tuple[Named, Named] = Field(
        default=(Button.CONFIRM, Button.BACK),
        strict=False,
        title="which two buttons",
        description='two different ones of "confirm", "next" and "back", such as ["confirm", "back"]',
    )
    hold_s: float = Field(
        default=3,
        ge=2,
        le=10,
        title="how long both must be held; less is easier to do by accident",
        description="seconds from 2 to 10",
    )

    @model_validator(mode="after")
    def _two_buttons(self) -> Self:
        first, second = self.buttons
        if first is second:
            wanted = type(self).model_fields["buttons"].description
            raise ValueError(f"off.buttons names {first} twice; accepted is {wanted}.")
        return self


class Pins(Table):
    """The panel: where it is wired, how it feels, and what its buttons mean. Every pin is used once."""

    buttons: Buttons = Field(default_factory=Buttons, description="a table, headed [buttons]")
    meanings: Meanings = Field(default_factory=Meanings, description="a table, headed [meanings]")
    lamp: Lamp = Field(default_factory=Lamp, description="a table, headed [lamp]")
    buzzer: Buzzer = Field(default_factory=Buzzer, description="a table, headed [buzzer]")
    off: Off = Field(default_factory=Off, description="a table, headed [off]")

    @classmethod
    def load(cls, path: Path | None) -> Self:
        """The settings of this file; what it leaves out, and None for a file, is as wired by default.

        Raises SettingsUnusable, which names the file, the key and what is accepted there.
        """
        if path is None:
            return cls()
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
            return cls.model_validate(data)
        except OSError as error:
            raise SettingsUnusable(f"{path} cannot be read ({error.strerror}); a TOML file is accepted.") from error
        except ValidationError as error:
            raise SettingsUnusable(f"{path}: {_fault(error.errors()[0])}") from error
        except ValueError as error:  # no TOML, or not UTF-8
            raise SettingsUnusable(f"{path} is not TOML: {error}.") from error

    def wires(self) -> Iterator[tuple[str, int]]:
        """Every wire from a GPIO pin, as (``table.key``, GPIO number), in the file's order."""
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
                raise ValueError(f"{' and '.join(names)} are both {pin}; accepted is a pin of its own for each.")
        return self


def settings_file(named: Path | None) -> Path | None:
    """The settings file that holds: the one that was named, else the usual one if it is there, else none."""
    if named is None and USUAL.exists():
        return USUAL
    return named


TABLES: dict[str, type[Table]] = {
    "buttons": Buttons,
    "meanings": Meanings,
    "lamp": Lamp,
    "buzzer": Buzzer,
    "off": Off,
}
"""The tables of the file by their heads, in its order."""


def _fault(error: ErrorDetails) -> str:
    """Say in one sentence which key is wrong and what is accepted there."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    place = [str(part) for part in error["loc"]]
    # Where one of several values in a list is wrong, the list is.
    table, key = (place[0], place[1]) if len(place) > 1 else ("", place[0])
    name = f"{table}.{key}" if table else key
    fields = TABLES.get(table, Pins).model_fields
    if error["type"] == "extra_forbidden":
        return f"{name} is not known here; accepted are {', '.join(fields)}."
    return f"{name} is {error['input']!r}; accepted is {fields[key].description}."

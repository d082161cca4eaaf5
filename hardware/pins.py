"""The settings file: which pin each button and the lamp hang on, and how they feel."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from pathlib import Path
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails

from companion.errors import SettingsUnusable

Gpio = Annotated[int, Field(ge=2, le=27, description="a GPIO number from 2 to 27")]


class Table(BaseModel):
    """A table of the settings file: fixed once read, every key known, nothing converted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class Buttons(Table):
    """Three buttons, each from its pin to ground.

    settle_ms: milliseconds a level must last to count.
    hold_s: seconds until a press is a long one.
    """

    confirm: Gpio = 17
    next: Gpio = 27
    back: Gpio = 22
    settle_ms: float = Field(default=25, ge=1, le=100, description="milliseconds from 1 to 100")
    hold_s: float = Field(default=0.8, ge=0.3, le=5, description="seconds from 0.3 to 5")


class Lamp(Table):
    """A lamp of three colours.

    common_anode: its long leg goes to 3.3 V instead of to ground.
    brightness: 0..1, over everything the lamp says.
    """

    red: Gpio = 5
    green: Gpio = 6
    blue: Gpio = 13
    common_anode: bool = Field(default=False, description="true or false")
    brightness: float = Field(default=0.5, ge=0, le=1, description="a number from 0 to 1")


class Pins(Table):
    """Where buttons and lamp are wired. Every pin is used once."""

    buttons: Buttons = Field(default_factory=Buttons, description="a table, headed [buttons]")
    lamp: Lamp = Field(default_factory=Lamp, description="a table, headed [lamp]")

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

    @model_validator(mode="after")
    def _each_pin_once(self) -> Self:
        users = defaultdict(list)
        for table, wires in (("buttons", ("confirm", "next", "back")), ("lamp", ("red", "green", "blue"))):
            for wire in wires:
                users[getattr(getattr(self, table), wire)].append(f"{table}.{wire}")
        for pin, names in users.items():
            if len(names) > 1:
                raise ValueError(f"{' and '.join(names)} are both {pin}; accepted is a pin of its own for each.")
        return self


def _fault(error: ErrorDetails) -> str:
    """Say in one sentence which key is wrong and what is accepted there."""
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    *table, key = map(str, error["loc"])
    name = ".".join((*table, key))
    model: type[Table] = Buttons if table == ["buttons"] else Lamp if table == ["lamp"] else Pins
    fields = model.model_fields
    if error["type"] == "extra_forbidden":
        return f"{name} is not known here; accepted are {', '.join(fields)}."
    return f"{name} is {error['input']!r}; accepted is {fields[key].description}."

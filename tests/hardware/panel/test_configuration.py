"""The panel's configuration file: defaults, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import SettingsUnusable
from hardware.panel.configuration import PanelConfiguration


def load(tmp_path: Path, text: str) -> PanelConfiguration:
    """Write this text to pins.toml and load it."""
    file = tmp_path / "pins.toml"
    file.write_text(text)
    return PanelConfiguration.load(file)


def test_defaults_without_a_file() -> None:
    """Without a file, the wiring is that of the manual."""
    pins = PanelConfiguration.load(None)

    assert (pins.buttons.confirm, pins.buttons.next, pins.buttons.back) == (17, 27, 22)
    assert (pins.lamp.red, pins.lamp.green, pins.lamp.blue) == (5, 6, 13)
    assert (pins.buttons.settle_ms, pins.buttons.hold_s) == (25, 0.8)
    assert not pins.lamp.common_anode


def test_missing_keys_have_defaults(tmp_path: Path) -> None:
    """A file with one line is complete."""
    pins = load(tmp_path, "[lamp]\ncommon_anode = true\n")

    assert pins.lamp.common_anode
    assert pins.lamp.red == 5
    assert pins.buttons == PanelConfiguration().buttons


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[buttons]\nconfrim = 17", "buttons.confrim is not known here; accepted are confirm, next, back, settle_ms"),
        ("[bell]\npin = 4", "bell is not known here; accepted are buttons, meanings, lamp, buzzer, off."),
        ('[meanings]\nback = "dance"', "meanings.back is 'dance'; accepted is yes, look, next, pass, undo, again or"),
        ('[off]\nbuttons = ["next", "next"]', "off.buttons names next twice; accepted is two different ones of"),
        ('[off]\nbuttons = ["next"]', "off.buttons is "),
        ('[off]\nbuttons = ["next", "bock"]', "off.buttons is 'bock'; accepted is two different ones of"),
        ("[off]\nhold_s = 0.5", "off.hold_s is 0.5; accepted is seconds from 2 to 10."),
        ("[buzzer]\nfitted = true\npin = 5", "lamp.red and buzzer.pin are both 5; give each a different pin"),
        ("[buttons]\nconfirm = 40", "buttons.confirm is 40; accepted is a GPIO number from 2 to 27."),
        ("[buttons]\nback = 1", "buttons.back is 1; accepted is a GPIO number from 2 to 27."),
        ('[buttons]\nback = "GPIO4"', "buttons.back is 'GPIO4'; accepted is a GPIO number from 2 to 27."),
        ("[buttons]\nnext = true", "buttons.next is True; accepted is a GPIO number from 2 to 27."),
        ("[buttons]\nnext = 4.0", "buttons.next is 4.0; accepted is a GPIO number from 2 to 27."),
        ("[buttons]\nhold_s = nan", "buttons.hold_s is nan; accepted is seconds from 0.3 to 5."),
        ("[buttons]\nsettle_ms = 0", "buttons.settle_ms is 0; accepted is milliseconds from 1 to 100."),
        ("[lamp]\nbrightness = 80", "lamp.brightness is 80; accepted is a number from 0 to 1."),
        ("[lamp]\nbrightness = true", "lamp.brightness is True; accepted is a number from 0 to 1."),
        ("[lamp]\ncommon_anode = 1", "lamp.common_anode is 1; accepted is true or false."),
        ("buttons = 17", "buttons is 17; accepted is a table, headed [buttons]."),
        ("[lamp]\nred = 17", "buttons.confirm and lamp.red are both 17; give each a different pin."),
        ("[buttons]\nnext = 22", "buttons.next and buttons.back are both 22;"),
        ("[buttons\n", "is not TOML: "),
    ],
)
def test_error_names_the_file_the_key_and_what_is_accepted(tmp_path: Path, text: str, fault: str) -> None:
    """The message is one line."""
    with pytest.raises(SettingsUnusable) as refusal:
        load(tmp_path, text)

    assert str(refusal.value).startswith(str(tmp_path / "pins.toml"))
    assert fault in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """A misspelt path does not silently mean the defaults."""
    with pytest.raises(SettingsUnusable, match=r"absent\.toml cannot be read \(No such file"):
        PanelConfiguration.load(tmp_path / "absent.toml")


def test_binary_file_is_refused(tmp_path: Path) -> None:
    """The message says that it is not TOML."""
    file = tmp_path / "pins.toml"
    file.write_bytes(b"\xff\xd8\xff\xe0")

    with pytest.raises(SettingsUnusable, match=r"pins\.toml is not TOML"):
        PanelConfiguration.load(file)


def test_buzzer_that_is_not_fitted_uses_no_pin(tmp_path: Path) -> None:
    """Its pin is free for something else."""
    assert load(tmp_path, "[lamp]\nred = 12\n").lamp.red == 12

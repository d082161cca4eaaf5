from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.errors import SettingsUnusable
from hardware.pins import Pins

EXAMPLE = Path(__file__).parents[2] / "systemd" / "puluc.toml"


def load(tmp_path: Path, text: str) -> Pins:
    """Load these settings from a file called pins.toml."""
    file = tmp_path / "pins.toml"
    file.write_text(text)
    return Pins.load(file)


def test_without_a_file_everything_is_as_wired_by_default() -> None:
    """No file means the wiring of the manual."""
    pins = Pins.load(None)

    assert (pins.buttons.confirm, pins.buttons.next, pins.buttons.back) == (17, 27, 22)
    assert (pins.lamp.red, pins.lamp.green, pins.lamp.blue) == (5, 6, 13)
    assert (pins.buttons.settle_ms, pins.buttons.hold_s) == (25, 0.8)
    assert not pins.lamp.common_anode


def test_file_changes_what_it_names_and_leaves_the_rest(tmp_path: Path) -> None:
    """One line is a whole settings file."""
    pins = load(tmp_path, "[lamp]\ncommon_anode = true\n")

    assert pins.lamp.common_anode
    assert pins.lamp.red == 5
    assert pins.buttons == Pins().buttons


def test_empty_file_is_the_default(tmp_path: Path) -> None:
    """A file with nothing in it changes nothing."""
    assert load(tmp_path, "") == Pins()


def test_example_shows_every_key_with_its_default() -> None:
    """The shipped file can be installed as it is, and nothing is missing from it."""
    assert Pins.load(EXAMPLE) == Pins()
    assert tomllib.loads(EXAMPLE.read_text()) == Pins().model_dump(mode="json")


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
        ("[buzzer]\nfitted = true\npin = 5", "lamp.red and buzzer.pin are both 5; accepted is a pin of its own"),
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
        ("[lamp]\nred = 17", "buttons.confirm and lamp.red are both 17; accepted is a pin of its own for each."),
        ("[buttons]\nnext = 22", "buttons.next and buttons.back are both 22;"),
        ("[buttons\n", "is not TOML: "),
    ],
)
def test_fault_names_file_key_and_what_is_accepted(tmp_path: Path, text: str, fault: str) -> None:
    """One line says which file, which key, and what may stand there."""
    with pytest.raises(SettingsUnusable) as refusal:
        load(tmp_path, text)

    assert str(refusal.value).startswith(str(tmp_path / "pins.toml"))
    assert fault in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """A misspelt path does not quietly mean the defaults."""
    with pytest.raises(SettingsUnusable, match=r"absent\.toml cannot be read \(No such file"):
        Pins.load(tmp_path / "absent.toml")


def test_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    """A picture in place of the settings is called what it is."""
    file = tmp_path / "pins.toml"
    file.write_bytes(b"\xff\xd8\xff\xe0")

    with pytest.raises(SettingsUnusable, match=r"pins\.toml is not TOML"):
        Pins.load(file)


def test_a_buzzer_that_is_not_fitted_takes_no_pin(tmp_path: Path) -> None:
    """Its pin may be used by something else."""
    assert load(tmp_path, "[lamp]\nred = 12\n").lamp.red == 12

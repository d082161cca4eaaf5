"""The settings as a file that explains itself."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from companion.panel import Act, Button
from hardware.pins import TABLES, USUAL, Buttons, Buzzer, Lamp, Meanings, Off, Pins, settings_file
from hardware.settings_text import commented

SHIPPED = Path(__file__).parents[2] / "systemd" / "puluc.toml"
CHANGED = Pins(
    buttons=Buttons(confirm=4, settle_ms=12.5),
    meanings=Meanings(back_held=Act.NOTHING),
    lamp=Lamp(common_anode=True, brightness=0.25),
    buzzer=Buzzer(fitted=True, pin=19),
    off=Off(buttons=(Button.NEXT, Button.BACK), hold_s=4.5),
)


@pytest.mark.parametrize("pins", [Pins(), CHANGED])
@pytest.mark.parametrize("sources", [True, False])
def test_what_is_shown_reads_back(pins: Pins, sources: bool, tmp_path: Path) -> None:
    """It is a settings file itself, so nobody copies values by hand."""
    file = tmp_path / "again.toml"
    file.write_text(commented(pins, file=Path("x.toml"), sources=sources))

    assert Pins.load(file) == pins


def test_every_key_is_explained() -> None:
    """Before each stands what it is for, behind it what it takes."""
    lines = commented(Pins()).splitlines()
    for table, model in TABLES.items():
        for key, field in model.model_fields.items():
            at = next(at for at in range(lines.index(f"[{table}]"), len(lines)) if lines[at].startswith(f"{key} = "))

            assert field.title
            assert lines[at - 1].startswith("# ")
            assert lines[at].endswith(f"# {field.description}")


def test_each_value_says_where_it_comes_from(tmp_path: Path) -> None:
    """From the file, with what it would be without; or as it comes."""
    file = tmp_path / "mine.toml"
    file.write_text("[buttons]\nconfirm = 4\nnext = 27\n")
    lines = commented(Pins.load(file), file=file, sources=True).splitlines()

    def line(key: str) -> str:
        return next(line for line in lines if line.startswith(f"{key} = "))

    assert line("confirm").endswith(f"; from {file}, as it comes 17")
    assert line("next").endswith(f"; from {file}, as it comes 27")
    assert line("red").endswith("; as it comes")


def test_the_shipped_file_is_the_fresh_one() -> None:
    """Made by ``puluc config --fresh > systemd/puluc.toml``."""
    assert SHIPPED.read_text() == commented(Pins())
    assert set(tomllib.loads(SHIPPED.read_text())) == set(TABLES)


def test_the_file_that_was_named_holds(tmp_path: Path) -> None:
    """Whether it is there or not: a misspelt name must not quietly mean another file."""
    assert settings_file(tmp_path / "absent.toml") == tmp_path / "absent.toml"
    assert settings_file(None) == (USUAL if USUAL.exists() else None)

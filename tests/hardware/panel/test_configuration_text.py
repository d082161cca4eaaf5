"""The configuration written as a commented TOML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.panel import Button, PanelAction
from hardware.panel.configuration import (
    DEFAULT_PATH,
    SECTIONS,
    ActionSection,
    ButtonSection,
    BuzzerSection,
    LampSection,
    PanelConfiguration,
    ShutdownSection,
    find_configuration,
)
from hardware.panel.configuration_text import to_toml

SHIPPED = Path(__file__).parents[3] / "systemd" / "puluc.toml"
CHANGED = PanelConfiguration(
    buttons=ButtonSection(confirm=4, settle_ms=12.5),
    meanings=ActionSection(back_held=PanelAction.NOTHING),
    lamp=LampSection(common_anode=True, brightness=0.25),
    buzzer=BuzzerSection(fitted=True, pin=19),
    off=ShutdownSection(buttons=(Button.NEXT, Button.BACK), hold_s=4.5),
)


@pytest.mark.parametrize("pins", [PanelConfiguration(), CHANGED])
@pytest.mark.parametrize("sources", [True, False])
def test_written_file_loads_again(pins: PanelConfiguration, sources: bool, tmp_path: Path) -> None:
    """Loading it gives the same configuration."""
    file = tmp_path / "again.toml"
    file.write_text(to_toml(pins, file=Path("x.toml"), sources=sources))

    assert PanelConfiguration.load(file) == pins


def test_every_key_is_explained() -> None:
    """A comment before each key says what it is for, one behind its value what it accepts."""
    lines = to_toml(PanelConfiguration()).splitlines()
    for table, model in SECTIONS.items():
        for key, field in model.model_fields.items():
            at = next(at for at in range(lines.index(f"[{table}]"), len(lines)) if lines[at].startswith(f"{key} = "))

            assert field.title
            assert lines[at - 1].startswith("# ")
            assert lines[at].endswith(f"# {field.description}")


def test_each_value_says_where_it_comes_from(tmp_path: Path) -> None:
    """Values from the file are shown with their defaults."""
    file = tmp_path / "mine.toml"
    file.write_text("[buttons]\nconfirm = 4\nnext = 27\n")
    lines = to_toml(PanelConfiguration.load(file), file=file, sources=True).splitlines()

    def line(key: str) -> str:
        return next(line for line in lines if line.startswith(f"{key} = "))

    assert line("confirm").endswith(f"; from {file}, default 17")
    assert line("next").endswith(f"; from {file}, default 27")
    assert line("red").endswith("; default")


def test_shipped_file_is_up_to_date() -> None:
    """It is made by ``puluc config --fresh > systemd/puluc.toml``."""
    assert SHIPPED.read_text() == to_toml(PanelConfiguration())


def test_named_file_is_used(tmp_path: Path) -> None:
    """It is used even if it does not exist: a misspelt name must not silently mean another file."""
    assert find_configuration(tmp_path / "absent.toml") == tmp_path / "absent.toml"
    assert find_configuration(None) == (DEFAULT_PATH if DEFAULT_PATH.exists() else None)

"""``puluc config`` shows the settings, checks a file, and draws the wiring."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.commands.config import config
from companion.errors import SettingsUnusable
from hardware.panel.configuration import PanelConfiguration
from hardware.panel.configuration_text import to_toml
from hardware.panel.wiring_diagram import draw_wiring


def puluc_config(*words: str) -> str:
    """Standard output of the command; raises its errors."""
    done = CliRunner().invoke(config, words, standalone_mode=False, catch_exceptions=False)
    if done.exception:
        raise done.exception
    return done.stdout


def test_default_settings_are_a_valid_file() -> None:
    """They do not depend on this computer's files."""
    assert puluc_config("--fresh") == to_toml(PanelConfiguration())


def test_settings_in_force_are_those_of_the_file(tmp_path: Path) -> None:
    """Each setting names the file it comes from."""
    file = tmp_path / "mine.toml"
    file.write_text("[lamp]\nbrightness = 1\n")

    assert f"from {file}, default 0.5" in puluc_config("--config", str(file))


def test_a_file_is_checked(tmp_path: Path) -> None:
    """A valid file prints nothing on standard output; an invalid one names the fault and the accepted values."""
    file = tmp_path / "mine.toml"
    file.write_text("[lamp]\nred = 5\n")
    right = puluc_config("--check", str(file))
    file.write_text("[lamp]\nred = 50\n")

    assert right == ""
    with pytest.raises(SettingsUnusable, match=r"lamp\.red is 50; accepted is a GPIO number from 2 to 27"):
        puluc_config("--check", str(file))


def test_the_wiring_is_drawn_from_the_file(tmp_path: Path) -> None:
    """An error names a path that cannot be written."""
    file, out = tmp_path / "mine.toml", tmp_path / "wiring.svg"
    file.write_text("[lamp]\ncommon_anode = true\n")
    puluc_config("--config", str(file), "--wiring", str(out))

    assert out.read_text() == draw_wiring(PanelConfiguration.load(file))
    with pytest.raises(SettingsUnusable, match="cannot be written"):
        puluc_config("--wiring", str(tmp_path / "nowhere" / "wiring.svg"))

"""The option ``--data``, and root's change to the owner of that folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import platformdirs

from companion.errors import SettingsUnusable, Unknown
from companion.service.privileges import become_owner_of, can_read_program


def usual_folder() -> Path:
    """Where this user's games are kept unless ``--data`` names another folder."""
    return platformdirs.user_data_path("puluc")


def data_option(
    help_text: str = "Folder where the games are kept.", *, usual: Callable[[], Path] = usual_folder
) -> Callable[[Any], Any]:
    """Give a command ``--data``, or else ``usual``. Run as root, it works as the user who owns that folder."""

    def change_user(_context: click.Context, _parameter: click.Parameter, named: Path | None) -> Path:
        folder = named or usual()
        work_as_owner(folder)
        return folder

    return click.option("--data", type=click.Path(path_type=Path), callback=change_user, help=help_text)


def no_games(data: Path) -> Unknown:
    """What a command answers that needs games where none are kept."""
    return Unknown(f"No games are kept in '{data}'. Name their folder with --data.")


def work_as_owner(folder: Path) -> None:
    """Change from root to the owner of a folder, and say so. Raises SettingsUnusable."""
    name = become_owner_of(folder)
    if name is None:
        return
    if not can_read_program():
        raise SettingsUnusable(
            f"'{folder}' belongs to {name}, who may not read this program. Install it for everyone: "
            "sudo python3 systemd/install.py"
        )
    click.echo(f"Working as the user {name}, who owns '{folder}'.", err=True)

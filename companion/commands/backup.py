"""``puluc backup``: everything of a table in one file, and back."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import platformdirs

from companion.advice.keeping import replacing
from companion.backup.contents import Manifest
from companion.backup.packing import packed
from companion.backup.unpacking import unpacked
from companion.errors import BackupNotMade, BackupUnusable, SettingsUnusable, Unknown
from companion.referee.copies import Copied, copied
from companion.referee.store import Store
from companion.referee.swap import GAMES, aside, commit, finish
from companion.words import _, ngettext

data_option = click.option("--data", type=click.Path(path_type=Path), help="Folder where the games are kept.")


@click.group()
def backup() -> None:
    """Everything of a table in one file: games, the camera's profile, cases and settings."""


@backup.command("export")
@data_option
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export_all(data: Path | None, file: Path) -> None:
    """Write a backup into FILE. The game may go on meanwhile."""
    folder = data or platformdirs.user_data_path("puluc")
    if not (folder / GAMES).exists():
        raise Unknown(f"No games are kept in '{folder}'. Name their folder with --data.")
    try:
        with tempfile.TemporaryDirectory(prefix=".puluc-", dir=file.absolute().parent) as place, replacing(file) as new:
            games = copied(folder, Path(place) / GAMES)
            with new.open("wb") as writing:
                for piece in packed(folder, games):
                    writing.write(piece)
            new.chmod(0o600)
    except BackupNotMade:
        raise
    except OSError as error:
        raise BackupNotMade(f"The backup cannot be written to '{file}': {error.strerror}.") from error
    click.echo(f"{told(games)} are in {file}.", err=True)


@backup.command("restore")
@data_option
@click.option("--yes", is_flag=True, help="Do not ask once more.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def restore_all(data: Path | None, yes: bool, file: Path) -> None:
    """Put all that is in the backup FILE in the place of what is there. What was there is kept aside."""
    folder = data or platformdirs.user_data_path("puluc")
    if not file.exists():
        raise BackupUnusable(f"There is no file '{file}'.")
    if (folder / GAMES).exists():
        # Raises where a companion plays there. It would go on writing into what was put aside.
        Store(folder).close()
    staged, manifest = unpacked(file, folder)
    click.echo(described(manifest), err=True)
    if not yes:
        click.confirm(f"Put it in the place of all that is kept in '{folder}'?", abort=True, err=True)
    try:
        commit(staged)
    except OSError as error:
        raise SettingsUnusable(
            f"The backup cannot be put in place in '{folder}': {error.strerror}. Nothing is lost: the next start "
            "tries again."
        ) from error
    finish(folder)
    there = aside(folder)
    click.echo(f"Restored. What was there before is kept in '{there}'.", err=True)


def described(manifest: Manifest) -> str:
    """What a backup holds, in sentences."""
    parts = [
        _("Made {when} UTC.", when=manifest.made[:16].replace("T", " ")),
        ngettext("It holds {number} game.", "It holds {number} games.", manifest.games),
        _("The camera's knowledge of the sticks is in it.") if manifest.sticks else _("It knows no sticks."),
    ]
    return " ".join(parts)


def told(games: Copied) -> str:
    """How many games."""
    return f"{games.games} {'game' if games.games == 1 else 'games'} with {games.events} events"

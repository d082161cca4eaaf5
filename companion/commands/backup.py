"""``puluc backup``: save all data of a table in one file, and restore it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import platformdirs

from companion.backup.manifest import Manifest
from companion.backup.packing import pack_backup
from companion.backup.recovery import Choice, Recovery, Way
from companion.backup.unpacking import stage_backup
from companion.commands.data_option import data_option
from companion.commands.record import NOBODY
from companion.errors import BackupNotMade, BackupUnusable, NotAllowed, SettingsUnusable, StoreDamaged, Unknown
from companion.i18n import _, ngettext
from companion.referee.referee import Referee
from companion.storage.atomic_file import replacing
from companion.storage.database_copy import DatabaseCopy, copy_games
from companion.storage.restore import ASIDE, DAMAGED, GAMES, READY, asides, commit
from companion.storage.store import Store


@click.group()
def backup() -> None:
    """Save and restore a table: games, the camera's profile, cases and settings, in one file."""


@backup.command("export")
@data_option()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export_all(data: Path | None, file: Path) -> None:
    """Write a backup to FILE. The game may go on meanwhile."""
    folder = data or platformdirs.user_data_path("puluc")
    if not (folder / GAMES).exists():
        raise Unknown(f"No games are kept in '{folder}'. Name their folder with --data.")
    try:
        with tempfile.TemporaryDirectory(prefix=".puluc-", dir=file.absolute().parent) as place, replacing(file) as new:
            games = copy_games(folder, Path(place) / GAMES)
            with new.open("wb") as writing:
                for piece in pack_backup(folder, games):
                    writing.write(piece)
            new.chmod(0o600)
    except BackupNotMade:
        raise
    except OSError as error:
        raise BackupNotMade(f"The backup cannot be written to '{file}': {error.strerror}.") from error
    click.echo(f"{number_of_games(games)} are in {file}.", err=True)


@backup.command("restore")
@data_option()
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def restore_all(data: Path | None, yes: bool, file: Path) -> None:
    """Replace the table's data by the backup FILE. The old data is set aside."""
    folder = data or platformdirs.user_data_path("puluc")
    if not file.exists():
        raise BackupUnusable(f"There is no file '{file}'.")
    aside = ASIDE
    try:
        if (folder / GAMES).exists():
            # Raises where a companion plays there. It would go on writing into what was put aside.
            Store(folder).close()
    except StoreDamaged:
        if (folder / READY).exists():
            raise
        aside = DAMAGED
    staged, manifest = stage_backup(file, folder)
    click.echo(described(manifest), err=True)
    if not yes:
        click.confirm(f"Put it in the place of all that is kept in '{folder}'?", abort=True, err=True)
    try:
        commit(staged, aside=aside)
    except OSError as error:
        raise SettingsUnusable(
            f"The backup cannot be put in place in '{folder}': {error.strerror}. Nothing is lost: the next start "
            "tries again."
        ) from error
    click.echo(f"Restored. What was there before is kept in '{asides(folder, aside)[0]}'.", err=True)


@backup.command("rescue")
@data_option()
@click.argument("way", type=click.Choice([way.value for way in Way]), required=False)
def rescue(data: Path | None, way: str | None) -> None:
    """Replace damaged games, which are kept aside. Without WAY, say what each way brings.

    \b
    rescue  what can still be read of them
    copy    the newest good copy
    empty   no games at all
    """
    folder = data or platformdirs.user_data_path("puluc")
    try:
        Referee(Store(folder), first=NOBODY).close()
    except StoreDamaged as error:
        click.echo(str(error), err=True)
    else:
        raise NotAllowed(f"The games in '{folder}' are sound. There is nothing to rescue.")
    recovery = Recovery(folder)
    recovery.survey()
    if way is None:
        for choice in recovery.choices or ():
            click.echo(f"{choice.way.value:7} {_brings(choice)}")
        return
    recovery.take(Way(way))
    click.echo(f"Done. The damaged file is kept in '{asides(folder, DAMAGED)[0]}'.", err=True)


def _brings(choice: Choice) -> str:
    """What a way out of the damage brings."""
    holds = choice.holds
    if holds is None:
        return "no games"
    parts = [f"{holds.games} games, last played {holds.newest[:16].replace('T', ' ')} UTC"]
    parts += [f"{holds.cut} of them cut short"] if holds.cut else []
    parts += [f"{holds.lost} lost"] if holds.lost else []
    return ", ".join(parts)


def described(manifest: Manifest) -> str:
    """The contents of a backup, in sentences."""
    parts = [
        _("Made {when} UTC.", when=manifest.made[:16].replace("T", " ")),
        ngettext("It holds {number} game.", "It holds {number} games.", manifest.games),
        _("It includes what the camera knows about the sticks.")
        if manifest.sticks
        else _("It doesn't include any sticks the camera has learned."),
    ]
    return " ".join(parts)


def number_of_games(games: DatabaseCopy) -> str:
    """The number of games in words."""
    return f"{games.games} {'game' if games.games == 1 else 'games'} with {games.events} events"

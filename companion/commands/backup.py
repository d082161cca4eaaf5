"""``puluc backup``: save all data of a table in one file, and restore it."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from companion.backup.manifest import Manifest
from companion.backup.packing import pack_backup
from companion.backup.recovery import Choice, Recovery, Way
from companion.backup.unpacking import stage_backup
from companion.commands.data_option import data_option, no_games
from companion.commands.record import NOBODY
from companion.errors import BackupNotMade, BackupUnusable, NotAllowed, NotStored, SettingsUnusable, StoreDamaged
from companion.i18n import _, ngettext
from companion.referee.referee import Referee
from companion.storage.atomic_file import replacing
from companion.storage.database_copy import copies, copy_games
from companion.storage.restore import ASIDE, DAMAGED, GAMES, READY, asides, commit
from companion.storage.store import Store


@click.group()
def backup() -> None:
    """Save and restore a table: games, what the camera was taught, cases and settings, in one file."""


@backup.command("export")
@data_option()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export_all(data: Path, file: Path) -> None:
    """Write a backup to FILE. The game may go on meanwhile."""
    if not (data / GAMES).exists():
        raise no_games(data)
    try:
        with tempfile.TemporaryDirectory(prefix=".puluc-", dir=file.absolute().parent) as place, replacing(file) as new:
            games = copy_games(data, Path(place) / GAMES)
            with new.open("wb") as writing:
                for piece in pack_backup(data, games):
                    writing.write(piece)
            new.chmod(0o600)
    except BackupNotMade:
        raise
    except OSError as error:
        raise BackupNotMade(f"The backup cannot be written to '{file}': {error.strerror}.") from error
    click.echo(f"{file} holds {_counted(games.games, 'game')} with {_counted(games.events, 'event')}.", err=True)


@backup.command("restore")
@data_option()
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def restore_all(data: Path, yes: bool, file: Path) -> None:
    """Replace the table's data with the backup FILE. The old data is set aside."""
    if not file.exists():
        raise BackupUnusable(f"There is no file '{file}'.")
    aside = ASIDE
    try:
        if (data / GAMES).exists():
            # Raises where a companion plays there. It would go on writing into what was put aside.
            Store(data).close()
    except StoreDamaged:
        if (data / READY).exists():
            raise
        aside = DAMAGED
    staged, manifest = stage_backup(file, data)
    click.echo(described(manifest), err=True)
    if not yes:
        click.confirm(f"Put it in the place of all that is kept in '{data}'?", abort=True, err=True)
    try:
        commit(staged, aside=aside)
    except OSError as error:
        raise SettingsUnusable(
            f"The backup cannot be put in place in '{data}': {error.strerror}. Nothing is lost: the next start "
            "tries again."
        ) from error
    click.echo(f"Restored. What was there before is kept in '{asides(data, aside)[0]}'.", err=True)


@backup.command("rescue")
@data_option()
@click.argument("way", type=click.Choice([way.value for way in Way]), required=False, metavar="[WAY]")
def rescue(data: Path, way: str | None) -> None:
    """Replace damaged games, which are kept aside. Without WAY, say what each way brings.

    \b
    rescue  what can still be read of them
    copy    the newest good copy
    empty   no games at all
    """
    if not ((data / GAMES).exists() or (data / READY).exists() or copies(data)):
        raise no_games(data)
    try:
        Referee(Store(data), first=NOBODY).close()
    except StoreDamaged as error:
        click.echo(str(error), err=True)
    else:
        raise NotAllowed(f"The games in '{data}' are sound. There is nothing to rescue.")
    recovery = Recovery(data)
    recovery.survey()
    if way is None:
        for choice in recovery.choices or ():
            click.echo(f"{choice.way.value:7} {_brings(choice)}")
        return
    try:
        recovery.take(Way(way))
    except NotStored:
        raise
    except OSError as error:
        raise SettingsUnusable(
            f"The games in '{data}' cannot be replaced: {error.strerror}. Nothing is lost: try again."
        ) from error
    click.echo(f"Done. The damaged file is kept in '{asides(data, DAMAGED)[0]}'.", err=True)


def _brings(choice: Choice) -> str:
    """What a way out of the damage brings."""
    holds = choice.holds
    if holds is None:
        return "no games"
    parts = [f"{_counted(holds.games, 'game')}, last played {holds.newest[:16].replace('T', ' ')} UTC"]
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


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"

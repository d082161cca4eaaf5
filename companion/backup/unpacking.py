"""Checks a backup and stages it beside what it will replace."""

from __future__ import annotations

import shutil
import time
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from companion.backup.manifest import MANIFEST, VERSION, BackupFile, Manifest
from companion.backup.packing import PIECE
from companion.errors import BackupUnusable, CompanionError
from companion.i18n import _
from companion.storage.atomic_file import to_disk
from companion.storage.recovery.found_events import in_database
from companion.storage.recovery.rebuild import InvalidContent, Rebuilt, rebuild
from companion.storage.restore import GAMES

MOST_BYTES = 1024**3
"""Most bytes of a backup, unpacked. A table has some 220 MB at most, so more is no backup, or a trap."""
MOST_FILES = 5000
LEFT_FREE = 64 * 1024**2
"""Bytes that must stay free on the disk, for the games to go on. Higher refuses sooner on a small card."""
LARGEST_MANIFEST = 4 * 1024**2
FOREIGN = (
    zipfile.BadZipFile,  # not a ZIP file, or a damaged one
    zlib.error,  # damaged within a file
    EOFError,  # cut short
    NotImplementedError,  # an unknown compression
    RuntimeError,  # locked with a password
    KeyError,  # without a manifest
)
"""What the ZIP library raises for a file that is not one of our backups."""
STAGED = ".restore-staged"
FOREIGN_GAMES = "foreign.sqlite3"
IMPORT_S = 300.0
"""Seconds that the games of a backup may take to import. Less refuses long histories on a slow computer: a Raspberry Pi
imports some 500 events a second."""


def stage_backup(file: Path, folder: Path) -> tuple[Path, Manifest]:
    """Check a backup and unpack it into a folder within the table's, for ``restore.commit``.

    Returns that folder and the manifest. Nothing else changes. Raises BackupUnusable, saying what is wrong with it.
    """
    staged = folder / STAGED
    shutil.rmtree(staged, ignore_errors=True)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(file) as pack:
            manifest = _manifest(pack)
            _room(manifest, folder)
            staged.mkdir()
            for held in manifest.files:
                _unpack(pack, held, staged)
        games = _import_games(staged)
        manifest = manifest.model_copy(update={"games": games.games, "events": games.events})
    except BaseException as error:
        shutil.rmtree(staged, ignore_errors=True)
        if isinstance(error, FOREIGN):
            raise BackupUnusable(_("This file isn't a Puluc backup, or it's incomplete.")) from error
        if isinstance(error, OSError) and not isinstance(error, CompanionError):
            why = str(error.strerror or error)
            raise BackupUnusable(_("The backup cannot be unpacked: {why}.", why=why)) from error
        raise
    return staged, manifest


def _manifest(pack: zipfile.ZipFile) -> Manifest:
    if pack.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
        raise BackupUnusable(_("This file is too large to be a Puluc backup."))
    try:
        manifest = Manifest.model_validate_json(pack.read(MANIFEST))
    except ValidationError as error:
        raise BackupUnusable(_("This file isn't a Puluc backup, or it's incomplete.")) from error
    if manifest.version > VERSION:
        raise BackupUnusable(_("A newer version of this program made this backup. Update, and try again."))
    names = [held.path for held in manifest.files]
    if sorted([*names, MANIFEST]) != sorted(pack.namelist()) or GAMES not in names:
        raise BackupUnusable(
            _("This backup does not match its list of contents. It was changed, or part of it is missing.")
        )
    if not all(held.is_allowed for held in manifest.files):
        raise BackupUnusable(_("This backup contains files that don't belong to a Puluc table."))
    return manifest


def _room(manifest: Manifest, folder: Path) -> None:
    if manifest.bytes > MOST_BYTES or len(manifest.files) > MOST_FILES:
        raise BackupUnusable(_("This file is too large to be a Puluc backup."))
    # For a while the games are there three times: as they came, in the new store, and in its log.
    games = next(held.bytes for held in manifest.files if held.path == GAMES)
    missing = manifest.bytes + 2 * games + LEFT_FREE - shutil.disk_usage(folder).free
    if missing > 0:
        megabytes = missing // 1024**2 + 1
        raise BackupUnusable(_("The disk is too full. Free {megabytes} MB more.", megabytes=megabytes))


def _unpack(pack: zipfile.ZipFile, held: BackupFile, staged: Path) -> None:
    path = staged / held.path
    path.parent.mkdir(parents=True, exist_ok=True)
    digest, size = sha256(), 0
    with pack.open(held.path) as packing, path.open("xb") as file:
        # Stop at the stated size, however much comes out.
        while size <= held.bytes and (piece := packing.read(PIECE)):
            file.write(piece)
            digest.update(piece)
            size += len(piece)
    if size != held.bytes or digest.hexdigest() != held.sha256:
        raise BackupUnusable(_("This backup is damaged: {file} has changed since it was made.", file=held.path))
    to_disk(path)
    to_disk(path.parent)


def _import_games(staged: Path) -> Rebuilt:
    """Replace the games that came with the backup by a store of our own with the same events, each of them validated.

    Nothing else of the file is used: a view, trigger or index in it is none of ours. Raises BackupUnusable.
    """
    foreign, until = staged / FOREIGN_GAMES, time.monotonic() + IMPORT_S
    (staged / GAMES).rename(foreign)
    try:
        with in_database(foreign, until=until) as found:
            rebuilt = rebuild(found, staged, until=until)
    except TimeoutError as error:
        raise BackupUnusable(
            _("Checking the games in it takes too long. Try again, or choose another backup.")
        ) from error
    except InvalidContent as error:
        raise BackupUnusable(_("The games in it are damaged ({why}).", why=str(error))) from error
    foreign.unlink()
    # Closing removed the log; one file is left.
    to_disk(staged / GAMES)
    to_disk(staged)
    return rebuilt

"""A backup looked at, and laid ready beside what it is to replace."""

from __future__ import annotations

import shutil
import zipfile
import zlib
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from companion.advice.keeping import to_disk
from companion.backup.contents import MANIFEST, VERSION, Held, Manifest
from companion.backup.packing import PIECE
from companion.errors import BackupUnusable, CompanionError
from companion.referee.copies import looked_at
from companion.referee.events import GameStarted
from companion.referee.referee import Referee
from companion.referee.store import Store
from companion.referee.swap import GAMES
from companion.words import _

MOST_BYTES = 1024**3
"""Bytes that a backup may hold, unpacked. A table keeps some 220 MB at most; more is no backup, or a trap."""
MOST_FILES = 5000
LEFT_FREE = 64 * 1024**2
"""Bytes that must stay free on the disk, for the games to go on. Higher refuses sooner on a small card."""
LARGEST_MANIFEST = 4 * 1024**2
FOREIGN = (
    zipfile.BadZipFile,  # no pack, or a damaged one
    zlib.error,  # damaged within a file
    EOFError,  # cut short
    NotImplementedError,  # packed in a way unknown here
    RuntimeError,  # locked with a password
    KeyError,  # without a file that every backup has
)
"""What the libraries end with that read a pack which is none of ours."""
STAGED = ".restore-staged"
NOBODY = GameStarted(variant="puluc", jade=("Jade",), obsidian=("Obsidian",), seed=0)


def unpacked(file: Path, folder: Path) -> tuple[Path, Manifest]:
    """Lay what a backup holds ready in the table's folder, once all of it has been found whole and to be ours.

    Nothing that is kept there changes. Answers where it lies, for ``swap.commit``, and what it is.
    Raises BackupUnusable, saying what is wrong with it.
    """
    staged = folder / STAGED
    try:
        shutil.rmtree(staged, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        with zipfile.ZipFile(file) as pack:
            manifest = _manifest(pack)
            _room(manifest, folder)
            staged.mkdir()
            for held in manifest.files:
                _unpack(pack, held, staged)
        _playable(staged)
    except FOREIGN as error:
        shutil.rmtree(staged, ignore_errors=True)
        raise BackupUnusable(_("This file is no backup of a Puluc table, or only a part of one.")) from error
    except OSError as error:
        shutil.rmtree(staged, ignore_errors=True)
        if isinstance(error, CompanionError):
            raise
        raise BackupUnusable(_("The backup cannot be unpacked: {why}.", why=str(error.strerror or error))) from error
    except CompanionError:
        shutil.rmtree(staged, ignore_errors=True)
        raise
    return staged, manifest


def _manifest(pack: zipfile.ZipFile) -> Manifest:
    if pack.getinfo(MANIFEST).file_size > LARGEST_MANIFEST:
        raise BackupUnusable(_("This is larger than any backup of a Puluc table."))
    try:
        manifest = Manifest.model_validate_json(pack.read(MANIFEST))
    except ValidationError as error:
        raise BackupUnusable(_("This file is no backup of a Puluc table, or only a part of one.")) from error
    if manifest.version > VERSION:
        raise BackupUnusable(_("A newer version of this program made this backup. Update, and try again."))
    names = [held.path for held in manifest.files]
    if sorted([*names, MANIFEST]) != sorted(pack.namelist()) or GAMES not in names:
        raise BackupUnusable(_("This backup does not hold what it says. It was altered, or is only a part of one."))
    if not all(held.is_ours for held in manifest.files):
        raise BackupUnusable(_("This backup holds files that are no part of a Puluc table."))
    return manifest


def _room(manifest: Manifest, folder: Path) -> None:
    if manifest.bytes > MOST_BYTES or len(manifest.files) > MOST_FILES:
        raise BackupUnusable(_("This is larger than any backup of a Puluc table."))
    free = shutil.disk_usage(folder).free
    if manifest.bytes + LEFT_FREE > free:
        needed = (manifest.bytes + LEFT_FREE - free) // 1024**2 + 1
        raise BackupUnusable(_("There is not enough room on the disk: {megabytes} MB are missing.", megabytes=needed))


def _unpack(pack: zipfile.ZipFile, held: Held, staged: Path) -> None:
    path = staged / held.path
    for parent in (*reversed(path.relative_to(staged).parents[:-1]),):
        (staged / parent).mkdir(exist_ok=True)
    digest, size = sha256(), 0
    with pack.open(held.path) as packing, path.open("xb") as file:
        # Not more than it says, whatever comes out of it.
        while size <= held.bytes and (piece := packing.read(PIECE)):
            file.write(piece)
            digest.update(piece)
            size += len(piece)
    if size != held.bytes or digest.hexdigest() != held.sha256:
        raise BackupUnusable(_("This backup is damaged: {file} in it is not as it was.", file=held.path))
    to_disk(path)
    to_disk(path.parent)


def _playable(staged: Path) -> None:
    """Every game in it can be played on. Raises a CompanionError."""
    looked_at(staged / GAMES)
    try:
        referee = Referee(Store(staged), first=NOBODY)
    except CompanionError as error:
        raise BackupUnusable(_("The games in it are damaged ({why}).", why=str(error))) from error
    except ValueError as error:
        raise BackupUnusable(_("A newer version of this program made this backup. Update, and try again.")) from error
    try:
        for entry in referee.games():
            referee.saved(entry.number)
    except (CompanionError, ValueError, AssertionError, LookupError) as error:
        raise BackupUnusable(_("The games in it are damaged ({why}).", why=str(error))) from error
    finally:
        referee.close()
    # The log went with the closing; what is left is one file, on the disk.
    to_disk(staged / GAMES)
    to_disk(staged)

"""Sends and receives backups for phones. Any thread may call it."""

from __future__ import annotations

import secrets
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from companion.backup.manifest import Manifest
from companion.backup.packing import pack_backup
from companion.backup.unpacking import LEFT_FREE, MOST_BYTES, STAGED, stage_backup
from companion.errors import BackupUnusable, NotAllowed
from companion.i18n import _
from companion.storage.database_copy import inspect

RECEIVED = ".restore-handed-in"
COPY = ".backup-"
KEPT_S = 15 * 60.0
"""Seconds for which a backup that was sent here waits to be restored. Longer takes the room from the games."""


class BackupTransfers:
    """One backup at a time goes out or comes in.

    Parameters
    ----------
    folder : Path
        The table's.
    copy : callable
        Writes the games as they are now into a new file.
    stop : callable
        Ends this run of the companion, so that its caller puts ``wanted`` in place and starts it again.
    clock : callable
        Monotonic seconds.
    """

    def __init__(
        self,
        folder: Path,
        *,
        copy: Callable[[Path], object],
        stop: Callable[[], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder, self._copy, self._stop, self._clock = folder, copy, stop, clock
        self._lock = threading.Lock()
        self._checked: tuple[str, Path] | None = None
        self._touched = float("inf")
        self.wanted: Path | None = None
        # Left behind by a power cut.
        for path in folder.glob(f"{COPY}*"):
            path.unlink(missing_ok=True)
        self._forget()

    def pack(self) -> Pieces:
        """A backup of the table as it is now, in pieces; close it if you do not take them all.

        Raises NotAllowed while another one is on its way, and NotStored where there is no room for a copy of the games.
        """
        copy = self._folder / f"{COPY}{secrets.token_hex(4)}"
        with ExitStack() as held:
            held.enter_context(self._exclusive())
            held.callback(_discard, copy)
            self._copy(copy)
            return Pieces(pack_backup(self._folder, inspect(copy)), held.pop_all())

    def receive(self, part: bytes, at: int) -> int:
        """Take the next part of a backup, and return how many bytes were received so far.

        at: how many were received before, 0 to start over. Raises NotAllowed where a part is missing in between, and
        BackupUnusable where it is too much.
        """
        with self._exclusive():
            if self._checked is not None:
                self._forget()
            file = self._folder / RECEIVED
            there = file.stat().st_size if file.exists() else 0
            if at not in (0, there):
                raise NotAllowed(_("A part of the backup is missing. Choose the file again."))
            free = shutil.disk_usage(self._folder).free
            if at + len(part) > MOST_BYTES or len(part) + LEFT_FREE > free:
                file.unlink(missing_ok=True)
                raise BackupUnusable(_("There is not enough room on the disk for this backup."))
            self._touched = self._clock()
            try:
                with file.open("ab" if at else "wb") as writing:
                    writing.write(part)
            except OSError as error:
                raise BackupUnusable(_("There is not enough room on the disk for this backup.")) from error
            return at + len(part)

    def check(self) -> tuple[str, Manifest]:
        """Check what was received, and stage it. Returns a word that names it for ``restore``, and its contents.

        Raises BackupUnusable, and NotAllowed where nothing was received.
        """
        with self._exclusive():
            file = self._folder / RECEIVED
            if not file.exists():
                raise NotAllowed(_("Choose a backup first."))
            try:
                staged, manifest = stage_backup(file, self._folder)
            finally:
                file.unlink(missing_ok=True)
            self._checked, self._touched = (secrets.token_hex(8), staged), self._clock()
            return self._checked[0], manifest

    def restore(self, word: str) -> None:
        """Replace all that is here by what was checked, and start again with it.

        word: as ``check`` gave it. Raises NotAllowed where something else was checked since.
        """
        with self._exclusive():
            if self._checked is None or not secrets.compare_digest(self._checked[0].encode(), word.encode()):
                raise NotAllowed(_("This isn't the backup that was just checked. Choose the file again."))
            self.wanted, self._checked = self._checked[1], None
            self._stop()

    def expire(self) -> None:
        """Remove what was received KEPT_S ago and not restored since."""
        if self._clock() < self._touched + KEPT_S or not self._lock.acquire(blocking=False):
            return
        try:
            if self.wanted is None:
                self._forget()
        finally:
            self._lock.release()

    def close(self) -> None:
        """Remove what was received and is not to be restored."""
        if self.wanted is None:
            self._forget()

    def _forget(self) -> None:
        self._checked, self._touched = None, float("inf")
        (self._folder / RECEIVED).unlink(missing_ok=True)
        shutil.rmtree(self._folder / STAGED, ignore_errors=True)

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Raises NotAllowed while another backup goes out or comes in."""
        if not self._lock.acquire(blocking=False):
            raise NotAllowed(_("The table is busy with a backup just now. Try again in a moment."))
        try:
            yield
        finally:
            self._lock.release()


class Pieces(Iterator[bytes]):
    """The pieces of a backup. held: what to release once they are all taken or no longer wanted."""

    def __init__(self, pieces: Iterator[bytes], held: ExitStack) -> None:
        self._pieces, self._held = pieces, held

    def __next__(self) -> bytes:
        try:
            return next(self._pieces)
        except BaseException:  # also the last piece's StopIteration
            self.close()
            raise

    def close(self) -> None:
        """Release what is held. A second call does nothing."""
        self._held.close()


def _discard(copy: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        copy.with_name(f"{copy.name}{ending}").unlink(missing_ok=True)

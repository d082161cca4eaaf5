"""Where phones hand in a backup and fetch one. Any thread may call it."""

from __future__ import annotations

import secrets
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.backup.contents import Manifest
from companion.backup.packing import packed
from companion.backup.unpacking import LEFT_FREE, MOST_BYTES, STAGED, unpacked
from companion.errors import BackupUnusable, NotNow
from companion.referee.copies import looked_at
from companion.words import _

HANDED_IN = ".restore-handed-in"
COPY = ".backup-"


class BackupDesk:
    """One backup at a time goes out or comes in.

    folder: the table's. copy: writes the games as they are now into a new file. stop: ends this run of the companion,
    so that whoever started it puts ``wanted`` in its place and starts it again.
    """

    def __init__(self, folder: Path, *, copy: Callable[[Path], object], stop: Callable[[], object]) -> None:
        self._folder, self._copy, self._stop = folder, copy, stop
        self._one = threading.Lock()
        self._checked: tuple[str, Path] | None = None
        self.wanted: Path | None = None
        # What a power cut left behind.
        for path in (*folder.glob(f"{COPY}*"), folder / HANDED_IN):
            path.unlink(missing_ok=True)
        shutil.rmtree(folder / STAGED, ignore_errors=True)

    def packed(self) -> Pieces:
        """A backup of the table as it is now, in pieces; close it if you do not take them all.

        Raises NotNow while another one is on its way, and NotKept where there is no room for a copy of the games.
        """
        if not self._one.acquire(blocking=False):
            raise NotNow(_("The table is busy with a backup just now. Try again in a moment."))
        copy = self._folder / f"{COPY}{secrets.token_hex(4)}"
        try:
            self._copy(copy)
            pieces = packed(self._folder, looked_at(copy))
        except BaseException:  # whatever it was, no copy stays
            self._put_away(copy)
            raise
        return Pieces(pieces, lambda: self._put_away(copy))

    def hand_in(self, part: bytes, at: int) -> int:
        """Take the next part of a backup; ``at``: how much was handed in before, 0 to begin anew. Answers how much is.

        Raises NotNow where it does not join on, and BackupUnusable where it is too much.
        """
        with self._alone():
            self._checked = None
            file = self._folder / HANDED_IN
            there = file.stat().st_size if file.exists() else 0
            if at not in (0, there):
                raise NotNow(_("A part of the backup is missing. Choose the file again."))
            free = shutil.disk_usage(self._folder).free
            if at + len(part) > MOST_BYTES or len(part) + LEFT_FREE > free:
                file.unlink(missing_ok=True)
                raise BackupUnusable(_("There is not enough room on the disk for this backup."))
            try:
                with file.open("ab" if at else "wb") as writing:
                    writing.write(part)
            except OSError as error:
                raise BackupUnusable(_("There is not enough room on the disk for this backup.")) from error
            return at + len(part)

    def check(self) -> tuple[str, Manifest]:
        """Look at what was handed in, and lay it ready. Answers a word for it, and what it is.

        Raises BackupUnusable, and NotNow where nothing was handed in.
        """
        with self._alone():
            file = self._folder / HANDED_IN
            if not file.exists():
                raise NotNow(_("Choose a backup first."))
            try:
                staged, manifest = unpacked(file, self._folder)
            finally:
                file.unlink(missing_ok=True)
            self._checked = secrets.token_hex(8), staged
            return self._checked[0], manifest

    def restore(self, word: str) -> None:
        """Put what was checked in the place of all that is here, and start again with it.

        word: as ``check`` gave it. Raises NotNow where something else was checked since.
        """
        with self._alone():
            if self._checked is None or not secrets.compare_digest(self._checked[0].encode(), word.encode()):
                raise NotNow(_("This is not the backup that was looked at last. Choose the file again."))
            self.wanted, self._checked = self._checked[1], None
            self._stop()

    def _alone(self) -> Alone:
        return Alone(self._one)

    def _put_away(self, copy: Path) -> None:
        for name in (copy.name, f"{copy.name}-wal", f"{copy.name}-shm", f"{copy.name}-journal"):
            copy.with_name(name).unlink(missing_ok=True)
        self._one.release()


class Alone:
    """Holds the desk for a moment. Raises NotNow where somebody else has it."""

    def __init__(self, lock: threading.Lock) -> None:
        self._lock = lock

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise NotNow(_("The table is busy with a backup just now. Try again in a moment."))

    def __exit__(self, *_error: object) -> None:
        self._lock.release()


class Pieces(Iterator[bytes]):
    """The pieces of a backup, and what is to be done once they are all taken or nobody wants them any more."""

    def __init__(self, pieces: Iterator[bytes], end: Callable[[], object]) -> None:
        self._pieces, self._end, self._ended = pieces, end, False

    def __next__(self) -> bytes:
        try:
            return next(self._pieces)
        except BaseException:  # also the last piece's StopIteration
            self.close()
            raise

    def close(self) -> None:
        """Twice is as good as once."""
        if not self._ended:
            self._ended = True
            self._end()

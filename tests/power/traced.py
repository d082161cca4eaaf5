"""The changes that a program makes to a folder, read from a trace of its system calls."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

CALLS = (
    "openat,open,creat,write,pwrite64,writev,pwritev,pwritev2,lseek,ftruncate,truncate,fsync,fdatasync,sync_file_range,"
    "rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,rmdir,fallocate,copy_file_range,sendfile,link,linkat"
)
LINE = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)(?:<(.*)>)?")
AT_FOLDER = re.compile(r"^(?:AT_FDCWD|\d+)<(?P<folder>[^>]*)>, ")
QUOTED = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
OPENED = re.compile(r"^(\d+)<([^>]*)>")


@dataclass(frozen=True, slots=True)
class Made:
    """A file was created or emptied; or a folder was created, if ``folder``."""

    path: str
    folder: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """Bytes were written at an offset."""

    path: str
    at: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """A file was truncated or extended to a length."""

    path: str
    length: int


@dataclass(frozen=True, slots=True)
class Synced:
    """A file's content, or a folder's names, were synced."""

    path: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A file was renamed."""

    path: str
    to: str


@dataclass(frozen=True, slots=True)
class Gone:
    """A name was removed."""

    path: str


@dataclass(frozen=True, slots=True)
class Said:
    """A line was printed."""

    line: str


Op = Made | Written | Cut | Synced | Moved | Gone | Said


def traced(program: list[str], log: Path, folder: Path) -> list[Op]:
    """Run a Python program under strace, and return its changes to that folder and its output."""
    words = ["strace", "-xx", "-y", "-s", "10000000", "-e", f"trace={CALLS}", "-o", str(log), sys.executable, *program]
    done = subprocess.run(words, capture_output=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    return list(read(log, folder))


def read(log: Path, folder: Path) -> Iterator[Op]:
    """Parse the changes to that folder and the printed lines from a trace."""
    ours = str(folder)
    places: dict[str, int] = {}
    with log.open() as lines:
        for line in lines:
            found = LINE.match(line)
            if found is None or found[3].startswith("-") or found[3] == "?":
                continue
            call, words, answer, opened = found[1], found[2], int(found[3]), _plain(found[4] or "")
            file = OPENED.match(words)
            number, path = (file[1], _plain(file[2])) if file else ("", "")
            quoted = [bytes.fromhex(one[1].replace("\\x", "")) for one in QUOTED.finditer(words)]
            assert "..." not in words, "the trace is cut short"
            if call in ("openat", "open", "creat"):
                places[str(answer)] = 0
                if opened.startswith(ours) and ("O_TRUNC" in words or "O_CREAT" in words):
                    yield Made(opened) if "O_TRUNC" in words or "O_EXCL" in words else Made(opened + "?")
            elif call == "lseek":
                places[number] = answer
            elif call == "write" and number == "1":
                yield Said(quoted[0].decode().strip())
            elif call in ("mkdir", "mkdirat"):
                if (name := _named(words, quoted[0], folder)).startswith(ours):
                    yield Made(name, folder=True)
            elif call in ("rename", "renameat", "renameat2"):
                if (name := _named(words, quoted[0], folder)).startswith(ours):
                    yield Moved(name, quoted[1].decode())
            elif call in ("unlink", "unlinkat", "rmdir"):
                if (name := _named(words, quoted[0], folder)).startswith(ours):
                    yield Gone(name)
            elif not path.startswith(ours):
                continue
            elif call == "write":
                yield Written(path, places[number], quoted[0])
                places[number] += answer
            elif call == "pwrite64":
                yield Written(path, int(words.rsplit(", ", 1)[1]), quoted[0])
            elif call == "ftruncate":
                yield Cut(path, int(words.rsplit(", ", 1)[1]))
            elif call in ("fsync", "fdatasync"):
                yield Synced(path)
            else:
                raise AssertionError(f"a way to write that is not followed: {line[:200]}")


def _named(words: str, name: bytes, folder: Path) -> str:
    at = AT_FOLDER.match(words)
    return str(Path(_plain(at["folder"]) if at else folder) / name.decode())


def _plain(text: str) -> str:
    return re.sub(r"\\x([0-9a-f]{2})", lambda found: chr(int(found[1], 16)), text)

"""The profile of one tray and its four lots: the pictures that the reader was taught with."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import ProfileUnusable
from companion.referee.events import Face
from hardware.cameras.camera import Pixels
from hardware.cameras.profile_files import packed, unpacked, write_profile
from hardware.reader.lots import Shown

VERSION = 2
FILE = "profile.npz"
PICTURES = ("empty", "marked", "plain")
DAMAGED = (ValueError, KeyError, TypeError, EOFError, IndexError, zipfile.BadZipFile, zlib.error)
"""What reading a profile's file ends with where a part of it is wrong, missing, or cut off."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Profile:
    """An empty tray and four lots, each seen from both sides.

    empty, marked, plain: the tray without lots, with all four marked side up, and with all four plain side up; all of
        one size. What a reader needs it learns from them anew, so that a better reader makes more of them.
    separation: log-odds with which the taught faces are usually told from one another; older profiles have a distance.
    name: the owner's name for the lots; empty if unnamed.
    shown: further throws of the same lots in the same tray, as pictures of that size.
    """

    empty: Pixels
    marked: Pixels
    plain: Pixels
    separation: float
    version: int = VERSION
    name: str = ""
    shown: tuple[Shown, ...] = ()

    @property
    def sticks(self) -> str:
        """The identifier of this set of lots: its name, or a number sign and a digest of the pictures.

        An unnamed set that is taught again counts as a new one, because nothing identifies it.
        """
        if self.name:
            return self.name
        seen = sha256()
        for picture in PICTURES:
            seen.update(getattr(self, picture).tobytes())
        return f"#{seen.hexdigest()[:8]}"

    def save(self, directory: Path) -> None:
        """Write the profile durably into ``directory``, created if missing. An interrupted write keeps the old one."""
        lots = [one.lots for one in self.shown]
        facts = {"version": self.version, "separation": self.separation, "name": self.name, "shown": lots}
        arrays: dict[str, Any] = {name: packed(getattr(self, name)) for name in PICTURES}
        arrays |= {f"shown_{number}": packed(one.picture) for number, one in enumerate(self.shown)}
        write_profile(directory / FILE, arrays, facts)

    @classmethod
    def load(cls, directory: Path) -> Profile:
        """Load a saved profile. Raises ProfileUnusable, which names the fault."""
        path = directory / FILE
        try:
            # From memory, because NumPy leaves a damaged file open.
            with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
                parts = {name: stored[name] for name in stored.files}
            facts = json.loads(parts["facts"].tobytes())
            if facts["version"] != VERSION:
                raise ProfileUnusable(
                    f"The profile in {directory} is of version {facts['version']}, this reader needs {VERSION}: "
                    "calibrate again."
                )
            empty, marked, plain = (unpacked(parts[name]) for name in PICTURES)
            shown = tuple(
                Shown(
                    unpacked(parts[f"shown_{number}"]),
                    tuple(
                        (float(x), float(y), float(angle[0]) if angle else None, Face(face))
                        for x, y, *angle, face in lots  # older profiles have no angles
                    ),
                )
                for number, lots in enumerate(facts.get("shown", ()))  # older profiles have none
            )
            separation, name = float(facts["separation"]), str(facts["name"])
            return cls(empty=empty, marked=marked, plain=plain, separation=separation, name=name, shown=shown)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ProfileUnusable(f"There is no profile in {directory}: make one with `puluc calibrate`.") from error
        except OSError as error:
            raise ProfileUnusable(f"The profile in {directory} cannot be read: {error.strerror or error}.") from error
        except DAMAGED as error:
            if isinstance(error, ProfileUnusable):
                raise
            raise ProfileUnusable(f"The profile in {directory} is damaged ({error}): calibrate again.") from error

"""The profile of one board and its pieces: the pictures that the board reader was taught with."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import CompanionError, ProfileUnusable
from companion.i18n import _
from companion.referee.board.sightings import Top
from companion.rules.notation import parse, write
from companion.rules.position import Position
from companion.rules.variants import variant
from hardware.board.road import RoadGeometry
from hardware.cameras.camera import Pixels
from hardware.cameras.profile_files import packed, unpacked, write_profile

VERSION = 1
FILE = "board.npz"
DAMAGED = (ValueError, KeyError, TypeError, EOFError, IndexError, zipfile.BadZipFile, zlib.error, cv2.error)
"""What reading a profile's file ends with where a part of it is wrong, missing, or cut off."""

MAX_WIDTH = 1280
"""Columns of the pictures that are kept and read; larger ones are scaled down. More shows no more of a board."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardLesson:
    """A picture with the true content of its spaces. pieces: the spaces, from 0, whose pieces are learnt."""

    picture: Pixels
    tops: tuple[Top, ...]
    pieces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BoardProfile:
    """A board and both sides' pieces.

    empty, taught: pictures of one size, of the board without pieces and with the pieces of ``position``.
    road: the spaces in the empty picture. width: columns of the camera's pictures.
    changes: rules that differ from the position's variant. lessons: what players have put right since.
    """

    empty: Pixels
    taught: Pixels
    position: Position
    road: RoadGeometry
    width: int
    changes: Mapping[str, str] = field(default_factory=dict)
    lessons: tuple[BoardLesson, ...] = ()

    @classmethod
    def taught_from(
        cls,
        empty: Pixels,
        taught: Pixels,
        position: Position,
        *,
        corners: Sequence[tuple[float, float]] | None = None,
        changes: Mapping[str, str] | None = None,
    ) -> BoardProfile:
        """Make a profile from two pictures.

        corners: of the road, unless the board is a printed one; see ``RoadGeometry.between``.
        Raises ProfileUnusable.
        """
        if empty.shape != taught.shape:
            raise ProfileUnusable(
                _(
                    "The picture of the empty board is {empty}, the other {taught}: take both at one resolution.",
                    empty=f"{empty.shape[1]}x{empty.shape[0]}",
                    taught=f"{taught.shape[1]}x{taught.shape[0]}",
                )
            )
        width, spaces = empty.shape[1], position.rules.spaces
        small = scaled(empty)
        scale = small.shape[1] / width
        if corners is None:
            road = RoadGeometry.printed(small, spaces)
            if road is None:
                raise ProfileUnusable(
                    _("I don't see the four markers of a printed board. Name the four corners of the highway.")
                )
        else:
            # What lies far outside would be looked for there, which takes hours.
            if not all(0 <= x <= width and 0 <= y <= empty.shape[0] for x, y in corners):
                raise ProfileUnusable(_("All four corners have to be in the picture."))
            road = RoadGeometry.between(
                [((x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5) for x, y in corners], spaces
            )
        return cls(
            empty=small, taught=scaled(taught), position=position, road=road, width=width, changes=dict(changes or {})
        )

    def save(self, directory: Path) -> None:
        """Write the profile durably into ``directory``, created if missing. An interrupted write keeps the old one."""
        facts = {
            "version": VERSION,
            "variant": self.position.rules.id,
            "changes": dict(self.changes),
            "position": write(self.position),
            "width": self.width,
            "lessons": [{"tops": list(one.tops), "pieces": list(one.pieces)} for one in self.lessons],
        }
        arrays: dict[str, Any] = {
            "empty": packed(self.empty),
            "taught": packed(self.taught),
            "quads": self.road.quads,
            **{f"lesson{number}": packed(one.picture) for number, one in enumerate(self.lessons)},
        }
        write_profile(directory / FILE, arrays, facts)

    @classmethod
    def load(cls, directory: Path) -> BoardProfile:
        """Load a saved profile. Raises ProfileUnusable, which names the fault."""
        try:
            stored = io.BytesIO((directory / FILE).read_bytes())
            with np.load(stored, allow_pickle=False) as parts:
                facts = json.loads(parts["facts"].tobytes())
                if facts["version"] != VERSION:
                    raise ProfileUnusable(
                        f"The profile in {directory} is of version {facts['version']}, this reader needs {VERSION}: "
                        "teach the board again."
                    )
                changes = {str(name): str(value) for name, value in facts["changes"].items()}
                loaded = cls(
                    empty=unpacked(parts["empty"]),
                    taught=unpacked(parts["taught"]),
                    road=RoadGeometry(np.asarray(parts["quads"], np.float64).reshape(-1, 4, 2)),
                    position=parse(facts["position"], variant(facts["variant"]).changed(changes)),
                    width=int(facts["width"]),
                    changes=changes,
                    lessons=tuple(
                        BoardLesson(
                            unpacked(parts[f"lesson{number}"]),
                            tuple(map(Top, one["tops"])),
                            tuple(map(int, one["pieces"])),
                        )
                        for number, one in enumerate(facts.get("lessons", ()))
                    ),
                )
                loaded._check()
                return loaded
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ProfileUnusable(
                f"There is no board's profile in {directory}: make one with `puluc board teach`."
            ) from error
        except OSError as error:
            raise ProfileUnusable(f"The profile in {directory} cannot be read: {error.strerror or error}.") from error
        except (*DAMAGED, CompanionError) as error:
            if isinstance(error, ProfileUnusable):
                raise
            raise ProfileUnusable(f"The profile in {directory} is damaged ({error}): teach the board again.") from error

    def _check(self) -> None:
        """Raise ValueError if the parts do not belong together, as in a file that another program wrote."""
        road = self.road
        is_road = road.spaces == self.position.rules.spaces and 1 < road.pitch < MAX_WIDTH and 0.01 < road.across < 100
        if not is_road or self.empty.shape != self.taught.shape:
            raise ValueError("its parts do not belong together")


def scaled(pixels: Pixels) -> Pixels:
    """Scale a picture down to MAX_WIDTH columns if it is wider."""
    rows, columns = pixels.shape[:2]
    if columns <= MAX_WIDTH:
        return pixels
    size = (MAX_WIDTH, round(rows * MAX_WIDTH / columns))
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_AREA), np.uint8)

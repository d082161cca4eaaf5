"""What the reader was taught about one tray and its four lots."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.errors import FacesAlike, ProfileUnusable
from hardware.camera import Pixels
from hardware.faces import Faces, Look, look
from hardware.lots import LONG, Blob, Shape, blobs
from hardware.tray import Difference, Mask, Tray

VERSION = 1
FILE = "profile.npz"
LOTS = 4

FAINTEST = 5.0
"""Least mean Lab distance between the faces: below it camera noise and wood grain decide."""

LEAD, STRAYS = 0.2, 2
"""When each taught look is judged by the other seven, half of them must lead by LEAD and no more than STRAYS go wrong.
Faces that do not differ lead by 0 and half go wrong. Two may, because of kernels of mixed colours each is one of its
kind. The labelled sets lead by 0.4 to 0.9, with one stray among the mixed kernels."""

STRANGE = 0.75
"""Furthest a face may be from its nearest taught look, as a share of the distance between the faces. Raising it takes
more game pieces for lots, lowering it refuses lots in odd light."""

SPREAD_STICK, SPREAD_KERNEL = 1.15, 1.6
"""Longest over shortest outline of one set's eight pictures of a lot. Sticks are cut to one length; kernels differ, and
their shadows lengthen them. Higher lets a thing that is no lot be taught as one."""

SPECK = 0.4
"""Share of a lot's area under which a fifth thing in a calibration picture is overlooked."""

SMALLEST_LOT = 0.0002
"""Least area of a lot, as a share of the picture's. Below about 250 pixels of a 1280 x 960 picture no mark shows."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Profile:
    """An empty tray and four lots, each seen from both sides.

    empty: the empty tray's picture.
    shape: a single lot's outline, in that picture's pixels.
    marked, plain: four looks of each face.
    separation: mean Lab distance between the nearest two looks of different faces.
    strange: largest distance at which a look still belongs to a face.
    level: how bright the tray is where the lots were taught, 1 being its average.
    name: what their owner calls the lots; empty where they were given no name.
    """

    empty: Pixels
    shape: Shape
    marked: tuple[Look, ...]
    plain: tuple[Look, ...]
    separation: float
    strange: float
    level: float
    version: int = VERSION
    name: str = ""

    @property
    def sticks(self) -> str:
        """What this set of lots is known by: its name, or else a number sign and what tells the pictures from others'.

        A set without a name that is taught anew is another one, because nothing shows that it is the same.
        """
        if self.name:
            return self.name
        seen = sha256(self.empty.tobytes())
        for one in self.marked + self.plain:
            seen.update(np.asarray(one.lights, np.float32).tobytes())
        return f"#{seen.hexdigest()[:8]}"

    def save(self, directory: Path) -> None:
        """Write the profile into ``directory``, made if missing. A half-written one never takes the old one's place."""
        facts = {
            "version": self.version,
            "shape": [self.shape.length, self.shape.width, self.shape.area],
            "separation": self.separation,
            "strange": self.strange,
            "level": self.level,
            "name": self.name,
        }
        written = io.BytesIO()
        arrays: dict[str, Any] = {
            f"{face}_{part}": np.stack([np.asarray(getattr(one, part)) for one in looks])
            for face, looks in (("marked", self.marked), ("plain", self.plain))
            for part in ("lights", "inside", "glare", "extent")
        }
        arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        arrays["empty"] = cv2.imencode(".png", self.empty)[1].reshape(-1)
        np.savez_compressed(written, **arrays)
        try:
            directory.mkdir(parents=True, exist_ok=True)
            fresh = directory / f"{FILE}.new"
            with fresh.open("wb") as file:
                file.write(written.getvalue())
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(directory / FILE)
        except OSError as error:
            raise ProfileUnusable(f"The profile cannot be written to {directory}: {error.strerror}.") from error

    @classmethod
    def load(cls, directory: Path) -> Profile:
        """Read what ``save`` wrote. Raises ProfileUnusable, naming what is wrong with it."""
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
            empty = cv2.imdecode(parts["empty"], cv2.IMREAD_COLOR)
            if empty is None:
                raise ValueError("the empty tray's picture is damaged")
            looks = {
                face: tuple(
                    Look(lights.astype(np.float32), inside.astype(np.bool_), float(glare), (float(whole), float(bare)))
                    for lights, inside, glare, (whole, bare) in zip(
                        *(parts[f"{face}_{part}"] for part in ("lights", "inside", "glare", "extent")), strict=True
                    )
                )
                for face in ("marked", "plain")
            }
            return cls(
                empty=empty.astype(np.uint8),
                shape=Shape(*map(float, facts["shape"])),
                marked=looks["marked"],
                plain=looks["plain"],
                separation=float(facts["separation"]),
                strange=float(facts["strange"]),
                level=float(facts["level"]),
                name=str(facts.get("name", "")),  # older profiles have none
            )
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ProfileUnusable(f"There is no profile in {directory}: make one with `puluc calibrate`.") from error
        except OSError as error:
            raise ProfileUnusable(f"The profile in {directory} cannot be read: {error.strerror or error}.") from error
        except (ValueError, KeyError, TypeError, EOFError, IndexError, zipfile.BadZipFile, zipfile.zlib.error) as error:  # type: ignore[attr-defined]
            if isinstance(error, ProfileUnusable):
                raise
            raise ProfileUnusable(f"The profile in {directory} is damaged ({error}): calibrate again.") from error


def calibrate(empty: Pixels, marked: Pixels, plain: Pixels) -> Profile:
    """Learn a tray and its lots from three pictures: the empty tray, and all four lots either side up.

    Raises ProfileUnusable, with advice, when a picture does not show that, and FacesAlike when that is all that fails.
    """
    for name, picture in (("marked", marked), ("plain", plain)):
        if picture.shape != empty.shape:
            raise ProfileUnusable(
                f"The {name} picture is {_size(picture)} and the empty one {_size(empty)}: "
                "take all three with one camera setting."
            )
    tray = Tray(empty)
    seen = {"marked": _compare(tray, marked, "marked"), "plain": _compare(tray, plain, "plain")}
    found = _same_four(seen)
    everything = found["marked"] + found["plain"]
    shape = Shape(
        *(float(np.median([getattr(blob, part) for blob in everything])) for part in ("length", "width", "area"))
    )
    level = float(np.median([seen[name].light[round(b.y), round(b.x)] for name in found for b in found[name]]))
    looks = {name: tuple(look(seen[name], blob, shape, level) for blob in four) for name, four in found.items()}
    separation, strange = _telling(Faces(looks["marked"], looks["plain"], shape), looks)
    if separation < FAINTEST:
        raise FacesAlike(
            f"The marked and the plain faces look too alike to this camera (they differ by {separation:.1f}, "
            f"{FAINTEST:.0f} are needed): make the marks bolder, or light the tray better."
        )
    return Profile(
        empty=empty,
        shape=shape,
        marked=looks["marked"],
        plain=looks["plain"],
        separation=separation,
        strange=strange,
        level=max(level, 0.05),
    )


def _telling(faces: Faces, looks: dict[str, tuple[Look, ...]]) -> tuple[float, float]:
    """Least distance between looks of different faces, and the largest that still belongs to one of them.

    Both are 0 when the taught looks are not told apart by one another.
    """
    marked, plain = ([faces.apart(one, but=one) for one in looks[name]] for name in ("marked", "plain"))
    own = [one[0] for one in marked] + [one[1] for one in plain]
    other = [one[1] for one in marked] + [one[0] for one in plain]
    leads = [(far - near) / max(far + near, 1e-6) for near, far in zip(own, other, strict=True)]
    if np.median(leads) < LEAD or sum(lead < 0 for lead in leads) > STRAYS:
        return 0.0, 0.0
    separation = min(other)
    return separation, min(separation, max(STRANGE * separation, 1.5 * max(own)))


def _size(picture: Pixels) -> str:
    return f"{picture.shape[1]} x {picture.shape[0]}"


def _compare(tray: Tray, picture: Pixels, name: str) -> Difference:
    difference = tray.difference(picture)
    if difference is None:
        raise ProfileUnusable(
            f"The {name} picture does not show the tray of the empty one: keep camera and tray where they are."
        )
    return difference


def _same_four(seen: dict[str, Difference]) -> dict[str, list[Blob]]:
    """The four lots of both pictures, by the masks in which all eight outlines are most alike."""
    fours: dict[str, list[list[Blob]]] = {}
    for name, difference in seen.items():
        tries = [_largest(mask) for mask in (difference.changed, difference.solid)]
        fours[name] = [found[:LOTS] for found in tries if _is_four(found)]
        if not fours[name]:
            raise ProfileUnusable(
                f"Four lots of one size were not found in the {name} picture (things found: {len(tries[0])}): lay all "
                "four apart from each other and from the rim, nothing else in view, on a tray whose colour differs "
                "from theirs."
            )
    best = min(
        ({"marked": one, "plain": other} for one in fours["marked"] for other in fours["plain"]),
        key=lambda pair: _spread(pair["marked"] + pair["plain"]),
    )
    if _spread(best["marked"] + best["plain"]) > 1:
        raise ProfileUnusable(
            "The lots of the marked picture and those of the plain one differ in size: "
            "use the same four lots, and keep hands and other things out of the pictures."
        )
    return best


def _largest(mask: Mask) -> list[Blob]:
    rows, columns = mask.shape
    return blobs(mask, least_area=SMALLEST_LOT * rows * columns, thinnest=columns / 250)


def _is_four(found: list[Blob]) -> bool:
    """True when the four largest things are of one size, inside the picture, and the rest is much smaller."""
    if len(found) < LOTS or any(blob.at_border for blob in found[:LOTS]) or _spread(found[:LOTS]) > 1:
        return False
    return len(found) == LOTS or found[LOTS].area < SPECK * found[LOTS - 1].area


def _spread(found: list[Blob]) -> float:
    """How much outlines differ, as a share of what lots of one set may."""
    areas, lengths = [blob.area for blob in found], [blob.length for blob in found]
    thick = [blob.width for blob in found]
    loose = SPREAD_KERNEL if np.median(lengths) < LONG * np.median(thick) else SPREAD_STICK
    return max(max(areas) / min(areas) / 2, max(lengths) / min(lengths) / loose)

"""Rendered board games, with the board reader's features of each picture."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from companion.errors import CompanionError
from companion.rules.notation import parse
from companion.rules.turns import Turn
from companion.rules.variants import variant
from hardware.board.appearance import EmptyRoad
from hardware.board.board_profile import BoardProfile
from hardware.board.board_reader import BoardReader
from hardware.board.road import RoadGeometry
from hardware.board.space_classifier import SpaceClass
from hardware.board.space_features import BINS, PER_SIDE, Features
from hardware.cameras.picture_files import load_picture
from hardware.registration.markers import Floats

CENTRED = 0.18
"""Spaces by which a piece may be off the middle of its space and still lie on the line of a road that is shifted by
half a space."""

KINDS = ("printed", "hollows", "kernels", "twigs", "chalk", "sand", "painted")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabelledPicture:
    """One picture of a game.

    state: the label. kind: the kind of an additional picture, else ``rest``.
    innocent: whether something besides the move changed. turn: None for the start.
    result: the position that was played, in `right` pictures. features: None if the board was not found.
    beside: the reader's count of pieces beside the road. covered: whether the reader saw a hand.
    ms: processor time of features and hand detection. classes: of every space; empty for hands.
    """

    file: str
    set_id: str
    board: str
    pieces: str
    state: str
    kind: str
    innocent: bool
    turn: Turn | None
    result: str | None
    features: Features | None
    beside: Floats
    covered: bool
    classes: tuple[SpaceClass, ...]
    ms: float
    halfway: Features | None
    halfway_classes: tuple[SpaceClass, ...]


class HalfwayReader(BoardReader):
    """Extracts features for a road shifted by half a space, so that the pieces lie on its lines."""

    def __init__(self, profile: BoardProfile) -> None:
        super().__init__(profile)
        quads = profile.road.quads
        self._patches = RoadGeometry((quads[:-1] + quads[1:]) / 2).patches()
        unlit = np.zeros((*self._patches.shape, 3), np.float32)
        road = EmptyRoad(self._patches.sample(profile.empty))
        self._appearance = replace(self._appearance, road=road, light=(unlit, unlit))


def labelled_pictures(folder: Path) -> Iterator[LabelledPicture]:
    """Yield the pictures of every finished set in a folder, with the present reader's features."""
    for path in sorted(folder.glob("*/set.json")):
        facts = json.loads(path.read_text())
        yield from _set(facts["sets"][0] if "sets" in facts else facts, folder)


def _set(facts: dict[str, Any], folder: Path) -> Iterator[LabelledPicture]:
    changes = dict(change.split("=") for change in facts["settings"])
    rules = variant(facts["variant"]).changed(changes)
    roles = {picture["role"]: picture for picture in facts["images"] if picture["role"] in ("empty", "teach")}
    empty, taught = (load_picture(folder / roles[role]["file"]) for role in ("empty", "teach"))
    position = parse(roles["teach"]["position"], rules)
    board = next(kind for kind in KINDS if kind in facts["board"])
    first, last = (facts["spaces_px"][at]["quad"] for at in (0, -1))
    corners = [(float(x), float(y)) for x, y in (first[3], first[0], last[2], last[1])]
    try:
        profile = BoardProfile.taught_from(
            empty, taught, position, corners=None if board == "printed" else corners, changes=changes
        )
        reader, shifted = BoardReader(profile), HalfwayReader(profile)
    except CompanionError as error:
        print(facts["id"], facts["board"], error)  # noqa: T201 - told on the terminal
        return
    for picture in facts["images"]:
        if picture["role"] == "empty":
            continue
        pixels = load_picture(folder / picture["file"])
        start = process_time()
        covered = reader.is_covered(pixels)
        sight = reader.look(pixels)
        features = None if sight is None else sight.features
        ms = (process_time() - start) * 1000
        turn = Turn(parse(picture["before"], rules), tuple(picture["values"])) if "values" in picture else None
        classes = () if picture["state"] == "hand" else tuple(_classes(picture))
        beyond = shifted.look(pixels)
        halfway = None if beyond is None else beyond.features
        halfway_classes: tuple[SpaceClass, ...] = ()
        if features is None or halfway is None or not classes:
            halfway = None
        else:
            kept = [_halfway(classes, features, at) for at in range(len(classes) - 1)]
            halfway = halfway[[label is not None for label in kept]]
            halfway_classes = tuple(label for label in kept if label is not None)
        yield LabelledPicture(
            file=picture["file"],
            set_id=facts["id"],
            board=board,
            pieces=facts["piece_kinds"]["J"],
            state=picture["state"],
            kind=picture.get("kind", picture["role"]),
            innocent=bool(picture.get("innocent")),
            turn=turn,
            result=picture.get("position"),
            features=features,
            beside=np.full(2, np.nan) if sight is None else sight.beside,
            covered=covered,
            classes=classes,
            ms=ms,
            halfway=halfway,
            halfway_classes=halfway_classes,
        )


def _classes(picture: dict[str, Any]) -> Iterator[SpaceClass]:
    for at, seen in enumerate(picture["spaces"], 1):
        if at in (picture.get("between") or ()):
            yield SpaceClass.PARTLY
        elif seen is None:
            yield SpaceClass.EMPTY
        else:
            single = SpaceClass.JADE if seen["top"] == "J" else SpaceClass.OBSIDIAN
            yield SpaceClass(single + (len(seen["pieces"]) > 1))


def _halfway(classes: tuple[SpaceClass, ...], features: Features, at: int) -> SpaceClass | None:
    """The class of the shifted space between ``at`` and the next; None if its pieces may not lie on the lines."""
    near = classes[at : at + 2]
    if SpaceClass.PARTLY in near:
        return None
    for space, label in zip((at, at + 1), near, strict=True):
        if label is SpaceClass.EMPTY:
            continue
        side = 0 if label in (SpaceClass.JADE, SpaceClass.JADE_UNIT) else PER_SIDE
        if abs(features[space, side + BINS + 1]) > CENTRED:
            return None
    return SpaceClass.EMPTY if set(near) == {SpaceClass.EMPTY} else SpaceClass.PARTLY


def samples(pictures: list[LabelledPicture]) -> tuple[Features, np.ndarray]:
    """Return the features and classes of all spaces of the pictures."""
    used = [picture for picture in pictures if picture.features is not None and picture.classes]
    shifted = [picture for picture in used if picture.halfway is not None and picture.halfway_classes]
    features = [picture.features for picture in used if picture.features is not None]
    features += [picture.halfway for picture in shifted if picture.halfway is not None]
    classes = [picture.classes for picture in used] + [picture.halfway_classes for picture in shifted]
    return np.concatenate(features), np.concatenate(classes).astype(np.int64)

"""Read the board: a settled picture, the position before and the throw in; the legal result that was played out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.errors import PictureUnusable, ProfileUnusable
from companion.i18n import _
from companion.rules.position import Position
from companion.rules.turns import Turn
from hardware.board.board_profile import BoardProfile, scaled
from hardware.board.covering import HandDetector
from hardware.board.following import MAX_SHIFT, BoardFollower
from hardware.board.lighting import BoardLight
from hardware.board.move_matching import BoardMatch, BoardStatus, Top, match_board
from hardware.board.road import PITCH
from hardware.board.space_classifier import SpaceClassifier
from hardware.board.space_features import Features, mixed, space_features
from hardware.board.teaching import learn_pieces
from hardware.cameras.camera import Pixels


class BoardReader:
    """Reads pictures of one board. Immutable, so threads may share it.

    Raises ProfileUnusable where the taught picture does not show the pieces.
    """

    def __init__(self, profile: BoardProfile, classifier: SpaceClassifier | None = None) -> None:
        self.profile = profile
        empty, road = profile.empty, profile.road
        self._classifier = classifier
        self._patches = road.patches()
        self._follower = BoardFollower(empty, road)
        self._light = BoardLight(empty, road)
        taught = self._relit(profile.taught)
        if taught is None:
            raise ProfileUnusable(
                _("The board is not where the picture of the empty board shows it. Take both pictures again.")
            )
        self._appearance, self._areas = learn_pieces(self._patches.sample(empty), taught, profile.position)
        self._hands = HandDetector(empty, road, float(np.sqrt(max(self._areas))) / PITCH)

    def read(self, pixels: Pixels, turn: Turn) -> BoardMatch:
        """Return which result of the turn a settled picture shows, if any.

        Raises PictureUnusable if the picture's size is not the one that was taught.
        """
        unclear = (Top.UNCLEAR,) * self.profile.road.spaces
        if self.is_covered(pixels):
            return BoardMatch(status=BoardStatus.UNSURE, confidence=0.0, tops=unclear, reason="hand")
        features = self.features(pixels)
        if features is None:
            return BoardMatch(status=BoardStatus.UNSURE, confidence=0.0, tops=unclear, reason="moved")
        if self._classifier is None:
            self._classifier = SpaceClassifier.shipped()
        return match_board(turn, self._classifier.probabilities(features), mixed(features))

    def check(self) -> None:
        """Raise ProfileUnusable unless the taught picture reads as the taught position."""
        match = self.compare(self.profile.taught, self.profile.position)
        if match.status is BoardStatus.UNCHANGED:
            return
        differ = "; ".join(
            _(
                "space {space}: expected {expected}, found {found}",
                space=one.space,
                expected=one.expected.value,
                found=one.found.value,
            )
            for one in match.differences
        )
        raise ProfileUnusable(
            _(
                "The second picture does not show that position ({why}). Check the position, the pieces and the "
                "corners, seen from Jade's base along the road.",
                why=differ or match.reason or "",
            )
        )

    def compare(self, pixels: Pixels, position: Position) -> BoardMatch:
        """Return whether a settled picture shows that position: `unchanged`, `illegal` or `unsure`."""
        return self.read(pixels, Turn(position, ()))

    def is_covered(self, pixels: Pixels) -> bool:
        """Return whether a hand or an arm reaches over the road."""
        return self._hands.is_covered(self._checked(pixels))

    def features(self, pixels: Pixels) -> Features | None:
        """Return the features of every space; None if the board is not found."""
        patches = self._relit(self._checked(pixels))
        return None if patches is None else space_features(self._appearance.weigh(patches), self._areas)

    def _checked(self, pixels: Pixels) -> Pixels:
        small = scaled(pixels)
        if pixels.shape[1] != self.profile.width or small.shape != self.profile.empty.shape:
            raise PictureUnusable(
                _(
                    "The picture is {size} but the board was taught at {width} columns. Teach it again at this "
                    "resolution.",
                    size=f"{pixels.shape[1]}x{pixels.shape[0]}",
                    width=self.profile.width,
                )
            )
        return small

    def _relit(self, pixels: Pixels) -> NDArray[np.uint8] | None:
        """Return the patches of a picture as if the board lay, and were lit, as in the empty one."""
        placement = self._follower.follow(pixels)
        if placement is None or placement.shift > MAX_SHIFT:
            return None
        seen = self._patches.sample(pixels, placement.matrix)
        return self._light.relit(seen, self._patches.maps, self._light.fit(pixels, placement.matrix))

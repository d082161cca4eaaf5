"""Read the board: given the position before and the throw, find the legal result that a settled picture shows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.errors import PictureUnusable, ProfileUnusable
from companion.i18n import _
from companion.referee.board.expected import ExpectedBoard
from companion.referee.board.sightings import Top
from companion.rules.position import Position
from companion.rules.turns import Turn
from hardware.board.base_count import BaseCounter
from hardware.board.board_profile import BoardProfile, scaled
from hardware.board.board_registration import MAX_SHIFT, BoardFollower
from hardware.board.hand_detection import HandDetector
from hardware.board.lighting import BoardLight
from hardware.board.move_matching import BoardMatch, BoardStatus, match_board, tops_of
from hardware.board.road import PITCH, SpacePatches
from hardware.board.space_classifier import SpaceClassifier
from hardware.board.space_features import Features, mixed, space_features
from hardware.board.teaching import learn_more, learn_pieces
from hardware.cameras.camera import Pixels
from hardware.registration.markers import Floats

IN_PLACE = 0.1
"""Spaces by which a covered board may seem to have moved and still count as being in its place. Under the labelled
hands it seems to move by 0.02; one that is pushed too far is not found, or seems to move by 0.14 or more, because its
spaces look alike. Higher takes a pushed board for a hand, lower a hand over a knocked board for a push."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardSight:
    """The features of every space in a picture, and the number of each side's pieces beside the road."""

    features: Features
    beside: Floats


class BoardReader:
    """Reads pictures of one board. Immutable, so threads may share it.

    Raises ProfileUnusable if the taught picture does not show the pieces.
    """

    def __init__(self, profile: BoardProfile) -> None:
        self.profile = profile
        empty, road = profile.empty, profile.road
        self._classifier = SpaceClassifier.shipped()
        self._patches = road.patches()
        self._follower = BoardFollower(empty, road)
        self._light = BoardLight(empty, road)
        placement, light = self._placed(profile.taught)
        if placement is None:
            raise ProfileUnusable(
                _("The board is not where the picture of the empty board shows it. Take both pictures again.")
            )
        taught = self._relit(profile.taught, self._patches, placement, light)
        self._appearance, self._areas = learn_pieces(self._patches.sample(empty), taught, profile.position)
        for lesson in profile.lessons:
            there, light_then = self._placed(lesson.picture)
            if there is not None:
                shown = self._relit(lesson.picture, self._patches, there, light_then)
                self._appearance = learn_more(
                    self._appearance, self._areas, shown, [(at, lesson.tops[at]) for at in lesson.pieces]
                )
        self._bases = BaseCounter.taught(empty, road, self._appearance)
        if self._bases is not None:
            around = self._relit(profile.taught, self._bases.patches, placement, light)
            self._bases = self._bases.calibrated(around, profile.position)
        self._hands = HandDetector(empty, road, float(np.sqrt(max(self._areas))) / PITCH)

    def read(self, pixels: Pixels, turn: Turn) -> BoardMatch:
        """Return which result of the turn a settled picture shows, if any.

        Raises PictureUnusable if the picture's size differs from the taught one.
        """
        return self.match(self.sight(pixels), ExpectedBoard.of_turn(turn))

    def sight(self, pixels: Pixels) -> BoardSight | str:
        """Return the features of a settled picture, or in a word why there are none: `hand` or `moved`.

        Raises PictureUnusable.
        """
        return "hand" if self.is_covered(pixels) else self.look(pixels) or "moved"

    def match(self, sight: BoardSight | str, expected: ExpectedBoard) -> BoardMatch:
        """Return which of the expected positions was seen. A reason why nothing was seen gives `unsure`."""
        if isinstance(sight, str):
            unclear = (Top.UNCLEAR,) * self.profile.road.spaces
            return BoardMatch(status=BoardStatus.UNSURE, confidence=0.0, tops=unclear, reason=sight)
        chances = self._classifier.probabilities(sight.features)
        return match_board(expected, chances, mixed(sight.features), sight.beside)

    def tops(self, pixels: Pixels) -> tuple[Top, ...]:
        """Return what is on top of each space in a settled picture. Raises PictureUnusable."""
        sight = self.sight(pixels)
        if isinstance(sight, str):
            return (Top.UNCLEAR,) * self.profile.road.spaces
        return tops_of(self._classifier.probabilities(sight.features))

    def check(self) -> bool:
        """Return whether the taught picture clearly shows its position. Raises ProfileUnusable if it shows another."""
        match = self.compare(self.profile.taught, self.profile.position)
        if match.status is not BoardStatus.ILLEGAL:
            return match.status is BoardStatus.UNCHANGED
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
                "corners, seen from Jade's base along the highway.",
                why=differ,
            )
        )

    def compare(self, pixels: Pixels, position: Position) -> BoardMatch:
        """Return whether a settled picture shows that position: `unchanged`, `illegal` or `unsure`."""
        return self.read(pixels, Turn(position, ()))

    def is_covered(self, pixels: Pixels) -> bool:
        """Return whether a hand or an arm reaches over the road."""
        return self._hands.is_covered(self._checked(pixels))

    def is_in_place(self, pixels: Pixels) -> bool:
        """Return whether what can be seen of a covered board is where it was taught."""
        placement = self._follower.follow(self._checked(pixels))
        return placement is not None and placement.shift < IN_PLACE

    def look(self, pixels: Pixels) -> BoardSight | None:
        """Return the features of a picture, or None if the board is not found."""
        small = self._checked(pixels)
        placement, light = self._placed(small)
        if placement is None:
            return None
        patches = self._relit(small, self._patches, placement, light)
        beside = np.full(2, np.nan)
        if self._bases is not None:
            beside = self._bases.count(self._relit(small, self._bases.patches, placement, light))
        return BoardSight(space_features(self._appearance.weigh(patches), self._areas), beside)

    def _checked(self, pixels: Pixels) -> Pixels:
        if pixels.shape == self.profile.empty.shape:
            return pixels  # also one that a profile keeps, which may have been scaled down
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

    def _placed(self, pixels: Pixels) -> tuple[Floats | None, Floats]:
        """Return the board's placement, None if it is not found, and the coefficients of its light."""
        placement = self._follower.follow(pixels)
        if placement is None or placement.shift > MAX_SHIFT:
            return None, np.zeros((0, 3))
        return placement.matrix, self._light.fit(pixels, placement.matrix)

    def _relit(self, pixels: Pixels, patches: SpacePatches, placement: Floats, light: Floats) -> NDArray[np.uint8]:
        """Return patches of a picture, aligned with the empty one and in its light."""
        return self._light.relit(patches.sample(pixels, placement), patches.maps, light)

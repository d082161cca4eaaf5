"""Reads throws of lots of any make, with a trained network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import FacesAlike, ProfileUnusable, TrayMoved
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.general.empty_tray import EmptyTray, Scene
from hardware.reader.general.face_features import FaceCrop, distance, straightened
from hardware.reader.general.face_matcher import FaceMatcher, FaceWeights
from hardware.reader.general.lot_finder import Arrangement, arrange
from hardware.reader.general.lot_shape import (
    SMALLEST_LOT,
    Component,
    DetectedScene,
    LotDetector,
    LotShape,
    components,
    four_alike,
    look,
    measured,
    smallest_bar,
    unlike,
)
from hardware.reader.general.palette import Palette
from hardware.reader.lots import doubted
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray_moves import Floats, Move
from hardware.registration.sheet_registration import RegisteredPicture

SCALES = (0.5, 1.0)
"""How large the network sees the pictures that teach, while the lots' size is not known: small ones take the second."""

CUTS = (0.5, 0.35, 0.65, 0.2)
"""Probabilities from which a pixel is part of a lot, tried in the pictures that teach; the most alike lots win."""

MORE = 0.6
"""Lots' worth of area from which a further thing in a picture that teaches is one too many."""

GAPS = (1, 7)
"""Widths in pixels of the cracks that are closed in those lots, which faint wood falls apart by."""

TOLD = 1.0
"""Least median of the odds with which each taught face is told by the others. Higher refuses to be taught faces that
differ little; of such sets most throws are asked about."""

SURE_ENOUGH, LIKE_TAUGHT = 1.2, 0.3
"""Least odds of every face of a throw that is answered, and the same as a share of what this set's faces usually have.
Raised they ask more, lowered they misread."""

MUDDLED = 1.5
"""Odds from which the taught faces are told by one another without doubt; as much as the least certain one stays below
that, more is asked of a throw's faces."""

SEEN, TELLING = 0.2, 0.3
"""Least share of a face that must be seen, and of what tells its two sides apart. Higher asks about more heaps, lower
judges by what is left of a mark."""

GLARE = 0.25
"""Most of a face that may be burnt out to white."""

STRANGE = 0.6
"""Share of a thing's colours that no taught lot has, from which it is no lot. Lots measured up to 0.2, pieces of games
0.94 and more. Higher asks about such pieces, lower overlooks a fifth lot in odd light."""

COVERED = 0.2
"""Share of the picture that may be something else than tray and lots. More is no hand beside the tray."""


@dataclass(frozen=True, slots=True, eq=False)
class TaughtLots:
    """The lots' shape and faces, learnt from three pictures."""

    tray: EmptyTray
    shape: LotShape
    marked: tuple[FaceCrop, ...]
    plain: tuple[FaceCrop, ...]
    reference: Floats


def learn(detector: LotDetector, empty: Pixels, marked: Pixels, plain: Pixels) -> TaughtLots:
    """Find the lots in the pictures of both faces. Raises ProfileUnusable, with advice, if they are not found."""
    tray = EmptyTray(empty)
    shape, views, fours = _taught(tray, detector, (marked, plain), SCALES[0])
    if not shape or shape.scale > 1.3 * SCALES[0]:
        again = _taught(tray, detector, (marked, plain), shape.scale if shape else SCALES[1])
        shape, views, fours = again if again[0] or not shape else (shape, views, fours)
    if shape is None:
        for name, view in zip(("marked", "plain"), views, strict=True):
            if not _fours(view):
                raise ProfileUnusable(f"Four lots of one size were not found in the {name} picture.")
        raise ProfileUnusable("The lots of the two pictures differ in size: use the same four lots.")
    reference = tray.small[::4, ::4].mean(axis=(0, 1)).astype(np.float32)
    sides = [_crops(view, four, shape, reference) for view, four in zip(views, fours, strict=True)]
    return TaughtLots(tray, shape, sides[0], sides[1], reference)


def taught_reader(
    detector: LotDetector, weights: FaceWeights, empty: Pixels, marked: Pixels, plain: Pixels
) -> GeneralReader:
    """Teach a reader with three pictures. Raises ProfileUnusable, with advice, if they are not sufficient."""
    return GeneralReader(learn(detector, empty, marked, plain), detector, weights)


def _looked(tray: EmptyTray, detector: LotDetector, picture: Pixels, scale: float) -> DetectedScene:
    view = look(tray, detector, picture, scale)
    if view is None:
        raise TrayMoved("A picture does not show the tray of the empty one: keep camera and tray where they are.")
    return view


def _taught(
    tray: EmptyTray, detector: LotDetector, pictures: Sequence[Pixels], scale: float
) -> tuple[LotShape | None, list[DetectedScene], list[tuple[Component, ...]]]:
    """The shape of the lots at that scale, None unless eight similar lots are found, and the lots of both pictures."""
    views = [_looked(tray, detector, picture, scale) for picture in pictures]
    tries = [_fours(view) for view in views]
    for number in range(2):
        if tries[number] and not tries[1 - number]:
            tries[1 - number] = _fitted_fours(views[1 - number], tries[number])
    best = min(product(*tries), key=lambda pair: unlike(pair[0][1] + pair[1][1]), default=None)
    if best is None or unlike(best[0][1] + best[1][1]) > 1:
        return None, views, []
    cuts, fours = zip(*best, strict=True)
    if any(_shows_more(view, four) for view, four in zip(views, fours, strict=True)):
        return None, views, []
    return measured(fours[0] + fours[1], float(np.mean(cuts))), views, [*fours]


def _shows_more(view: DetectedScene, four: Sequence[Component]) -> bool:
    """Whether the picture shows another object as large as a lot, or a hand."""
    rest = (view.found.lot + view.found.other > CUTS[0]).astype(np.uint8)
    width = round(float(np.median([one.box.width for one in four])) / 2)
    cv2.drawContours(rest, [one.outline for one in four], -1, 0, cv2.FILLED)
    cv2.drawContours(rest, [one.outline for one in four], -1, 0, width)
    return bool(components(rest > 0, MORE * float(np.median([one.area for one in four]))))


def _fours(view: DetectedScene) -> list[tuple[float, tuple[Component, ...]]]:
    """Candidates for the four lots of a picture, each with its cut.

    Pixels classified as other objects count too; without them only if no four lots are found with them.
    """
    for shares in (view.found.lot + view.found.other, view.found.lot):
        tries = []
        for cut, gap in product(CUTS, GAPS):
            mask = cv2.morphologyEx((shares > cut).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
            whole = [one for one in components(mask > 0, SMALLEST_LOT) if not one.at_border]
            tries.append((cut, four_alike(whole)))
        if any(four for _, four in tries):
            break
    return [(cut, four) for cut, four in tries if four]


def _fitted_fours(
    view: DetectedScene, known: Sequence[tuple[float, tuple[Component, ...]]]
) -> list[tuple[float, tuple[Component, ...]]]:
    """Sticks that lie too close to be separate components, fitted with the shape that the other picture shows."""
    cut, four = min(known, key=lambda one: unlike(one[1]))
    shape = measured(four, cut)
    if not shape.is_long:
        return []
    way = arrange(view, shape, lambda _: False)[0]
    if way.doubt is not None:
        return []
    outlines = [np.round(shape.ends.outline(bar)).astype(np.int32) for bar in way.bars]
    boxes = [replace(bar, length=shape.bar.length) for bar in way.bars]
    return [(cut, tuple(Component(*each, shape.area, False) for each in zip(outlines, boxes, strict=True)))]


def _crops(view: DetectedScene, four: Sequence[Component], shape: LotShape, reference: Floats) -> tuple[FaceCrop, ...]:
    crops = []
    for one in four:
        bar = replace(one.box, length=shape.bar.length, width=shape.bar.width) if shape.is_long else one.box
        visible = shape.ends.mask(bar, view.found.lot.shape) > 0
        crops.append(straightened(view.scene, bar, visible & (view.found.lot + view.found.other > 0.3), reference))
    return tuple(crops)


class GeneralReader:
    """Reads throws of the taught lots. Stateless between pictures, so threads may share it."""

    def __init__(self, lesson: TaughtLots, detector: LotDetector, weights: FaceWeights) -> None:
        self.lesson = lesson
        self._detector = detector
        self._palette = Palette((*lesson.marked, *lesson.plain))
        self._matcher = FaceMatcher(lesson.marked, lesson.plain, weights)
        self.leads = self._matcher.leads()
        usual = float(np.median(self.leads))
        if usual < TOLD:
            raise FacesAlike("I can't tell the marked side from the plain side.")
        self._least = max(SURE_ENOUGH, LIKE_TAUGHT * usual, MUDDLED - min(self.leads))

    @property
    def separation(self) -> float:
        """Distance between the two faces, in Lab units."""
        return min(distance(one, other) for one in self.lesson.marked for other in self.lesson.plain)

    def read(self, picture: RegisteredPicture, moves: Sequence[Move] = ()) -> ThrowSeen | ThrowUnreadable:
        """Count the marked faces, or return why the count is uncertain. Lots are in pixels of the registered picture.

        moves : motions of the tray's parts, if known.
        """
        view = look(self.lesson.tray, self._detector, picture.pixels, self.lesson.shape.scale, moves)
        if view is None:
            return ThrowUnreadable(reason="moved")
        things = np.where(view.found.lot + view.found.other > 0.5, 255, 0).astype(np.uint8)
        if picture.is_cut_off(things, self.lesson.shape.area):
            return ThrowUnreadable(reason="moved")
        ways = arrange(view, self.lesson.shape, lambda one: self._has_other_colours(view.scene, one.outline))
        read = [self._read(view, way) for way in ways[:2]]
        answer = read[0]
        if isinstance(answer, ThrowSeen) and (view.found.other > 0.5).mean() > COVERED:
            return ThrowUnreadable(reason="covered", lots=tuple(doubted(answer.lots)))
        if (
            len(read) == 2
            and isinstance(answer, ThrowSeen)
            and isinstance(read[1], ThrowSeen)
            and read[1].marked != answer.marked
        ):
            return ThrowUnreadable(reason="touching", lots=tuple(doubted(answer.lots)))
        return answer

    def is_foreign(self, picture: RegisteredPicture, thing: NDArray[np.int32], moves: Sequence[Move]) -> bool:
        """Whether a thing has none of the lots' colours. thing: its outline, (n, 2) pixels of the working size."""
        scene = self.lesson.tray.scene(picture.pixels, moves)
        return scene is not None and self._has_other_colours(scene, thing)

    def _has_other_colours(self, scene: Scene, outline: NDArray[np.int32]) -> bool:
        own = np.zeros(scene.small.shape[:2], np.uint8)
        cv2.drawContours(own, [outline], -1, 1, cv2.FILLED)
        crop = straightened(scene, smallest_bar(outline), own > 0, self.lesson.reference)
        return self._palette.strange_share(crop) > STRANGE

    def _read(self, view: DetectedScene, way: Arrangement) -> ThrowSeen | ThrowUnreadable:
        """Read one arrangement."""
        lots, doubt = [], way.doubt
        for bar, visible in zip(way.bars, way.visible, strict=True):
            crop = straightened(view.scene, bar, visible, self.lesson.reference)
            seen = crop.share > SEEN and self._matcher.told_share(crop) > TELLING
            odds = self._matcher.odds(crop) if seen else 0.0
            if doubt is None and not seen:
                doubt = "covered"
            if doubt is None and abs(odds) < self._least:
                doubt = "glare" if crop.glare > GLARE else "unclear"
            face = Face.UNKNOWN if abs(odds) < self._least else Face.MARKED if odds > 0 else Face.PLAIN
            confidence = float(1 / (1 + np.exp(-abs(odds))))
            lots.append(_lot(bar, self.lesson.shape, face, confidence, view.scene.factor))
        if doubt is not None:
            # Lots that touch are known together or not at all.
            one_by_one = (
                replace(lot, confidence=0.0) if touches else lot
                for lot, touches in zip(lots, way.touching, strict=True)
            )
            return ThrowUnreadable(reason=doubt, lots=tuple(one_by_one))
        certain = float(np.prod([lot.confidence for lot in lots]))
        return ThrowSeen(marked=sum(lot.face is Face.MARKED for lot in lots), confidence=certain, lots=tuple(lots))


def _lot(bar: Bar, shape: LotShape, face: Face, confidence: float, factor: float) -> Lot:
    outline = tuple((float(x), float(y)) for x, y in (shape.ends.outline(bar) + 0.5) * factor - 0.5)
    return Lot(
        x=(bar.x + 0.5) * factor - 0.5,
        y=(bar.y + 0.5) * factor - 0.5,
        angle=float(bar.angle % 180),
        face=face,
        confidence=confidence,
        outline=outline,
    )

"""Reads throws of lots of any make, with a trained network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import FacesAlike, ProfileUnusable
from companion.i18n import N_, _
from companion.referee.events import Face, Lot, ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.general.empty_tray import EmptyTray, Scene
from hardware.reader.general.face_features import FaceCrop, distance, straightened
from hardware.reader.general.face_matcher import FaceMatcher, FaceWeights
from hardware.reader.general.lot_finder import Arrangement, arrange, taught_widths
from hardware.reader.general.lot_shape import (
    CUTS,
    GAPS,
    SMALLEST_LOT,
    Component,
    DetectedScene,
    LotDetector,
    LotShape,
    components,
    four_alike,
    look,
    measured,
    pairs,
    smallest_bar,
    unlike,
)
from hardware.reader.general.taught_colours import TaughtColours
from hardware.reader.lots import doubted
from hardware.reader.sticks.bars import Bar
from hardware.reader.tray_moves import Floats
from hardware.registration.sheet_registration import RegisteredPicture

SCALES = (0.5, 1.0)
"""How large the network sees the pictures that teach, while the lots' size is not known: small ones take the second."""

MORE = 0.6
"""Lots' worth of area from which a further thing in a picture that teaches is one too many."""

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

GLARE = 0.4
"""Share of a face that may be burnt out to white, beyond what the taught ones have. Higher takes a marked one for a
plain one, lower asks where the rest of it tells enough."""

STRANGE = 0.6
"""Share of a thing's colours that no taught lot has, from which it is no lot. Lots measured up to 0.2, pieces of games
0.94 and more. Higher asks about such pieces, lower overlooks a fifth lot in odd light."""

OWN_COLOURS = 0.7
"""Share of a stick that must have the lots' own colours and not the tray's in light or shade, relative to the least
among the taught ones. Of 784 sticks that were read right one had less; one on its edge is taken for as wide as a flat
one where its shadow lies beside it, but had at most 0.67. Higher asks more."""

CORE = 0.6
"""How far inside a lot its colours are learnt, as a share of the most. Lower learns its shadow's, higher too few."""

SHARP = (0.5, 0.4, 0.3)
"""Evidence from which a pixel shows a small lot, tried in turn in the pictures that teach."""

COVERED = 0.2
"""Share of the picture that may be something else than tray and lots. More is no hand beside the tray."""


@dataclass(frozen=True, slots=True, eq=False)
class TaughtLots:
    """The lots' shape and faces, learnt from three pictures.

    outlines: of the lots in the marked and in the plain picture, (n, 2) in pixels of the working size.
    own_share: least share of a lot's pixels that have the lots' colours and not the tray's.
    """

    tray: EmptyTray
    shape: LotShape
    outlines: tuple[tuple[NDArray[np.int32], ...], ...]
    marked: tuple[FaceCrop, ...]
    plain: tuple[FaceCrop, ...]
    colours: TaughtColours
    own_share: float
    reference: Floats


def learn(detector: LotDetector, empty: Pixels, marked: Pixels, plain: Pixels) -> TaughtLots:
    """Find the lots in the pictures of both faces. Raises ProfileUnusable, with advice, if they are not found."""
    pictures = {N_("marked"): marked, N_("plain"): plain}
    tray = EmptyTray(empty)
    shape, views, fours = _taught(tray, detector, pictures, SCALES[0])
    if not shape or shape.scale > 1.3 * SCALES[0]:
        again = _taught(tray, detector, pictures, shape.scale if shape else SCALES[1])
        shape, views, fours = again if again[0] or not shape else (shape, views, fours)
    if shape is None:
        raise _refusal(dict(zip(pictures, views, strict=True)))
    reference = tray.small[::4, ::4].mean(axis=(0, 1)).astype(np.float32)
    colours = _colours(views, fours, reference)
    if shape.is_long:
        shape = replace(shape, widths=taught_widths(views, shape))
    else:
        views = [colours.sharpened(view) for view in views]
        cut, sharp = next(
            ((cut, sharp) for cut in SHARP if all(sharp := [_four(view.found.lot, cut, 1) for view in views])),
            (shape.cut, fours),
        )
        if sharp is not fours:
            fours, shape = sharp, measured(sharp[0] + sharp[1], cut)
            colours = _colours(views, fours, reference)
    places = [_bars(four, shape) for four in fours]
    shown = [_shown(view, bars, shape) for view, bars in zip(views, places, strict=True)]
    sides = [
        tuple(straightened(view.scene, bar, mask, reference) for bar, mask in zip(bars, masks, strict=True))
        for view, bars, masks in zip(views, places, shown, strict=True)
    ]
    own_share = min(min(colours.own_shares(view.scene, masks)) for view, masks in zip(views, shown, strict=True))
    outlines = tuple(tuple(one.outline for one in four) for four in fours)
    return TaughtLots(tray, shape, outlines, sides[0], sides[1], colours, own_share, reference)


def taught_reader(
    detector: LotDetector, weights: FaceWeights, empty: Pixels, marked: Pixels, plain: Pixels
) -> GeneralReader:
    """Teach a reader with three pictures. Raises ProfileUnusable, with advice, if they are not sufficient."""
    return GeneralReader(learn(detector, empty, marked, plain), detector, weights)


def _refusal(views: Mapping[str, DetectedScene]) -> ProfileUnusable:
    """What is wrong with pictures that do not show eight similar lots."""
    for name, view in views.items():
        if not _fours(view):
            return ProfileUnusable(
                _(
                    "Four lots of one size were not found in the {name} picture (things found: {count}): lay all "
                    "four apart from each other and from the rim, nothing else in view, on a tray whose colour differs "
                    "from theirs.",
                    name=_(name),
                    count=len(components(view.found.lot + view.found.other > CUTS[0], SMALLEST_LOT)),
                )
            )
    return ProfileUnusable(
        _(
            "The lots of the marked picture and those of the plain one differ in size: "
            "use the same four lots, and keep hands and other things out of the pictures."
        )
    )


def _taught(
    tray: EmptyTray, detector: LotDetector, pictures: Mapping[str, Pixels], scale: float
) -> tuple[LotShape | None, list[DetectedScene], list[tuple[Component, ...]]]:
    """The shape of the lots at that scale, None unless eight similar lots are found, and the lots of both pictures."""
    views = [look(tray.taught_scene(*one), detector, scale, whole=True) for one in pictures.items()]
    tries = [_fours(view) for view in views]
    known = tries[0] or tries[1] or list(pairs(*views))
    tries = [fours or _fitted_fours(view, known) for fours, view in zip(tries, views, strict=True)]
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
        tries = [(cut, _four(shares, cut, gap)) for cut, gap in product(CUTS, GAPS)]
        if any(four for _, four in tries):
            break
    return [(cut, four) for cut, four in tries if four]


def _four(shares: Floats, cut: float, gap: int) -> tuple[Component, ...]:
    """The four lots that the pixels above the cut show, cracks closed; empty if uncertain."""
    mask = cv2.morphologyEx((shares > cut).astype(np.uint8), cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
    return four_alike([one for one in components(mask > 0, SMALLEST_LOT) if not one.at_border])


def _fitted_fours(
    view: DetectedScene, known: Sequence[tuple[float, tuple[Component, ...]]]
) -> list[tuple[float, tuple[Component, ...]]]:
    """Sticks that lie too close to be separate components, fitted with the shape of those that are known."""
    if not known:
        return []
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


def _colours(views: Sequence[DetectedScene], fours: Sequence[Sequence[Component]], reference: Floats) -> TaughtColours:
    """The colours of the lots, away from their edges and shadows."""
    sides = []
    for view, four in zip(views, fours, strict=True):
        sure = np.zeros(view.found.lot.shape, np.bool_)
        for one in four:
            own = cv2.drawContours(np.zeros(sure.shape, np.uint8), [one.outline], -1, 1, cv2.FILLED)
            sure |= (own > 0) & (view.found.inside >= CORE * view.found.inside[own > 0].max())
        sides.append((view.scene, sure))
    return TaughtColours(sides, reference)


def _bars(four: Sequence[Component], shape: LotShape) -> list[Bar]:
    """The places of taught lots, sticks in their usual size."""
    if not shape.is_long:
        return [one.box for one in four]
    return [replace(one.box, length=shape.bar.length, width=shape.bar.width) for one in four]


def _shown(view: DetectedScene, bars: Sequence[Bar], shape: LotShape) -> list[NDArray[np.bool_]]:
    """The pixels that show each of the taught lots in these places."""
    shown = (view.found.lot + view.found.other if shape.is_long else view.found.lot) > 0.3
    return [(shape.ends.mask(bar, shown.shape) > 0) & shown for bar in bars]


class GeneralReader:
    """Reads throws of the taught lots. Stateless between pictures, so threads may share it."""

    def __init__(self, lesson: TaughtLots, detector: LotDetector, weights: FaceWeights) -> None:
        self.lesson = lesson
        self._detector = detector
        self._matcher = FaceMatcher(lesson.marked, lesson.plain, weights)
        self.leads = self._matcher.leads()
        usual = float(np.median(self.leads))
        if usual < TOLD:
            raise FacesAlike(
                "I can't tell the marked side from the plain side: make the marks bolder, or light the tray better."
            )
        self._least = max(SURE_ENOUGH, LIKE_TAUGHT * usual, MUDDLED - min(self.leads))
        self._glare = GLARE + max(crop.glare for crop in (*lesson.marked, *lesson.plain))

    @property
    def separation(self) -> float:
        """Distance between the two faces, in Lab units."""
        return min(distance(one, other) for one in self.lesson.marked for other in self.lesson.plain)

    def read(self, picture: RegisteredPicture, scene: Scene) -> ThrowSeen | ThrowUnreadable:
        """Count the marked faces, or return why the count is uncertain. Lots are in pixels of the registered picture.

        scene : the picture beside the empty tray.
        """
        view = look(scene, self._detector, self.lesson.shape.scale)
        if not self.lesson.shape.is_long:
            view = self.lesson.colours.sharpened(view)
        things = np.where(view.found.lot + view.found.other > 0.5, 255, 0).astype(np.uint8)
        if picture.is_cut_off(things, self.lesson.shape.area):
            return ThrowUnreadable(reason="moved")
        ways = arrange(view, self.lesson.shape, lambda one: self._has_other_colours(view.scene, one.outline))
        answer = self._read(view, ways[0])
        if isinstance(answer, ThrowUnreadable):
            return answer
        if (view.found.other > 0.5).mean() > COVERED:
            return ThrowUnreadable(reason="covered", lots=tuple(doubted(answer.lots)))
        others = (self._read(view, way) for way in ways[1:])
        if any(isinstance(other, ThrowSeen) and other.marked != answer.marked for other in others):
            return ThrowUnreadable(reason="touching", lots=tuple(doubted(answer.lots)))
        return answer

    def _has_other_colours(self, scene: Scene, outline: NDArray[np.int32]) -> bool:
        own = np.zeros(scene.small.shape[:2], np.uint8)
        cv2.drawContours(own, [outline], -1, 1, cv2.FILLED)
        crop = straightened(scene, smallest_bar(outline), own > 0, self.lesson.reference)
        return self.lesson.colours.strange_share(crop) > STRANGE

    def _read(self, view: DetectedScene, way: Arrangement) -> ThrowSeen | ThrowUnreadable:
        """Read one arrangement."""
        lots, doubt = [], way.doubt
        for bar, visible in zip(way.bars, way.visible, strict=True):
            crop = straightened(view.scene, bar, visible, self.lesson.reference)
            seen = crop.share > SEEN and self._matcher.told_share(crop) > TELLING
            odds = self._matcher.odds(crop) if seen else 0.0
            if doubt is None and not seen:
                doubt = "covered"
            if doubt is None and crop.glare > self._glare:
                doubt = "glare"
            if doubt is None and abs(odds) < self._least:
                doubt = "unclear"
            face = Face.UNKNOWN if abs(odds) < self._least else Face.MARKED if odds > 0 else Face.PLAIN
            lots.append(_lot(bar, self.lesson.shape, face, _confidence(abs(odds)), view.scene.factor))
        if doubt is None and self.lesson.shape.is_long:
            own = self.lesson.colours.own_shares(view.scene, way.visible)
            doubt = "leaning" if min(own) < OWN_COLOURS * self.lesson.own_share else None
        if doubt is not None:
            # Lots that touch are known together or not at all.
            one_by_one = (
                replace(lot, confidence=0.0) if touches else lot
                for lot, touches in zip(lots, way.touching, strict=True)
            )
            return ThrowUnreadable(reason=doubt, lots=tuple(one_by_one))
        certain = float(np.prod([lot.confidence for lot in lots]))
        return ThrowSeen(marked=sum(lot.face is Face.MARKED for lot in lots), confidence=certain, lots=tuple(lots))


def _confidence(odds: float) -> float:
    """Probability of a face from its log-odds."""
    return float(1 / (1 + np.exp(-odds)))


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

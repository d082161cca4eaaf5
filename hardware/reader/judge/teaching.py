"""Finds the lots in the pictures that teach a reader: the size at which the judge is most certain of four in each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import ProfileUnusable
from companion.i18n import N_, _
from companion.rules.odds import LOTS
from hardware.cameras.camera import Pixels
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.empty_tray import EmptyTray, Scene
from hardware.reader.detection.lot_shape import (
    ALIKE_AREA,
    CUTS,
    GAPS,
    SCALES,
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
    unlike,
)
from hardware.reader.judge.candidates import Candidates, Seeing, candidates, settled
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.lot_crops import CropMaker, reference_colour
from hardware.reader.judge.lot_judge import LotJudge, presence
from hardware.reader.judge.shadows import SHADY, darkest_shade, dimmed, lit, shade, shadow_tint
from hardware.reader.judge.surroundings import burnt_out, reaches_in

ALIKE = 0.06
"""Share by which two sizes may differ to be tried as one."""

PRESENT = (0.0, -3.0)
"""Log-odds from which each taught stick or small lot is there, as the others judge it; it must also be likelier than a
fifth one, and that less likely than not. Kernels differ so much that the others alone may doubt one. Higher refuses
pictures in poor light, lower lets four of five things be taught."""


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPlaces:
    """The lots' size and faces, learnt from three pictures.

    places, outlines: of the lots in the marked and in the plain picture; in pixels of the working size, (n, 2).
    told: descriptions of the lots for each witness, the marked ones first: (8, ...).
    crops: those that were described, and those from close by: (8, ...).
    reference: as in `CropMaker`. glare: largest share of a lot that is burnt out to white.
    tint: of the lots' shadows, if it is known. darkest: share of the tray's light that a shadow leaves; what is darker
    may be a lot. usual: how much of a taught lot the detector sees, 0.1 at least.
    """

    tray: EmptyTray
    shape: LotShape
    places: tuple[tuple[Bar, ...], tuple[Bar, ...]]
    outlines: tuple[tuple[NDArray[np.int32], ...], ...]
    told: tuple[Floats, ...]
    crops: tuple[Floats, Floats]
    usual: float
    reference: Floats
    tint: Floats | None
    darkest: float
    glare: float

    def shade(self, scene: Scene) -> NDArray[np.bool_]:
        """Where a picture shows the tray in a shadow, or may."""
        return shade(scene, self.tint, self.darkest)

    def view(self, detector: LotDetector, scene: Scene, dark: NDArray[np.bool_]) -> DetectedScene:
        """What the network sees in a picture, of small lots without its ``dark`` shade."""
        view = look(scene, detector, self.shape.scale)
        return view if self.shape.is_long else lit(view, dark)


def find_lots(model: Model, empty: Pixels, marked: Pixels, plain: Pixels) -> TaughtPlaces:
    """Find the lots in the pictures of both faces. Raises ProfileUnusable, with advice, if they are not found."""
    tray = EmptyTray(empty)
    scenes = {N_("marked"): tray.taught_scene("marked", marked)}
    # A picture that is checked by itself is given as both.
    scenes[N_("plain")] = scenes["marked"] if plain is marked else tray.taught_scene("plain", plain)
    # Kept are both sizes of SCALES, the last that was tried, and the one that is chosen.
    detected = lru_cache(maxsize=8)(lambda scene, scale: look(scene, model.detector, scale, whole=True))

    def seen(scale: float) -> dict[str, DetectedScene]:
        return {name: detected(scene, scale) for name, scene in scenes.items()}

    reference = reference_colour(tray, [*seen(SCALES[0]).values()])
    if all(_differ(*seen(scale).values()) for scale in SCALES):
        raise ProfileUnusable(
            _(
                "The sticks in the marked picture and in the plain one differ in size. Use the same four, and keep "
                "hands and other things out of the pictures."
            )
        )
    tint = shadow_tint([*seen(SCALES[0]).values()])
    tries = []
    # By scale, because few of them are kept.
    for shape in sorted(_shapes(seen, tint), key=lambda shape: -shape.scale):
        found_in = cache(partial(_places, model, shape, reference, tint))
        sides = [found_in(view) for view in seen(round(shape.scale, 1)).values()]
        least = _least_present(model, shape, sides)
        if least is not None:
            odds = min(float(side.judgement.present[LOTS - 1]) for side in sides)
            # Of the middle of long beans the judge of sticks may be surer than their own judge is of all of them.
            tries.append(((not shape.is_long, min(least, 0.0), odds), shape, sides))
    if not tries:
        raise _refusal(seen(SCALES[0]))
    shape, sides = max(tries, key=lambda one: one[0])[1:]
    named = seen(round(shape.scale, 1))
    for name, view in named.items():
        if reaches_in(view, shape):
            raise _not_found(name, view)
    views, places = named.values(), [tuple(side.places[:LOTS]) for side in sides]
    taught = [(CropMaker(view, shape, reference), four) for view, four in zip(views, places, strict=True)]
    told = [model.witnessed(model.describe(maker, four), maker, four) for maker, four in taught]
    crops = [np.concatenate([maker.crops(four, close=near) for maker, four in taught]) for near in (False, True)]
    outlines = tuple(_outlines(view, four, shape) for view, four in zip(views, places, strict=True))
    lights = zip([dimmed(view.scene, tint) for view in views], places, strict=True)
    shown = [light[shape.ends.mask(place, light.shape) > 0] for light, four in lights for place in four]
    return TaughtPlaces(
        tray=tray,
        shape=shape,
        places=(places[0], places[1]),
        outlines=outlines,
        told=tuple(np.concatenate(sides) for sides in zip(*told, strict=True)),
        crops=(crops[0], crops[1]),
        usual=max(0.1, float(np.median([maker.seen(four) for maker, four in taught]))),
        reference=reference,
        tint=tint,
        darkest=darkest_shade(shown),
        glare=max(max(burnt_out(view, shape, four)) for view, four in zip(views, places, strict=True)),
    )


def _not_found(name: str, view: DetectedScene) -> ProfileUnusable:
    """What is wrong with a picture that does not show four lots and nothing else."""
    return ProfileUnusable(
        _(
            "I didn't find four sticks of one size in the {name} picture (things found: {count}). Lay all four "
            "apart and away from the edge, on a tray of another colour, out of direct sun.",
            name=_(name),
            count=len(components(view.found.lot + view.found.other > CUTS[0], SMALLEST_LOT)),
        )
    )


def _refusal(views: Mapping[str, DetectedScene]) -> ProfileUnusable:
    """What is wrong with pictures that do not show eight similar lots."""
    for name, view in views.items():
        if not any(_fours(view)):
            return _not_found(name, view)
    return ProfileUnusable(
        _("I didn't recognise the four sticks in the other picture. Lay them further apart, in more light.")
    )


def _differ(*views: DetectedScene) -> bool:
    """Whether each picture shows four like things, but none of the one are as large as those of the other."""
    marked, plain = ([*_fours(view)] for view in views)
    return bool(marked and plain) and all(unlike(one + other) > 1 for one, other in product(marked, plain))


def _places(model: Model, shape: LotShape, reference: Floats, tint: Floats | None, view: DetectedScene) -> Candidates:
    """Where lots may lie; without what is nothing but a shadow, if four others may be small lots."""
    seeing = Seeing(model, presence, view, shape, CropMaker(view, shape, reference))
    found = candidates(seeing)
    if shape.is_long:
        return settled(seeing, found)
    dark, ends = shade(view.scene, tint).astype(np.uint8), shape.ends
    kept = [number for number, place in enumerate(found.places) if ends.mean(place, dark)[0] < SHADY]
    if len(kept) < LOTS or found.judgement.present[kept[LOTS - 1]] < 0:
        return found
    return found.of(kept)


def _shapes(seen: Callable[[float], Mapping[str, DetectedScene]], tint: Floats | None) -> Iterator[LotShape]:
    """The different sizes of four like things in both pictures or in either one; if none are, of what may be joined."""
    known: list[LotShape] = []
    for groups in (_fours, partial(_joined, tint)):
        for scale in SCALES:  # while their size is not known
            for group in groups(*seen(scale).values()):
                shape = measured(group)
                sizes = np.array([shape.bar.length, shape.bar.width])
                if all(np.abs(sizes / (one.bar.length, one.bar.width) - 1).max() > ALIKE for one in known):
                    known.append(shape)
                    yield shape
            # Small lots the first may show as one with their shadows.
            wide = all(shape.is_long and shape.scale < sum(SCALES) / 2 for shape in known)
            if known and (wide or scale == SCALES[-1]):
                return


def _fours(*views: DetectedScene) -> Iterator[tuple[Component, ...]]:
    """Every four like things in a picture, and those of both together where all eight are alike."""
    for other, cut, gap in product((1, 0), CUTS, GAPS):
        fours = []
        for view in views:
            new = view.found.lot + other * view.found.other > cut
            mask = cv2.morphologyEx(new.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((gap, gap), np.uint8))
            fours.append(four_alike([one for one in components(mask > 0, SMALLEST_LOT) if not one.at_border]))
        if all(fours) and unlike(sum(fours, ())) <= 1:
            yield sum(fours, ())
        yield from filter(None, fours)


def _joined(tint: Floats | None, *views: DetectedScene) -> Iterator[tuple[Component, ...]]:
    """Two sticks of each picture, where others touch, and four like things whose shadows join them."""
    yield from pairs(*views)
    yield from _fours(*(lit(view, shade(view.scene, tint)) for view in views))


def _least_present(model: Model, shape: LotShape, sides: Sequence[Candidates]) -> float | None:
    """Least log-odds with which the others of the eight tell that one is there.

    None if each picture does not show four, and nothing else that is like these.
    """
    if any(len(side.places) < LOTS for side in sides):
        return None
    marked, plain = (side.told[:LOTS] for side in sides)
    judge = LotJudge(marked, plain, model.relations[shape.kind])
    fifth = max(float(judge(side.told).present[LOTS:].max(initial=-np.inf)) for side in sides)
    least = float(judge.by_others()[0].min())
    return least if fifth < 0 and least > max(PRESENT[shape.kind], fifth) else None


def _outlines(view: DetectedScene, places: Sequence[Bar], shape: LotShape) -> tuple[NDArray[np.int32], ...]:
    """The taught lots' outlines: as the network sees small ones, whose shapes may be their own."""
    found = [] if shape.is_long else components(view.found.lot > CUTS[0], SMALLEST_LOT)
    shown = [one.outline for one in found if ALIKE_AREA[0] < one.area / shape.area < ALIKE_AREA[1]]

    def outline(place: Bar) -> NDArray[np.int32]:
        around = (one for one in shown if cv2.pointPolygonTest(one, (place.x, place.y), measureDist=False) >= 0)
        return next(around, np.round(shape.ends.outline(place)).astype(np.int32))

    return tuple(outline(place) for place in places)

"""Makes the judges' training samples: crops of places in rendered and composed throws, with the truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.cameras.camera import Pixels
from hardware.composing.cutouts import TrayScene
from hardware.reader.arrays import Floats
from hardware.reader.bars import Bar
from hardware.reader.detection.lot_shape import LotDetector, look
from hardware.reader.judge.lot_crops import WINDOWS, CropMaker
from hardware.reader.judge.proposals import proposals
from hardware.reader.judge.teaching import TaughtPlaces
from training.composing.labelled_scenes import open_set
from training.composing.laid_set import laid_set
from training.composing.strangers import Strangers
from training.composing.throws import compose
from training.judging.lot_labels import Label, TrueLot, label, sized, without_hidden
from training.judging.spoiling import spoiled
from training.judging.taught_lots import Lesson, jittered, resized, taught_lots
from training.rendered_sets import RenderedSet

COMPOSED = (
    "apart", "side by side", "end to end", "leg to side", "crossed", "crossed", "stacked", "star", "heap", "heap",
    "with a piece", "with a piece", "with a piece", "with a thing", "with a thing", "with a thing", "with a thing",
    "with a hand", "with a hand", "with a hand", "hand aside", "other light", "beside the tray", "beside the tray",
    "over the rim", "over the rim", "over the rim", "over the rim", "three", "five", "five", "a fifth below",
    "a fifth below", "a fifth below", "on edge", "on edge", "hidden", "partly hidden", "hand", "glare",
)  # fmt: skip
"""Kinds of composed throws, drawn by chance. A repeated one is more frequent."""

SIZE = ((0.04, 0.08), (0.065, 0.065))
"""Standard deviations of the taught length's and width's errors (logarithms), of sticks and of small lots: shadows
widen lots."""

WRONG_SIZES = (
    ((0.5, 1.0), (0.65, 1.0), (0.8, 1.0), (1.3, 1.0), (1.6, 1.0), (1.0, 1.6), (1.0, 2.0), (0.7, 0.6)),
    ((0.5, 0.5), (0.65, 0.65), (0.8, 0.8), (1.3, 1.3), (1.6, 1.6), (2.0, 2.0)),
)
"""Sizes that are none of the lot's, as shares of its length and width, of sticks and of small lots. No lot of such a
size lies anywhere."""

WRONG = 3
"""Lots of each picture that are also cropped at a wrong size."""

SPOILED = 0.35
"""Share of pictures that are also learnt from spoiled."""

ERRORS, CLOSE_STICK_ERRORS, CLOSE_SMALL_ERRORS = (0.4, 1.0, 2.5), (0.5, 1.0, 1.8), (0.4, 0.8, 1.2)
"""How far off true places are cropped, as multiples of a place's usual error; and faces of sticks and small lots."""

STRANGE, EASY = 5, 0.1
"""Places of each picture without a small lot that are seen from close by, and the chance with which one is drawn where
the detector shows nothing; what it shows is added to that."""

FLATTEST = 40
"""Tilt in degrees from which a lot stands on its edge."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LotSamples:
    """The samples of one set. supports: (8, ...) crops of the taught lots, the marked ones first.

    crops : (n, ...). present, readable, face : (n,), and off : (n, 3), as in `Label`.
    """

    supports: NDArray[np.float16]
    crops: NDArray[np.float16]
    present: NDArray[np.int8]
    readable: NDArray[np.int8]
    face: NDArray[np.int8]
    off: NDArray[np.float32]

    @property
    def is_long(self) -> bool:
        """True for sticks."""
        return self.supports.shape[2:] != WINDOWS[False, False].size


@dataclass(frozen=True, slots=True, eq=False)
class SetSamples:
    """The samples of one set, and those of its lots' faces, seen from close by; None if no face is seen.

    Among the faces of small lots there are other things.
    """

    places: LotSamples
    close: LotSamples | None


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """A picture and the lots in it."""

    pixels: Pixels
    lots: tuple[TrueLot, ...]


def set_samples(
    one: RenderedSet, detector: LotDetector, strangers: Strangers, composed: int, random: np.random.Generator
) -> SetSamples | None:
    """The samples of a rendered set and of ``composed`` further throws of its lots; None if it cannot be taught.

    strangers : foreign objects for the composed throws.
    """
    images = one.teaching_images()
    for image, face in zip(images[1:], ("marked", "plain"), strict=True):
        if any(lot["face_up"] != face or lot["on_edge"] for lot in image["objects"]):
            return None
    empty, marked, plain = (one.picture(image["file"]) for image in images)
    sides = [[np.array(lot["outline_px"], np.float32) for lot in image["objects"]] for image in images[1:]]
    lesson = taught_lots(detector, (empty, marked, plain), (sides[0], sides[1]), random)
    if lesson is None:
        return None
    return _samples(detector, lesson, throws_of(one, lesson, strangers, composed, random), random)


def throws_of(
    one: RenderedSet, lesson: Lesson | TaughtPlaces, strangers: Strangers, composed: int, random: np.random.Generator
) -> Iterator[Throw]:
    """The pictures of a rendered set that have lots, and ``composed`` further throws of these."""
    yield from _rendered(one, lesson)
    try:
        scene = open_set(one.folder.parent, one.labels)
    except ValueError:
        return  # none of its lots lies free
    if {cut.marked for cut in scene.cuts} == {True, False}:
        yield from _composed(scene, strangers, lesson, composed, random)


def laid_samples(
    scene: TrayScene, detector: LotDetector, strangers: Strangers, composed: int, random: np.random.Generator
) -> SetSamples | None:
    """The samples of ``composed`` throws of a scene's lots; None if they do not fit in or cannot be taught."""
    try:
        made = laid_set(scene, random)
    except (ValueError, IndexError, cv2.error):
        return None  # a lot leaves the picture, or one side was never seen
    if made is None:
        return None
    lesson = taught_lots(detector, made.pictures, made.outlines, random)
    if lesson is None:
        return None
    return _samples(detector, lesson, _composed(scene, strangers, lesson, composed, random), random)


def _samples(
    detector: LotDetector, lesson: Lesson, throws: Iterable[Throw], random: np.random.Generator
) -> SetSamples | None:
    """Crops of proposed, of true and of wrongly sized places in all throws, and of faces; None if there are none."""
    crops, close = _Crops(lesson.supports), _Crops(lesson.close)
    for throw in worsened(throws, random):
        scene = lesson.tray.scene(throw.pixels)
        if scene is None:
            continue
        view = look(scene, detector, lesson.shape.scale)
        shape = resized(lesson.shape, *np.exp(random.normal(0, SIZE[lesson.shape.kind])))
        maker, lots = CropMaker(view, shape, lesson.reference), without_hidden(throw.lots, lesson.shape)
        proposed = proposals(view.found, shape)
        places = proposed + [jittered(lot.bar, shape, random.choice(ERRORS), random) for lot in lots for _ in range(2)]
        labels = [label(place, lots, shape) for place in places]
        crops.add(maker.crops(places), labels)
        others = [place for place, one in zip(proposed, labels, strict=False) if one.present == 0]
        sizes = WRONG_SIZES[lesson.shape.kind]
        wrong = resized(lesson.shape, *sizes[int(random.integers(len(sizes)))])
        places = [jittered(lot.bar, wrong, random.choice(ERRORS), random) for lot in lots[:WRONG]]
        crops.add(CropMaker(view, wrong, lesson.reference).crops(places), [Label(present=0)] * len(places))
        errors = CLOSE_STICK_ERRORS if shape.is_long else CLOSE_SMALL_ERRORS
        shown = [lot for lot in throw.lots if lot.face for _ in range(2)]
        places = [jittered(lot.bar, shape, random.choice(errors), random) for lot in shown]
        labels = [label(place, [lot], shape) for place, lot in zip(places, shown, strict=True)]
        if others and not shape.is_long:
            chances = EASY + maker.seen(others)
            drawn = random.choice(len(others), min(STRANGE, len(others)), replace=False, p=chances / chances.sum())
            places += [others[number] for number in drawn]
            labels += [Label(present=0)] * len(drawn)
        close.add(maker.crops(places, close=True), labels)
    places_seen = crops.samples()
    return None if places_seen is None else SetSamples(places_seen, close.samples())


class _Crops:
    """Collects the crops of a set."""

    def __init__(self, supports: Floats) -> None:
        self._supports = supports
        self._crops: list[Floats] = []
        self._labels: list[Label] = []

    def add(self, crops: Floats, labels: Sequence[Label]) -> None:
        self._crops.append(crops)
        self._labels += labels

    def samples(self) -> LotSamples | None:
        """All of them; None if there are none."""
        if not self._labels:
            return None
        return LotSamples(
            supports=self._supports.astype(np.float16),
            crops=np.concatenate(self._crops).astype(np.float16),
            present=np.array([one.present for one in self._labels], np.int8),
            readable=np.array([one.readable for one in self._labels], np.int8),
            face=np.array([one.face for one in self._labels], np.int8),
            off=np.array([one.off for one in self._labels], np.float32),
        )


def worsened(throws: Iterable[Throw], random: np.random.Generator) -> Iterator[Throw]:
    """The pictures, some of them a second time, spoiled."""
    for throw in throws:
        yield throw
        if random.random() < SPOILED:
            yield Throw(spoiled(throw.pixels, random), throw.lots)


def _rendered(one: RenderedSet, lesson: Lesson | TaughtPlaces) -> Iterator[Throw]:
    """All pictures of a rendered set that have lots."""
    for image in one.images("throw", "calibration_marked", "calibration_plain"):
        lots = []
        for lot in image["objects"]:
            (x, y), (across, down), turned = cv2.minAreaRect(np.array(lot["quad_px"], np.float32))
            if not lesson.shape.is_long:
                x, y = lot["center_px"]
            flat = not (lot["on_edge"] or lot["face_up"] == "edge" or lot["tilt_deg"] > FLATTEST)
            shown = (lot["visible_frac"], lot["mark_region_visible_frac"])
            bar = _bar(lesson, x, y, turned if across >= down else turned + 90)
            lots.append(TrueLot.seen(bar, shown, flat=flat, marked=lot["face_up"] == "marked"))
        yield Throw(one.picture(image["file"]), tuple(lots))


def _composed(
    scene: TrayScene, strangers: Strangers, lesson: Lesson | TaughtPlaces, count: int, random: np.random.Generator
) -> Iterator[Throw]:
    """Composed throws of the scene's lots."""
    for _ in range(count):
        kind = COMPOSED[int(random.integers(len(COMPOSED)))]
        try:
            heap = compose(scene, int(random.integers(1 << 30)), (kind,), strangers)
        except (ValueError, IndexError, cv2.error):
            continue  # it does not fit into the tray, or leaves the picture
        lots = (
            TrueLot.seen(_bar(lesson, lot.x, lot.y, lot.angle), (lot.face, lot.mark), flat=True, marked=lot.marked)
            for lot in heap.lots
        )
        yield Throw(heap.pixels, tuple(lots))


def _bar(lesson: Lesson | TaughtPlaces, x: float, y: float, angle: float) -> Bar:
    """The place of a lot whose centre is given in the picture's pixels."""
    scale = lesson.tray.scale
    return sized(Bar((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5, angle, 0, 0), lesson.shape)

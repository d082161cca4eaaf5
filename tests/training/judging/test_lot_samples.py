"""Samples of a drawn set, and their files."""

from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from hardware.reader.detection.detector import Detector
from hardware.reader.detection.lot_shape import LotShape
from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS
from hardware.reader.judge.shipped_judge import DETECTOR
from tests.hardware.reader.judge.ideal_model import SMALL, STICK
from tests.training.drawn_set import LENGTH, WIDTH, drawn_set
from training.composing.drawn_lots import drawn_lots
from training.composing.labelled_scenes import open_set
from training.composing.strangers import Strangers
from training.judging.lot_samples import SIZE, WRONG_SIZES, LotSamples, SetSamples, laid_samples, set_samples
from training.judging.sample_store import BORROWED, FOLDS, load, make_samples, sample_files, save, set_of, tasks_for
from training.judging.taught_lots import resized, taught_lots
from training.rendered_sets import RenderedSet

STICK_CROP, CLOSE_STICK_CROP = (WINDOWS[True, close].size for close in (False, True))
SMALL_CROP = WINDOWS[False, False].size


@pytest.fixture(scope="module")
def detector() -> Detector:
    return Detector(DETECTOR, sha256(DETECTOR.read_bytes()).hexdigest())


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> RenderedSet:
    return drawn_set(tmp_path_factory.mktemp("sets"))


@pytest.fixture(scope="module")
def both(one: RenderedSet, detector: Detector) -> SetSamples:
    made = set_samples(one, detector, Strangers([one]), 1, np.random.default_rng(1))
    assert made is not None
    return made


@pytest.fixture(scope="module")
def samples(both: SetSamples) -> LotSamples:
    return both.places


def test_true_outlines_teach_the_size(one: RenderedSet, detector: Detector) -> None:
    """There is no need of a judge that finds the lots."""
    images = one.teaching_images()
    empty, marked, plain = (one.picture(image["file"]) for image in images)
    sides = [[np.array(lot["outline_px"], np.float32) for lot in image["objects"]] for image in images[1:]]

    lesson = taught_lots(detector, (empty, marked, plain), (sides[0], sides[1]), np.random.default_rng(1))

    assert lesson is not None
    assert lesson.shape.bar.length == pytest.approx(LENGTH, abs=1)
    assert lesson.shape.bar.width == pytest.approx(WIDTH, abs=1)
    assert lesson.supports.shape == (8, CHANNELS, *STICK_CROP)
    assert taught_lots(detector, (empty, marked, plain), (sides[0], sides[1][:3]), np.random.default_rng(1)) is None


def test_samples_show_lots_of_both_faces_and_other_places(samples: LotSamples) -> None:
    """Each crop has a label."""
    assert samples.is_long
    assert samples.supports.shape == (8, CHANNELS, *STICK_CROP)
    assert samples.crops.shape[1:] == (CHANNELS, *STICK_CROP)
    assert {len(getattr(samples, name)) for name in ("crops", "present", "readable", "face", "off")} == {
        len(samples.crops)
    }
    assert set(samples.present) == {-1, 0, 1}
    assert set(samples.face) == {-1, 0, 1}
    assert np.isfinite(samples.off[samples.present == 1]).all()


def test_faces_of_sticks_are_sampled_from_close_by(both: SetSamples) -> None:
    """Only of lots whose faces can be told."""
    close = both.close

    assert close is not None
    assert close.is_long
    assert close.supports.shape == (8, CHANNELS, *CLOSE_STICK_CROP)
    assert close.crops.shape == (len(close.face), CHANNELS, *CLOSE_STICK_CROP)
    assert set(close.face) == {-1, 1}


@pytest.mark.parametrize("shape", [STICK, SMALL])
def test_no_wrong_size_is_one_that_may_be_taught(shape: LotShape) -> None:
    """Lots that were shown as missing at their own size would teach the judge to doubt all of them."""
    usual = np.array(SIZE[shape.kind])
    sizes = [resized(shape, *wrong).bar for wrong in WRONG_SIZES[shape.kind]]
    errors = [np.log([bar.length / shape.bar.length, bar.width / shape.bar.width]) for bar in sizes]

    assert min(float(np.max(np.abs(error) / usual)) for error in errors) > 2.5


def test_drawn_lots_are_sampled_on_the_same_tray(one: RenderedSet, detector: Detector) -> None:
    """They need not be sticks because the set's are."""
    tray, strangers = open_set(one.folder.parent, one.labels), Strangers([one])
    randoms = [np.random.default_rng(seed) for seed in range(40)]
    scenes = [(scene, random) for random in randoms if (scene := drawn_lots(tray, random)) is not None]
    made = (laid_samples(scene, detector, strangers, 1, random) for scene, random in scenes)

    small = next(samples for samples in made if samples is not None and not samples.places.is_long)
    assert small.places.crops.shape[1:] == (CHANNELS, *SMALL_CROP)
    assert small.close is not None
    assert small.close.crops.shape[1:] == (CHANNELS, *SMALL_CROP)
    assert set(small.close.face) <= {-1, 0, 1}
    np.testing.assert_array_equal(small.close.face == 0, small.close.present == 0)
    assert (small.close.present == 0).any()
    assert (small.close.face != 0).sum() >= 8


def test_a_set_with_a_lot_on_its_edge_cannot_be_taught(tmp_path: Path, detector: Detector) -> None:
    """Its taught faces would be wrong."""
    odd = drawn_set(tmp_path, 2)
    odd.images("calibration_plain")[0]["objects"][0]["on_edge"] = True

    assert set_samples(odd, detector, Strangers(()), 0, np.random.default_rng(1)) is None


def test_files_hold_what_was_saved(samples: LotSamples, tmp_path: Path) -> None:
    """Sets of the other kind and validation sets are left out."""
    stored = tmp_path / "sticks"
    stored.mkdir()
    for name in ("r00001", "r00001-drawn", "r00003", "r00003-borrowed"):
        save(samples, stored / f"{name}.npz")

    files = sample_files(tmp_path, "sticks")

    assert [path.stem for path in files] == ["r00001", "r00001-drawn"]
    assert not sample_files(tmp_path, "small")
    assert {set_of(path).number for path in files} == {1}
    np.testing.assert_array_equal(load(files[1]).crops, samples.crops)


def test_lots_are_borrowed_within_a_fold() -> None:
    """Otherwise judges would learn the lots of the sets that are held out."""
    known = [RenderedSet(Path(), {"id": f"r{number:05d}"}) for number in range(100)]

    borrowed = [(task.one.number, task.other.number) for task in tasks_for(known) if task.origin == BORROWED]

    assert len(borrowed) == 100
    assert all(one % FOLDS == other % FOLDS for one, other in borrowed)
    assert sum(one != other for one, other in borrowed) > 80


def test_several_sets_may_be_laid_on_a_tray() -> None:
    """Each has a file of its own, and the first ones are those that are laid alone."""
    known = [RenderedSet(Path(), {"id": f"r{number:05d}"}) for number in (1, 6, 11, 16)]

    alone, laid = list(tasks_for(known)), list(tasks_for(known, laid=3))

    assert len({task.name for task in laid}) == len(laid) == len(known) * 7
    assert {task.name for task in alone} < {task.name for task in laid}
    assert {set_of(Path(f"{task.name}.npz")).number for task in laid} == {1, 6, 11, 16}


def test_sets_that_are_done_are_not_made_again(
    one: RenderedSet, samples: LotSamples, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither those with samples nor those that cannot be taught."""
    own, *laid = tasks_for([one])
    (tmp_path / "sticks").mkdir()
    save(samples, tmp_path / "sticks" / f"{own.name}.npz")
    for task in laid:
        (tmp_path / f"{task.name}.untaught").touch()

    make_samples([one], DETECTOR, tmp_path)

    assert capsys.readouterr().out == ""


@pytest.mark.slow
def test_missing_samples_are_made(one: RenderedSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line tells of each, and a file of each is left."""
    make_samples([one], DETECTOR, tmp_path)

    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "r00001",
        "r00001-drawn",
        "r00001-borrowed",
    ]
    made = [
        path
        for path in tmp_path.rglob("*")
        if path.suffix in {".npz", ".untaught"} and not path.parent.name.startswith("close")
    ]
    assert len(made) == 3

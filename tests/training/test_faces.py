"""The face matcher's weights are learnt across sets."""

from pathlib import Path

import numpy as np
import pytest

from hardware.reader.general.face_matcher import FaceMatcher, FaceWeights
from tests.training.drawn_set import drawn_set
from training.faces import SetFaces, fitted, learn_faces, save, set_faces


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> SetFaces:
    made = set_faces(drawn_set(tmp_path_factory.mktemp("sets")), np.random.default_rng(1))
    assert made is not None
    return made


def test_each_face_comes_with_several_errors_of_its_outline(faces: SetFaces) -> None:
    """Four lots of three throws appear twice each."""
    assert len(faces.marked) == len(faces.plain) == 4
    assert len(faces.thrown) == 24
    assert sum(face.sign for face in faces.thrown) == 2 * (5 - 7)


def test_learnt_weights_tell_the_faces(faces: SetFaces, tmp_path: Path) -> None:
    """The reader loads the weights exactly as they were learnt."""
    save(learn_faces([faces]), tmp_path / "faces.json")

    matcher = FaceMatcher(faces.marked, faces.plain, FaceWeights.load(tmp_path / "faces.json"))

    assert all(face.sign * matcher.odds(face.crop) > 1 for face in faces.thrown)
    assert min(matcher.leads()) > 1


def test_no_weight_is_negative() -> None:
    """A feature that misled in training is left out instead of being inverted."""
    random = np.random.default_rng(5)
    signs = np.where(random.random(200) < 0.5, 1.0, -1.0)
    rows = np.stack([signs + random.normal(0, 0.5, 200), -0.3 * signs, random.normal(0, 1, 200)], axis=1)

    learnt = fitted(rows, signs, np.ones(200))

    assert learnt[0] > 1
    assert learnt[1] == 0
    assert abs(learnt[2]) < 0.3

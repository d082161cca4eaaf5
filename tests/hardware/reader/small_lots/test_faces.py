"""Faces are recognized by their colours and patterns, in any plausible light."""

import cv2
import numpy as np
import pytest

from hardware.reader.small_lots.colours import logarithms
from hardware.reader.small_lots.faces import Appearance, SmallFaces

ORANGE, DARK = (30.0, 110.0, 210.0), (35.0, 34.0, 33.0)


def face(
    dot: float, *, at: tuple[int, int] = (33, 30), light: float = 1.0, gloss: float = 0.0, body: object = ORANGE
) -> Appearance:
    """A round lot of 30 pixels with a dot of ``dot`` pixels across, lit from the upper left."""
    y, x = np.mgrid[0:60, 0:60] - 29.5
    seen = np.broadcast_to(np.array(body, float), (60, 60, 3)) * (1 - 0.012 * (x + y))[..., None]
    picture = seen.copy()
    if dot:
        cv2.circle(picture, at, round(dot / 2), DARK, cv2.FILLED)
    picture += gloss * np.exp(-((x + 4) ** 2 + (y + 4) ** 2) / 20)[..., None]
    picture += np.random.default_rng(at[0]).normal(0, 2, picture.shape)
    mask = (np.hypot(x, y) < 15).astype(np.uint8)
    soft = cv2.GaussianBlur(picture * light, (0, 0), 0.8)
    return Appearance(logarithms(soft.astype(np.float32)), mask)


@pytest.fixture(scope="module")
def faces() -> SmallFaces:
    marked = [face(size, at=at) for size, at in ((11, (33, 30)), (9, (28, 33)), (10, (30, 27)), (12, (31, 31)))]
    return SmallFaces(marked, [face(0, at=(n, 30)) for n in (20, 21, 22, 23)], 30)


def test_taught_faces_are_told_by_each_other(faces: SmallFaces) -> None:
    """Each leads clearly when compared with the other seven."""
    assert len(faces.leads) == 8
    assert min(faces.leads) > 0.3


@pytest.mark.parametrize("gloss", [0.0, 60.0])
def test_dots_are_seen_wherever_they_are_and_gloss_is_none(faces: SmallFaces, gloss: float) -> None:
    """A dot in another place means marked; a highlight alone means plain."""
    marked, strange = faces.judge(face(10, at=(36, 34), gloss=gloss))
    plain, _ = faces.judge(face(0, gloss=gloss))

    assert marked > 0.4
    assert plain < -0.4
    assert strange < 1


def test_a_face_in_shade_is_judged_in_that_light(faces: SmallFaces) -> None:
    """Half the light makes an orange lot brown; the shade is estimated as well."""
    shade = np.full(3, np.log(0.5), np.float32)
    for dot, sign in ((10, 1), (0, -1)):
        dim = face(dot, light=0.5)
        lead, strange = faces.judge(Appearance(dim.colours, dim.mask, (np.zeros(3, np.float32), shade)))

        assert sign * lead > 0.4
        assert strange < 1


def test_a_thing_of_another_colour_is_strange(faces: SmallFaces) -> None:
    """It is a stranger whichever face is nearer."""
    assert faces.judge(face(0, body=(200.0, 60.0, 30.0)))[1] > 1


def test_faces_that_do_not_differ_do_not_lead() -> None:
    """Half of them are wrong, or all lead by next to nothing."""
    alike = [face(0, at=(n, 30)) for n in range(20, 28)]
    faces = SmallFaces(alike[:4], alike[4:], 30)

    assert float(np.median(faces.leads)) < 0.25

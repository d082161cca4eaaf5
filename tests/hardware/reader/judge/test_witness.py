"""Faces are as certain as the taught ones are."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.odds import LOTS
from hardware.reader.arrays import Floats
from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS
from hardware.reader.judge.lot_judge import FACE, MAKE
from hardware.reader.judge.witness import CERTAIN, Witness, colours
from tests.hardware.reader.judge.ideal_model import RELATION


def side(face: float, count: int = LOTS) -> Floats:
    """Descriptions of lots that show a face."""
    told = np.zeros((count, 5 + MAKE + FACE), np.float32)
    told[:, 5 + MAKE :] = face + np.linspace(0, 0.1, count)[:, None]
    return told


def test_a_face_is_as_certain_as_the_taught_ones_are() -> None:
    """1 is the least that counts; the sign is that of the marked side."""
    witness = Witness(side(3), side(0), RELATION)

    certain = witness.certainty(np.concatenate([side(3, 1), side(0, 1), side(1.55, 1)]))

    assert certain[0] > 1
    assert certain[1] < -1
    assert abs(certain[2]) < 1


def test_only_the_calibrations_faces_have_a_lead() -> None:
    """What was shown later is known, too, but stands for other light."""
    witness = Witness(np.concatenate([side(3), side(2, 2)]), side(0), RELATION)

    assert witness.leads.shape == (2 * LOTS,)
    assert witness.leads.min() > CERTAIN / 2


def test_a_face_is_as_strange_as_it_is_far_from_all_known_ones() -> None:
    """What was shown later is known as well."""
    witness = Witness(np.concatenate([side(3), side(7, 1)]), side(0), RELATION)

    strange = witness.judge.strangeness(np.concatenate([side(one, 1) for one in (3, -2, 5, 7.5)]))

    assert strange == pytest.approx(np.array([0, 2, 1.9, 0.5]) * np.sqrt(FACE), rel=1e-4)


def crop(spot: float) -> Floats:
    """A grey crop with a spot of another brightness in its middle, 0 to 1; none of 0.5."""
    made = np.zeros((CHANNELS, *WINDOWS[False, True].size), np.float32)
    made[:3, 15:21, 15:21] = spot - 0.5
    return made


def test_colours_tell_a_small_spot_wherever_it_lies() -> None:
    """What the rest of the crop shows does not count: there may be other lots."""
    plain, dark, bright = crop(0.5), crop(0.1), crop(0.9)
    aside, beside = np.roll(dark, (4, -4), axis=(1, 2)), np.roll(dark, 15, axis=1)

    told = colours(np.stack([plain, dark, aside, bright, beside]))

    assert told.shape == (5, 15)
    np.testing.assert_allclose(told[2], told[1], atol=1e-5)
    np.testing.assert_allclose(told[4], told[0], atol=1e-5)
    assert told[1, 0] < told[0, 0] < told[3, 4]
    np.testing.assert_allclose(told[:, 5:], 0, atol=1e-5)


def test_colours_of_no_lots_are_none() -> None:
    """A picture may show no lots."""
    assert colours(np.stack([crop(0.5)])[:0]).shape == (0, 15)

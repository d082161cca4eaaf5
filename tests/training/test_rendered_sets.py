"""Opening rendered sets by their labels."""

from pathlib import Path

import numpy as np
import pytest

from tests.training.drawn_set import COLUMNS, ROWS, drawn_set
from training.rendered_sets import RenderedSet, rendered_sets


def test_sets_come_in_order_of_name_with_pictures_and_masks(tmp_path: Path) -> None:
    """A resumed training sees the sets in the same order."""
    for number in (12, 5):
        drawn_set(tmp_path, number)

    found = list(rendered_sets([tmp_path]))

    assert [one.number for one in found] == [5, 12]
    throw = found[0].images("throw")[0]
    assert found[0].picture(throw["file"]).shape == (ROWS, COLUMNS, 3)
    np.testing.assert_array_equal(np.unique(found[0].mask(throw)), [0, 1, 2, 3, 4])


@pytest.mark.parametrize(("number", "validates"), [(3, True), (4, False), (119, True), (103, False)])
def test_validation_sets_are_chosen_by_number(number: int, validates: bool) -> None:
    """The choice is independent of the pictures."""
    assert RenderedSet(Path(), {"id": f"r{number:05d}"}).is_validation is validates


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    """An incompletely copied set is refused."""
    one = drawn_set(tmp_path)

    with pytest.raises(FileNotFoundError, match="t09"):
        one.picture("r00001/t09.jpg")

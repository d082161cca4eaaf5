"""At which size the network sees lots."""

import pytest

from hardware.reader.bars import Bar, Ends
from hardware.reader.detection.lot_shape import LotShape


@pytest.mark.parametrize(
    ("long", "width", "seen"),
    [(8, 6, 6), (8, 12.5, 10), (8, 28, 14), (8, 35, 14), (1, 10, 10), (1, 20, 14), (1, 40, 14)],
)
def test_no_lot_is_seen_wider_than_the_network_knows(long: float, width: float, seen: float) -> None:
    """A stick takes ten pixels and a small lot fourteen; those near the camera are not shrunk by more than needed."""
    shape = LotShape(Bar(0, 0, 0, long * width, width), Ends(1.0), long * width**2)

    assert shape.scale * width == pytest.approx(seen)

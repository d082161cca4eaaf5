"""The evaluation counts a reader's results on labelled throws."""

from collections.abc import Iterator
from pathlib import Path

from companion.errors import ProfileUnusable
from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from tests.training.drawn_set import drawn_set
from training.evaluation import Read, Table


def test_right_wrong_and_asked_are_counted_apart(tmp_path: Path) -> None:
    """Every misreading is listed."""
    answers: Iterator[ThrowSeen | ThrowUnreadable] = iter(
        [
            ThrowSeen(marked=2, confidence=1.0, lots=()),
            ThrowUnreadable(reason="touching"),
            ThrowSeen(marked=4, confidence=1.0, lots=()),
        ]
    )
    table = Table()

    table.add(drawn_set(tmp_path), lambda *_: lambda _: next(answers))

    assert table.counts["sticks", "apart"] == {"right": 1, "MISREAD": 1}
    assert table.counts["sticks", "touching or crossing"] == {"touching": 1}
    lines = list(table.lines())
    assert f"{'sticks, apart':42s}    2  50.0%: right 1, MISREAD 1" in lines
    assert lines[-1] == "r00001/t03.jpg: 4 read, 1 are up"


def test_what_disturbs_a_throw_is_counted_by_itself(tmp_path: Path) -> None:
    """Throws that nobody can read are right if they are asked about."""
    one = drawn_set(tmp_path)
    throws = one.images("throw")
    for image, mode in zip(throws, ("hand", "hand", "fifth"), strict=True):
        image.update(mode=mode, readable=mode == "hand")
    answers: Iterator[ThrowSeen | ThrowUnreadable] = iter(
        [
            ThrowUnreadable(reason="covered"),
            ThrowSeen(marked=throws[1]["count_marked_up"], confidence=1.0, lots=()),
            ThrowUnreadable(reason="count"),
        ]
    )
    table = Table()

    table.add(one, lambda *_: lambda _: next(answers))

    lines = list(table.lines())
    assert f"{'sticks, a hand':42s}    2  50.0%: covered 1, right 1" in lines
    assert f"{'sticks, a fifth lot, unreadable':42s}    1 100.0%: count 1" in lines


def test_a_refusal_to_be_taught_counts_against_all_throws(tmp_path: Path) -> None:
    """If the calibration is refused, every throw counts as untaught."""

    def refuse(*_: Pixels) -> Read:
        raise ProfileUnusable("too dark")

    table = Table()
    table.add(drawn_set(tmp_path), refuse)

    assert sum(outcomes["untaught"] for outcomes in table.counts.values()) == 3
    assert "  r00001: too dark" in table.lines()

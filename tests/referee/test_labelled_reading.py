"""The players' verdict on a reading is stored with it until it has been made into a case."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import Unknown
from companion.referee.events import (
    Confirmed,
    Event,
    Face,
    GameStarted,
    Lot,
    Picture,
    ThrowEntered,
    ThrowSeen,
    ThrowStepped,
    ThrowUnreadable,
    Undone,
)
from companion.referee.labelled_reading import LabelledReading, true_faces
from companion.referee.referee import Referee
from companion.storage.store import Store

START = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
PICTURE = Picture(jpeg=b"\xff\xd8a throw", width=640, height=480)
M, P, U = Face.MARKED, Face.PLAIN, Face.UNKNOWN


def lots(*faces: Face) -> tuple[Lot, ...]:
    return tuple(Lot(x=50.0 * n, y=60, angle=90, face=face, confidence=0.9) for n, face in enumerate(faces))


SEEN = ThrowSeen(marked=3, confidence=0.9, lots=lots(M, M, M, P), picture=PICTURE, sticks="Beans")
ASKED = ThrowUnreadable(reason="unclear", lots=lots(M, P, U, P), picture=PICTURE)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Referee]:
    """Ana has won the throw-off with counts entered by hand."""
    referee = Referee(Store(tmp_path), first=START)
    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    yield referee
    referee.close()


def labelled(referee: Referee, *events: Event) -> LabelledReading | None:
    for event in events:
        referee.submit(event)
    return referee.next_labelled_reading()


@pytest.mark.parametrize(
    ("events", "marked"),
    [
        ([SEEN, Confirmed()], 3),
        ([SEEN, ThrowEntered(2)], 2),
        ([SEEN, Confirmed(), ThrowEntered(2)], 2),
        ([SEEN, ThrowStepped(), Confirmed()], 4),
        ([SEEN, ThrowEntered(2), Undone(), Confirmed()], 3),
        ([ASKED, ThrowEntered(2)], 2),
        ([ASKED, ThrowStepped(), ThrowStepped(), Confirmed()], 2),
    ],
)
def test_the_count_that_was_accepted_is_the_readings_truth(table: Referee, events: list[Event], marked: int) -> None:
    """It may be confirmed, tapped or counted with the button; the last correction applies."""
    verdict = labelled(table, *events)

    assert verdict is not None
    assert (verdict.marked, verdict.jpeg) == (marked, PICTURE.jpeg)
    assert verdict.reading.lots == events[0].lots  # type: ignore[union-attr]  # each begins with a reading


@pytest.mark.parametrize("events", [[SEEN], [ASKED], [ThrowEntered(2)]])
def test_without_a_reading_or_a_word_of_the_players_nothing_is_known(table: Referee, events: list[Event]) -> None:
    """A reading nobody has accepted has no truth, and a count without a picture is no case."""
    assert labelled(table, *events) is None


def test_a_verdict_waits_until_it_is_dealt_with(table: Referee, tmp_path: Path) -> None:
    """It survives a restart, is removed when it is settled, and returns when the players change it."""
    first = labelled(table, SEEN, ThrowEntered(2))
    table.close()
    again = Referee(Store(tmp_path), first=START)
    kept = again.next_labelled_reading()
    assert kept == first
    assert kept is not None
    again.discard_labelled_reading(kept)
    settled = again.next_labelled_reading()
    changed = labelled(again, ThrowEntered(4))
    again.discard_labelled_reading(kept)

    assert settled is None
    assert changed is not None
    assert changed.marked == 4
    assert again.next_labelled_reading() == changed
    again.close()


def test_a_player_may_tell_each_face(table: Referee) -> None:
    """The faces are then stored with the count."""
    verdict = labelled(table, SEEN, ThrowEntered(2, (M, P, M, P)))

    assert verdict is not None
    assert verdict.faces == (M, P, M, P)


@pytest.mark.parametrize("faces", [(M, P, P, P), (M, M, P), (M, M, P, U)])
def test_faces_that_do_not_fit_are_refused(table: Referee, faces: tuple[Face, ...]) -> None:
    """There must be one for each lot, all known, with as many marked as the count says."""
    with pytest.raises(Unknown, match="do not match"):
        labelled(table, SEEN, ThrowEntered(2, faces))


@pytest.mark.parametrize(
    ("seen", "marked", "faces"),
    [
        ((M, P, P, P), 0, (P, P, P, P)),
        ((U, P, U, M), 4, (M, M, M, M)),
        ((M, M, U), 4, (M, M, M)),
        ((M, P, U, P), 1, (M, P, P, P)),
        ((M, U, U, P), 3, (M, M, M, P)),
        ((M, U, U, P), 2, (U, U, U, U)),
        ((M, M, M, P), 2, (U, U, U, U)),
        ((M, M, M, P), 3, (M, M, M, P)),
        ((M, U, P), 2, (U, U, U)),
        ((M, M, P, P, U), 0, (U, U, U, U, U)),
        ((), 4, ()),
    ],
)
def test_a_count_tells_faces_only_where_it_leaves_no_choice(
    seen: tuple[Face, ...], marked: int, faces: tuple[Face, ...]
) -> None:
    """None and four determine all faces; other counts determine the uncertain ones only if those must be equal."""
    assert true_faces(lots(*seen), marked) == faces

"""One entry point, one lock: order, durability before display, and waiting for the newest snapshot."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from companion.errors import NotAllowed
from companion.referee.events import (
    Confirmed,
    GameStarted,
    Picture,
    Resigned,
    ScoresReset,
    ThrowEntered,
    ThrowSeen,
    Undone,
)
from companion.referee.history.game_record import export_game, parse_record
from companion.referee.referee import Referee
from companion.rules.unit import Side
from companion.storage.store import Store

TWO_PEOPLE = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)


def test_restart_is_replay(tmp_path: Path) -> None:
    """After a power cut the table is the same, including its number, whatever the default game is now."""
    referee = Referee(Store(tmp_path), first=TWO_PEOPLE)
    picture = Picture(jpeg=b"jpeg", width=640, height=480)
    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    shown = referee.submit(ThrowSeen(marked=2, confidence=0.8, lots=(), picture=picture))
    referee.close()
    again = Referee(Store(tmp_path), first=GameStarted(variant="puluc-13", jade=("X",), obsidian=("Y",), seed=2))

    assert again.snapshot() == shown
    assert shown.throw is not None
    assert shown.throw.seen is not None
    assert shown.throw.seen.picture == f"/pictures/{shown.number}.jpg"
    assert again.picture(shown.number) == b"jpeg"
    assert again.picture(1) is None
    again.close()


def test_a_stale_tap_is_refused(begun: Referee) -> None:
    """A phone that saw an older table does not confirm the newer one."""
    seen = begun.snapshot().step
    begun.submit(ThrowSeen(marked=2, confidence=0.8, lots=()), seen=seen)

    with pytest.raises(NotAllowed, match="Someone was quicker"):
        begun.submit(Confirmed(), seen=seen)
    assert begun.snapshot().phase == "reading"


def test_waiting_ends_with_the_newest_only(begun: Referee) -> None:
    """A slow listener gets the present snapshot, not everything in between; without changes it gets None."""
    before = begun.snapshot()
    begun.submit(ThrowEntered(2))
    newest = begun.submit(Undone())

    assert begun.newer(before, timeout=0) == newest
    assert begun.newer(newest, timeout=0) is None


def test_a_waiting_listener_is_woken(begun: Referee) -> None:
    """An event wakes every waiting listener."""
    got = []
    before = begun.snapshot()
    waiting = threading.Thread(target=lambda: got.append(begun.newer(before, timeout=30)))
    waiting.start()
    shown = begun.submit(ThrowEntered(2))
    waiting.join(timeout=30)

    assert got == [shown]


def test_many_hands_at_once_lose_nothing(referee: Referee) -> None:
    """Events from many threads are numbered one after the other, without gaps."""
    first = referee.snapshot().number
    hands = [threading.Thread(target=lambda: [referee.submit(ThrowEntered(2)) for _ in range(20)]) for _ in range(5)]
    # 2 against 2 is a tie for ever, so every throw fits.
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()

    assert referee.snapshot().number == first + 100


def test_only_games_that_end_here_count(begun: Referee) -> None:
    """A record of a finished game adds nobody a win, however often it is brought; one that is finished here does."""
    unfinished = parse_record(export_game(begun.state()))
    begun.submit(Resigned(Side.OBSIDIAN))
    finished = parse_record(export_game(begun.state()))
    begun.submit(ScoresReset())
    begun.import_game(finished)
    begun.import_game(finished)

    assert begun.scores() == []
    begun.import_game(unfinished)
    begun.submit(Resigned(Side.JADE))
    assert [(score.one_wins, score.other_wins) for score in begun.scores()] == [(0, 1)]


def test_two_of_the_same_name_each_have_their_own_wins(referee: Referee) -> None:
    """Two Easies, or two Anas, are told apart by their sides."""
    for side in (Side.OBSIDIAN, Side.JADE, Side.JADE):
        referee.submit(replace(TWO_PEOPLE, obsidian=("Ana",), begins=Side.JADE))
        referee.submit(Resigned(side))

    assert [(score.one_wins, score.other_wins) for score in referee.scores()] == [(1, 2)]


def test_subscribers_get_every_change(begun: Referee) -> None:
    """They get them until they unsubscribe, and never a refused event."""
    received: list[int] = []
    enough = begun.subscribe(lambda: received.append(begun.snapshot().number))
    before = begun.snapshot().number
    begun.submit(ThrowEntered(3))
    with pytest.raises(NotAllowed):
        begun.submit(Confirmed(), seen=0)
    begun.submit(Undone())
    enough()
    begun.submit(ThrowEntered(3))

    assert received == [before + 1, before + 2]

"""One table in every language that somebody requests."""

from __future__ import annotations

from pathlib import Path

from companion.i18n import N_, _, use_language
from companion.referee.events import CameraChanged, CameraState, Confirmed, ThrowEntered
from companion.referee.history.review_queue import ReviewProgress, ReviewQueue
from companion.referee.referee import Referee
from companion.referee.snapshots.table_view import Snapshot
from companion.storage.store import Store
from tests.advice.material_adviser import MaterialAdviser
from tests.i18n.pseudo import PSEUDO, accented
from tests.referee.conftest import TWO_PEOPLE

READ = {"prompt", "confirm", "camera", "last", "moves", "rules", "players", "teams", "advice"}
"""Parts of a snapshot that people read, or that hold such."""


def _neutral(snapshot: Snapshot) -> dict[str, object]:
    return snapshot.model_dump(exclude=READ)


def test_every_language_tells_the_same(begun: Referee) -> None:
    """Only the text differs; the number, by which a page knows the newest snapshot, does not."""
    english = begun.snapshot()
    with use_language(PSEUDO):
        other = begun.snapshot()

        assert begun.snapshot() is other
    assert english.prompt == "Ana (Jade) to throw."
    assert other.prompt == f"Ana ({accented('Jade')}) {accented('to throw.')}"
    assert _neutral(other) == _neutral(english)


def test_another_language_is_not_newer(begun: Referee) -> None:
    """A snapshot in another language is not newer than the one already seen."""
    seen = begun.snapshot()
    with use_language(PSEUDO):
        assert begun.newer(seen, 0) is None

    begun.submit(ThrowEntered(3))
    with use_language(PSEUDO):
        newer = begun.newer(seen, 0)
        assert newer is not None
        assert newer is begun.snapshot()


def test_a_phone_changes_the_game_in_its_own_language_and_for_all(begun: Referee) -> None:
    """The sender gets the new snapshot in its language, everyone else in theirs."""
    with use_language(PSEUDO):
        answer = begun.submit(ThrowEntered(3))

    assert answer.prompt == f"Ana ({accented('Jade')}) {accented('moves')} 3."
    assert begun.snapshot().prompt == "Ana (Jade) moves 3."


def test_what_the_camera_says_is_read_in_every_language(tmp_path: Path) -> None:
    """The camera's thread reports in English; the text is translated for each reader, also after a restart."""
    message = N_("I don't know these sticks yet, so tap the counts. To teach me, open the menu.")
    referee = Referee(Store(tmp_path), first=TWO_PEOPLE)
    referee.submit(CameraChanged(state=CameraState.UNCALIBRATED, message=_(message)))
    with use_language(PSEUDO):
        assert referee.snapshot().camera.message == accented(message)
    referee.close()

    again = Referee(Store(tmp_path), first=TWO_PEOPLE)
    with use_language(PSEUDO):
        assert again.snapshot().camera.message == accented(message)
    assert again.snapshot().camera.message == message
    again.close()


def test_a_review_is_thought_out_once_and_told_in_each_language(begun: Referee) -> None:
    """A review is computed once and rendered once in each language."""
    for event in (ThrowEntered(3), Confirmed(), ThrowEntered(2), Confirmed()):
        begun.submit(event)
    reviews = ReviewQueue(lambda _rules, _marked: MaterialAdviser())
    reviews.ask(1, begun.state())
    while reviews.step(patience=0):
        pass

    english = reviews.ask(1, begun.state())
    with use_language(PSEUDO):
        other = reviews.ask(1, begun.state())
    assert not isinstance(english, ReviewProgress)
    assert not isinstance(other, ReviewProgress)
    assert other.certainty == accented(english.certainty)
    assert [turn.luck for turn in other.turns] == [turn.luck for turn in english.turns]

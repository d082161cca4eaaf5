"""Throws that players correct become cases, without delaying the game."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cases.case import Outcome, count
from companion.cases.case_collector import TRY_AGAIN_S, CaseCollector
from companion.referee.events import Confirmed, Event, Face, GameStarted, MoveChosen, ThrowEntered, ThrowSeen, Undone
from companion.referee.referee import Referee
from companion.storage.store import Store
from hardware.cameras.camera import Pixels
from hardware.cameras.picture_files import encode_picture, load_picture
from hardware.reader.throw_reader import ThrowReader
from tests.cases.labelled import School
from tests.hardware.reader.drawing import WORN, four, tray

START = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
UNCLEAR = tray(four(2), paint=WORN, noise=3)
"""Two marked lots, too worn to be read."""


class Evening:
    """A table and its case collector."""

    def __init__(self, data: Path) -> None:
        self.referee = Referee(Store(data), first=START)
        self.now = 0.0
        self.school = School(data)
        self.folder = self.school.folder
        self.keeper = CaseCollector(self.referee, self.folder, source=self.school.reader.source, clock=lambda: self.now)

    def see(self, pixels: Pixels, *, sticks: str = "Drawn") -> None:
        """Let the watcher read that picture."""
        reading = self.school.reader.read(pixels)
        if isinstance(reading, ThrowSeen):
            reading = replace(reading, sticks=sticks)
        self.referee.submit(replace(reading, picture=encode_picture(pixels)))

    def happen(self, *events: Event) -> None:
        for event in events:
            self.referee.submit(event)


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    opened = Evening(tmp_path)
    opened.happen(ThrowEntered(4), ThrowEntered(1))
    yield opened
    opened.referee.close()


def test_a_throw_the_reader_asked_about_becomes_a_case(evening: Evening) -> None:
    """It has the picture, the detected lots, the tapped count, and the faces as far as the count determines them."""
    evening.see(UNCLEAR)
    before = evening.keeper.step()
    evening.happen(ThrowEntered(2))

    assert not before
    assert evening.keeper.step()
    assert not evening.keeper.step()
    [case] = evening.folder.all()
    assert (case.read, case.reason, case.marked, case.outcome) == (None, "unclear", 2, Outcome.ASKED)
    assert sorted(case.faces) == [Face.MARKED, Face.MARKED, Face.PLAIN, Face.PLAIN]
    assert (case.sticks, case.calibration) == ("Drawn", evening.school.reader.calibration)
    np.testing.assert_array_equal(cv2.imread(str(evening.folder.picture(case))), UNCLEAR)


def test_a_corrected_reading_becomes_a_case_and_is_updated(evening: Evening) -> None:
    """A second correction updates the count; undo restores the first; a confirmation marks the reading as right."""
    evening.see(tray(four(2), noise=3))
    outcomes = []
    for events in ([ThrowEntered(3)], [ThrowEntered(0)], [Undone()], [Undone(), Confirmed()]):
        evening.happen(*events)
        assert evening.keeper.step()
        [case] = evening.folder.all()
        outcomes.append((case.read, case.marked, case.outcome, set(case.faces)))

    assert outcomes == [
        (2, 3, Outcome.MISREAD, {Face.UNKNOWN}),
        (2, 0, Outcome.MISREAD, {Face.PLAIN}),
        (2, 3, Outcome.MISREAD, {Face.UNKNOWN}),
        (2, 2, Outcome.RIGHT, {Face.MARKED, Face.PLAIN}),
    ]


def test_some_correct_readings_are_kept(evening: Evening) -> None:
    """Learning must not break them; one a minute is enough, because consecutive throws look alike."""
    for marked, events in ((2, [Confirmed(), MoveChosen(None, 2)]), (3, [Confirmed()])):
        evening.see(tray(four(marked), noise=marked))
        evening.happen(*events)
        assert evening.keeper.step()

    assert [case.marked for case in evening.folder.all()] == [2]


def test_a_full_disk_does_not_stop_the_game(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    """The throw counts, the log reports it once, and the case is stored when there is room again."""
    evening.see(UNCLEAR)
    evening.folder.path.write_bytes(b"no folder can be made here")
    evening.happen(ThrowEntered(2))
    with caplog.at_level(logging.WARNING):
        steps = [evening.keeper.step() for _ in range(3)]
    phase = evening.referee.state().phase
    evening.folder.path.unlink()
    evening.now += TRY_AGAIN_S

    assert steps == [False] * 3
    assert len(caplog.records) == 1
    assert phase == "move"
    assert evening.keeper.step()
    assert [case.marked for case in evening.folder.all()] == [2]


def test_a_kill_before_writing_loses_no_case(evening: Evening, tmp_path: Path) -> None:
    """After a restart a verdict becomes a case, with the picture stored with the games and the same reading."""
    evening.see(UNCLEAR)
    evening.happen(ThrowEntered(2))
    evening.referee.close()
    again = Evening(tmp_path)

    assert again.keeper.step()
    [case] = again.folder.all()
    reread = ThrowReader(again.school.profile).read(load_picture(again.folder.picture(case)))
    assert case.picture == "picture.jpg"
    assert (reread.lots[0].face, len(reread.lots)) == (case.lots[0].face, len(case.lots))
    again.referee.close()


def test_throws_of_another_set_are_not_collected(evening: Evening) -> None:
    """After a restart with other sticks, unread throws of the old set are skipped."""
    evening.see(tray(four(2), noise=3), sticks="Others")
    evening.happen(ThrowEntered(3))

    assert evening.keeper.step()
    assert evening.folder.all() == []


@pytest.mark.parametrize("name", ["d03", "d11"])
def test_the_jpeg_that_the_games_keep_is_read_alike(tmp_path: Path, name: str) -> None:
    """After a power cut before a case was written, the JPEG is all that is left of the picture."""
    home = Path(__file__).parents[1] / "data" / "throws" / name
    reader = ThrowReader.calibrate(*(load_picture(home / f"{n}.jpg") for n in ("empty", "cal_marked", "cal_plain")))
    for path in sorted(home.glob("t*.jpg")):
        picture = load_picture(path)
        (tmp_path / "kept.jpg").write_bytes(encode_picture(picture).jpeg)
        first, again = reader.read(picture), reader.read(load_picture(tmp_path / "kept.jpg"))

        assert count(again) == count(first)
        assert [lot.face for lot in again.lots] == [lot.face for lot in first.lots]

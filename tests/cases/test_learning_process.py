"""Learning runs in its own process, which pauses for the game."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent

import pytest

from companion.cases.case import Outcome, count, outcome
from companion.cases.learning_process import GO, WAIT, LearningProcess, learning_command
from companion.cases.training_record import TrainingRecord
from tests.cases.labelled import School
from tests.hardware.reader.drawing import WORN, four, tray

WORN_THROW = tray(four(3), paint=WORN, noise=70)


class Classroom(School):
    """A table's learner, and its state."""

    def __init__(self, data: Path) -> None:
        super().__init__(data)
        self.calm, self.words = True, 0
        self.learner = LearningProcess(
            self.folder,
            calibration=lambda: self.reader.calibration,
            calm=lambda: self.calm,
            words=self.begin,
            adopt=self.reader.reload,
        )

    def begin(self, calibration: str) -> list[str]:
        self.words += 1
        return learning_command(self.data, calibration)

    def outcome_of(self) -> Outcome:
        return outcome(count(self.reader.read(WORN_THROW)), 3)

    def learn(self) -> None:
        """Start learning, wait for the process, and apply its result."""
        self.learner.step()
        assert self.learner._process is not None
        self.learner._process.wait(120)
        self.learner.step()
        self.learner.step()


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Classroom]:
    opened = Classroom(tmp_path)
    yield opened
    opened.learner.close()


def test_a_case_makes_the_reader_better_in_mid_game(room: Classroom) -> None:
    """Learning starts automatically, once, and its result is used for readings from then on."""
    room.learner.step()
    room.tell(tray(four(2), paint=WORN, noise=3), 2)
    room.learner.wake()

    assert room.outcome_of() is Outcome.ASKED
    room.learn()
    assert room.outcome_of() is Outcome.RIGHT
    room.learner.step()
    assert room.words == 1


def test_forgetting_the_case_reverts_the_reader(room: Classroom) -> None:
    """The next learning run drops what the forgotten case had taught."""
    case = room.tell(tray(four(2), paint=WORN, noise=3), 2)
    room.learn()
    before = room.outcome_of()
    room.folder.forget([case.id])
    room.learn()

    assert (before, room.outcome_of()) == (Outcome.RIGHT, Outcome.ASKED)
    assert TrainingRecord.of(room.place).taught == {}


def test_nothing_begins_while_a_throw_moves(room: Classroom) -> None:
    """It starts only while nothing moves."""
    room.calm = False
    room.tell(tray(four(2), paint=WORN, noise=3), 2)
    for _ in range(5):
        room.learner.step()
    disturbed = room.words
    room.calm = True
    room.learner.step()

    assert (disturbed, room.words) == (0, 1)


def test_the_process_can_be_paused_and_ends_with_its_input() -> None:
    """A throw never waits for it, and a killed companion leaves no process running."""
    script = """
        from companion.commands.learning import beside_a_game
        calm = beside_a_game()
        while calm.__self__.is_set():
            pass
        print("held", flush=True)
        calm()
        print("goes on", flush=True)
        calm.__self__.clear()
        calm()
    """
    words = [sys.executable, "-c", dedent(script)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        lines = []
        for word in (WAIT, GO):
            process.stdin.write(word)
            process.stdin.flush()
            lines.append(process.stdout.readline().strip())
        process.stdin.close()
        status = process.wait(60)

    assert lines == [b"held", b"goes on"]
    assert status == 0


def test_a_failed_learner_does_not_end_the_game(room: Classroom, caplog: pytest.LogCaptureFixture) -> None:
    """The failure is logged, and learning is not retried for the same cases."""
    room.learner = LearningProcess(
        room.folder,
        calibration=lambda: room.reader.calibration,
        calm=lambda: True,
        words=lambda _: [sys.executable, "-c", "raise SystemExit(3)"],
        adopt=room.reader.reload,
    )
    room.tell(tray(four(2), paint=WORN, noise=3), 2)
    room.learn()

    assert "status 3" in caplog.text
    assert room.learner._process is None
    assert room.outcome_of() is Outcome.ASKED

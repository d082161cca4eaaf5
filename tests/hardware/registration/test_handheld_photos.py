"""Single photographs of the printed sheet, held by hand: straightened, read, and each counted once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from companion.calibration.mailbox import Mailbox
from companion.calibration.session import Stage, StartCalibration
from companion.phone_camera.mailbox import Mode, PhoneMailbox
from companion.printing.tray_plan import PAPERS
from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowEntered, ThrowSeen
from companion.referee.game_state import Phase
from companion.referee.referee import Referee
from companion.storage.store import Store
from hardware.cameras.camera import Pixels
from hardware.reader.throw_reader import ThrowReader
from hardware.registration.handheld_photos import NO_SHEET, PhotoCamera, straightened
from hardware.tracking.calibrator import Calibrator
from hardware.tracking.settling import SettlingDetector
from hardware.tracking.throw_watcher import ThrowWatcher
from tests.hardware.cameras.fake_clock import FakeClock
from tests.phone_camera.answering_phone import jpeg_of
from tests.printing.printed import four, laid, overhead, printed, seen

HELD: tuple[dict[str, object], ...] = (
    {"tilt": (14, -9), "turn": 8.0, "aside": (10, -6), "scale": 3.2},
    {"tilt": (-8, 12), "turn": -15.0, "aside": (-8, 5), "scale": 3.4},
    {"tilt": (3, 2), "turn": 170.0, "scale": 3.6},
)
"""How a hand may hold the phone: tilted, turned, to the side, and closer or farther each time."""


def photograph(marked: int | None, hand: int) -> Pixels:
    """A photograph of four sticks on the sheet, or of the empty one."""
    paper = printed() if marked is None else laid(printed(), four(marked))
    return seen(paper, overhead(PAPERS["a4"], **HELD[hand % len(HELD)]), noise=hand)  # type: ignore[arg-type]


@cache
def reader() -> ThrowReader:
    """A reader that was taught by three photographs, each held in another way."""
    pictures = [straightened(photograph(marked, hand)) for hand, marked in enumerate((None, 4, 0))]
    assert all(one is not None for one in pictures)
    return ThrowReader.calibrate(*pictures)  # type: ignore[arg-type]


@pytest.mark.parametrize(("marked", "hand"), [(1, 1), (3, 2), (2, 0)])
def test_a_hand_held_photograph_is_read(marked: int, hand: int) -> None:
    """As if a fixed camera had taken it."""
    straight = straightened(photograph(marked, hand))
    assert straight is not None
    reading = reader().read(straight)

    assert isinstance(reading, ThrowSeen)
    assert reading.marked == marked


def test_each_photograph_is_a_step_of_teaching() -> None:
    """No tap is needed; one from before, or without the four squares, is none."""
    clock = FakeClock()
    phone, lessons = PhoneMailbox(clock=clock), Mailbox(clock=clock)
    page = phone.open_page(Mode.PHOTOS)
    phone.photograph(page, jpeg_of(photograph(2, 0)))
    lessons.submit(StartCalibration("Popsicle sticks"))
    camera = PhotoCamera(phone, taken=lessons.photograph_taken, clock=clock, sleep=clock.sleep)
    calibrator = Calibrator(lessons, detector=lambda _empty: SettlingDetector())

    def reached(steps: int = 12) -> Stage:
        before = lessons.state().stage
        while steps and lessons.state().stage is before:
            calibrator.step(camera)
            steps -= 1
        return lessons.state().stage

    stages = [reached()]
    phone.photograph(page, jpeg_of(photograph(None, 1)[:, 400:]))
    stages.append(reached())
    for hand, marked in enumerate((None, 4)):
        phone.photograph(page, jpeg_of(photograph(marked, hand)))
        stages.append(reached(30))

    assert stages == [Stage.EMPTY, Stage.EMPTY, Stage.MARKED, Stage.PLAIN]


def test_each_photograph_is_one_throw(tmp_path: Path) -> None:
    """The same throw photographed twice counts once; without the four squares the phone says what is missing."""
    clock = FakeClock()
    mailbox = PhoneMailbox(clock=clock)
    page = mailbox.open_page(Mode.PHOTOS)
    referee = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1))
    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    watcher = ThrowWatcher(
        open_camera=lambda: PhotoCamera(mailbox, clock=clock, sleep=clock.sleep),
        reader=reader(),
        detector=SettlingDetector,
        table=referee.state,
        submit=referee.submit,
        clock=clock,
        pause=clock.sleep,
    )

    def take(picture: Pixels) -> tuple[Phase, int | None]:
        mailbox.photograph(page, jpeg_of(picture))
        for _ in range(30):
            watcher.step()
        state = referee.state()
        return state.phase, state.throw.marked if state.throw else None

    for _ in range(5):
        watcher.step()
    first = take(photograph(2, 1))
    referee.submit(Confirmed())
    referee.submit(MoveChosen(None, 2))
    again = take(photograph(2, 2))
    blind = take(photograph(3, 0)[:, 400:])
    hints = mailbox.hints
    watcher.close()
    referee.close()

    assert first == (Phase.READING, 2)
    assert again == (Phase.THROW, None)
    assert blind == (Phase.THROW, None)
    assert hints == (NO_SHEET,)

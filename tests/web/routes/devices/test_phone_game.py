"""A game read from the pictures of a phone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from companion.calibration.session import NO_CAMERA, NoCalibration
from companion.phone_camera.mailbox import PhoneMailbox, Wanted
from companion.phone_camera.pairing import PhonePairing
from companion.referee.events import Confirmed, GameStarted, MoveChosen, Passed, ThrowEntered
from companion.referee.game_state import Phase
from companion.referee.referee import Referee
from companion.storage.store import Store
from hardware.cameras.camera import Pixels
from hardware.cameras.phone_camera import PhoneCamera
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.settling import SettlingDetector
from hardware.tracking.throw_watcher import ThrowWatcher
from tests.hardware.reader.drawing import Stick, calibration, four, tray
from tests.phone_camera.answering_phone import jpeg_of
from tests.web.conftest import CODE
from tests.web.routes.devices.phone import open_page, send
from web.app import create_app
from web.routes.devices.phone_link import PhoneLink

SMALLEST = {"pieces": "1", "spaces": "5"}
WINNING = (2, 1, 4, 3, 2)
"""Throws that end the smallest game if the first legal move is played each time."""


class Tray:
    """A tray with drawn sticks and a hand, as a phone over it sees it."""

    def __init__(self) -> None:
        self.sticks: list[Stick] = []
        self.hand: tuple[int, int] | None = None
        self.number = 0

    def picture(self, _wanted: Wanted) -> Pixels:
        """The next picture, with noise of its own."""
        self.number += 1
        return tray(self.sticks, hand=self.hand, noise=self.number)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[tuple[Referee, Tray, ThrowWatcher]]:
    """A table whose camera is a phone that sends its pictures to the page's addresses, on a thread of its own."""
    referee = Referee(
        Store(tmp_path),
        first=GameStarted(variant="puluc", changes=SMALLEST, jade=("Ana",), obsidian=("Beto",), seed=1),
    )
    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    over = Tray()
    # Time passes by the picture, ten a second, however busy the computer is.
    mailbox = PhoneMailbox(clock=lambda: over.number / 10)
    link = PhoneLink(mailbox=mailbox, pairing=PhonePairing(None, clock=time.monotonic), hold_s=0.05, pictures_per_s=1e6)
    app = create_app(referee, code=CODE, phones=(link,), calibration=NoCalibration(NO_CAMERA))
    phone, ended = app.test_client(), Event()
    phone.post("/camera/phone", data={"ticket": link.pairing.ticket()})
    page = open_page(phone)

    def run() -> None:
        now: dict[str, object] = {"wanted": "nothing", "number": 0}
        while not ended.is_set():
            wanted = Wanted(str(now["wanted"]))
            jpeg = b"" if wanted is Wanted.NOTHING else jpeg_of(over.picture(wanted))
            status, now = send(phone, "picture", jpeg, page=page, number=now["number"])
            assert status == 200, now

    thread = Thread(target=run)
    thread.start()
    profile = ThrowReader.calibrate(*calibration()).profile
    watcher = ThrowWatcher(
        open_camera=lambda: PhoneCamera(mailbox),
        reader=ThrowReader(profile),
        detector=lambda: SettlingDetector(profile.empty),
        table=referee.state,
        submit=referee.submit,
        clock=lambda: over.number / 10,
        pause=lambda _: None,
    )
    yield referee, over, watcher
    ended.set()
    thread.join(10)
    watcher.close()
    referee.close()


def until(watcher: ThrowWatcher, reached: Callable[[], bool], steps: int = 300) -> None:
    """Step until it is so. Raises AssertionError if it never is."""
    for _ in range(steps):
        if reached():
            return
        watcher.step()
    raise AssertionError("it did not happen")


def elsewhere(marked: int) -> list[Stick]:
    """The same count in another place."""
    return [Stick(stick.x, 460 - stick.y, 70 - stick.turn, stick.marked) for stick in four(marked)]


def test_a_whole_game_with_a_phone_as_the_camera(watched: tuple[Referee, Tray, ThrowWatcher]) -> None:
    """Every throw that lies before the phone is counted once, and right, until the game is won."""
    referee, over, watcher = watched
    counted: list[int] = []

    def see(pictures: int) -> None:
        start = over.number
        until(watcher, lambda: over.number >= start + pictures)

    see(5)
    for number, marked in enumerate(WINNING):
        over.sticks, over.hand = [], (300, 200)
        see(3)
        over.sticks, over.hand = (four if number % 2 else elsewhere)(marked), None
        until(watcher, lambda: referee.state().phase is Phase.READING)
        reading = referee.state().throw
        counted.append(reading.marked if reading else -1)
        referee.submit(Confirmed())
        while referee.state().phase is Phase.MOVE:
            steps = referee.state().steps()
            move = steps[0].move if steps else None
            referee.submit(MoveChosen(move.start, move.to) if move else Passed())

    assert counted == list(WINNING)
    assert referee.state().phase is Phase.OVER

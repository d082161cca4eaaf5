"""The camera's worker, between the game it watches and the phone that teaches it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.calibration import Begun, Busy, Judged, Stage, State, Stopped, WentOn
from companion.calibration_desk import Desk
from companion.errors import CameraLost, ProfileUnusable
from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.store import Store
from companion.window import LOOKED_S, Window
from hardware.calibrating import Calibrating, Learned
from hardware.camera import Camera
from hardware.eye import RETRY_S, Eye, glance
from hardware.locked_controls import LockedControls
from hardware.profile import Profile, calibrate
from hardware.settling import Settling
from hardware.throw_reader import ThrowReader
from hardware.watcher import Watcher
from tests.hardware.drawing import calibration, four, tray
from tests.hardware.person import LockingPerson, Person

PICTURES = calibration()
OLD = replace(calibrate(*PICTURES), name="Old")
HELD = LockedControls(exposure_us=500)


class Bench:
    """An eye at work for a person at a table where Ana is to throw."""

    def __init__(self, folder: Path, person: Person, profile: Profile | None) -> None:
        self.person, self.opened, self.kept, self.readers = person, list[LockedControls | None](), list[Learned](), 0
        self.full = False
        self.referee = Referee(
            Store(folder), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("B",), seed=1)
        )
        for marked in (4, 1):
            self.referee.submit(ThrowEntered(marked))
        self.desk = Desk(clock=person.clock, sticks="Old")
        self.window = Window(clock=person.clock)
        self.eye = Eye(
            open_camera=self._open,
            camera=None,
            watch=self._watch,
            teaching=Calibrating(self.desk, settling=Settling),
            keep=self._keep,
            tell=self.referee.submit,
            clock=person.clock,
            pause=self._pause,
            profile=profile,
            held=HELD,
            window=self.window,
        )

    def _open(self, held: LockedControls | None) -> Camera:
        if self.person.lost:
            raise CameraLost("The camera is unplugged.")
        self.opened.append(held)
        return self.person

    def _watch(self, profile: Profile, take_over: Callable[[], Camera]) -> Watcher:
        self.readers += 1
        return Watcher(
            open_camera=take_over,
            reader=ThrowReader(profile),
            settling=lambda: Settling(profile.empty),
            table=self.referee.table,
            submit=self.referee.submit,
            clock=self.person.clock,
            pause=self._pause,
            sticks=profile.sticks,
            glance=partial(glance, self.window),
        )

    def _keep(self, learned: Learned) -> None:
        if self.full:
            raise ProfileUnusable("The disk is full.")
        self.kept.append(learned)

    def _pause(self, seconds: float) -> None:
        self.person.now += seconds

    def step(self, times: int = 1) -> None:
        for _ in range(times):
            self.eye.step()

    def until(self, wanted: Callable[[State], Any]) -> State:
        for _ in range(150):
            if wanted(self.desk.state()):
                return self.desk.state()
            self.step()
        raise AssertionError(self.desk.state())

    def teach(self) -> None:
        """Everything up to the end, each throw read right."""
        self.desk.submit(Begun("New"))
        self.until(lambda state: state.busy is None)
        for picture in PICTURES:
            self.person.put(picture)
            self.desk.submit(WentOn())
            self.until(lambda state: state.busy is None)
        for marked in (3, 0, 2):
            self.person.put(tray(four(marked), noise=4 + marked))
            self.until(lambda state: state.stage is Stage.SHOWN)
            self.desk.submit(Judged(True))


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[Person, Profile | None], Bench]]:
    benches: list[Bench] = []

    def build(person: Person, profile: Profile | None) -> Bench:
        benches.append(Bench(tmp_path, person, profile))
        return benches[-1]

    yield build
    for bench in benches:
        bench.eye.close()
        bench.referee.close()


Make = Callable[[Person, Profile | None], Bench]


def test_what_is_learnt_reads_the_next_throw(make: Make) -> None:
    """At once, through the camera as it was held; the game goes on where it was, and knows the new sticks' name."""
    bench = make(LockingPerson(), OLD)
    bench.step(3)
    before = bench.referee.table()
    bench.teach()
    during = bench.referee.table()
    bench.until(lambda state: state.stage is Stage.DONE)
    bench.step(3)
    bench.person.put(tray(four(1), noise=9))
    bench.step(15)
    table = bench.referee.table()

    assert during.camera.state == "uncalibrated"
    assert (during.position, during.step) == (before.position, before.step)
    assert [learned.profile.name for learned in bench.kept] == ["New"]
    assert bench.kept[0].held == LockedControls(exposure_us=9000)
    assert table.throw is not None
    assert (table.throw.marked, table.throw.sticks) == (1, "New")
    # The watcher's camera served the calibration, and the calibration's the new watcher.
    assert bench.opened == [HELD]


def test_stopping_brings_back_what_was(make: Make) -> None:
    """The camera is set as the old profile needs it, and the game is watched again."""
    bench = make(LockingPerson(), OLD)
    bench.step(3)
    bench.desk.submit(Begun())
    bench.until(lambda state: state.busy is None)
    bench.desk.submit(Stopped())
    bench.step(3)
    bench.person.put(tray(four(2), noise=9))
    bench.step(15)
    table = bench.referee.table()

    assert bench.opened == [HELD, HELD]
    assert bench.kept == []
    assert table.throw is not None
    assert (table.throw.marked, table.throw.sticks) == (2, "Old")


def test_a_table_without_a_profile_waits_to_be_taught(make: Make) -> None:
    """Counts are tapped, the camera stays closed until somebody teaches it, and then it reads."""
    bench = make(Person(), None)
    bench.step(3)
    told = bench.referee.table().camera
    assert bench.opened == []
    bench.teach()
    bench.until(lambda state: state.stage is Stage.DONE)
    bench.step(10)

    assert told.state == "uncalibrated"
    assert "menu" in told.message
    assert bench.referee.table().camera.state == "watching"


def test_stopping_the_first_calibration_leaves_counts_to_be_tapped(make: Make) -> None:
    """As if it had never begun, the camera closed again."""
    bench = make(Person(), None)
    bench.desk.submit(Begun())
    bench.until(lambda state: state.busy is None)
    bench.desk.submit(Stopped())
    bench.step(2)

    assert bench.person.done == ["close"]
    assert "does not know these sticks" in bench.referee.table().camera.message


def test_a_camera_lost_on_the_way_is_sought_and_the_step_goes_on(make: Make) -> None:
    """The pictures before it stay; opened again, it is held as it was."""
    bench = make(LockingPerson(), OLD)
    bench.desk.submit(Begun())
    bench.until(lambda state: state.busy is None)
    bench.desk.submit(WentOn())
    bench.until(lambda state: state.stage is Stage.MARKED)
    bench.person.lost = True
    lost = bench.until(lambda state: state.busy is Busy.LOST)
    bench.step(3)
    bench.person.lost = False
    bench.person.now += RETRY_S
    back = bench.until(lambda state: state.busy is None)

    assert (lost.stage, back.stage) == (Stage.MARKED, Stage.MARKED)
    assert bench.opened[-1] == LockedControls(exposure_us=9000)
    bench.person.put(PICTURES[1])
    bench.desk.submit(WentOn())
    assert bench.until(lambda state: state.stage is Stage.PLAIN).problem == ""


def test_a_full_disk_is_said_and_can_be_tried_again(make: Make) -> None:
    """What cannot be written down is not used either; with room it is one tap more."""
    bench = make(Person(), OLD)
    bench.step(3)
    bench.full = True
    bench.teach()
    refused = bench.until(lambda state: state.stage is Stage.DOUBT)
    readers = bench.readers
    bench.full = False
    bench.desk.submit(WentOn())
    bench.until(lambda state: state.stage is Stage.DONE)
    bench.step()

    assert refused.problem == "The disk is full."
    assert readers == 1
    assert bench.readers == 2
    assert len(bench.kept) == 1


def test_who_looks_sees_the_tray_that_is_watched(make: Make) -> None:
    """A picture comes while somebody looks, and none where nobody does."""
    bench = make(Person(), OLD)
    bench.step(3)
    unasked = bench.window.picture()
    bench.step()
    asked = bench.window.picture()
    bench.person.now += LOOKED_S + 1
    bench.step()
    late = bench.window.picture()

    assert unasked is None
    assert asked is not None
    assert asked.startswith(b"\xff\xd8")
    assert late is None


def test_a_camera_can_be_aimed_before_it_is_taught(make: Make) -> None:
    """It is opened for who looks, and let go when nobody does any more; unplugged it is tried again."""
    bench = make(Person(), None)
    bench.step(2)
    bench.person.lost = True
    bench.window.picture()
    bench.step(2)
    lost = bench.window.picture()
    bench.person.lost = False
    bench.person.now += RETRY_S
    bench.step()
    found = bench.window.picture()
    bench.person.now += LOOKED_S + 1
    bench.step()

    assert lost is None
    assert found is not None
    assert bench.opened == [HELD]
    assert bench.person.done == ["close"]

"""Fixtures of the hardware's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import CameraLost
from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.storage.store import Store
from hardware.cameras.camera import Camera
from hardware.tracking.throw_watcher import ThrowWatcher
from tests.hardware.tracking.watcher_bench import MakeBench, TrayScript, WatcherBench


@pytest.fixture
def make(tmp_path: Path) -> Iterator[MakeBench]:
    """Make benches on a script, in a game in which Ana is to throw."""
    referee = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1))
    benches: list[WatcherBench] = []

    def build(script: TrayScript) -> WatcherBench:
        def open_camera() -> Camera:
            if script.lost:
                raise CameraLost("The camera is unplugged.")
            script.opened += 1
            return script

        watcher = ThrowWatcher(
            open_camera=open_camera,
            reader=script,
            detector=lambda: script,
            table=referee.state,
            submit=referee.submit,
            clock=lambda: script.now,
            pause=script.pauses.append,
        )
        benches.append(WatcherBench(script, watcher, referee))
        return benches[-1]

    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    yield build
    for bench in benches:
        bench.watcher.close()
        assert bench.script.opened == 0
    referee.close()

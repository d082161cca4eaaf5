"""What several tests of the hardware start from."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import CameraLost
from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.store import Store
from hardware.camera import Camera
from hardware.watcher import Watcher
from tests.hardware.watching import Bench, Make, Script


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Builds a bench on a script; Ana is to throw in a game begun."""
    referee = Referee(Store(tmp_path), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1))
    benches: list[Bench] = []

    def build(script: Script) -> Bench:
        def open_camera() -> Camera:
            if script.lost:
                raise CameraLost("The camera is unplugged.")
            script.opened += 1
            return script

        watcher = Watcher(
            open_camera=open_camera,
            reader=script,
            settling=lambda: script,  # type: ignore[arg-type, return-value]  # one script plays both parts
            table=referee.table,
            submit=referee.submit,
            clock=lambda: script.now,
            pause=script.pauses.append,
        )
        benches.append(Bench(script, watcher, referee))
        return benches[-1]

    for marked in (4, 1):
        referee.submit(ThrowEntered(marked))
    yield build
    for bench in benches:
        bench.watcher.close()
        assert bench.script.opened == 0
    referee.close()

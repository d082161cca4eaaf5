"""Watch a table for memory and thread leaks for hours: ``python -m tests.bench.long_run OUT.csv [--minutes 120]``.

The simulated camera runs at ten frames a second, phones come and go, and a player taps and presses buttons. The
companion's memory, threads, open files and frames are written to OUT.csv at intervals; ``--tell OUT.csv`` summarises
the file.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

import argparse
import csv
import http.client
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import numpy as np

from tests.service.companion_process import CompanionProcess, Table, running_companion

SAMPLE_S = 15.0
"""Seconds between two samples. A lower value draws a finer curve and disturbs the measurement."""
LOOK_S = 0.25
"""Seconds between two actions of the simulated player."""
WARM_S = 600.0
"""Seconds of warm-up that the slope ignores, while caches fill."""
PHONES = 3
PAGES = ("/", "/chances", "/games", "/scores", "/sticks", "/rules", "/api/games", "/api/variants")


def main() -> None:
    """Run, or summarise a run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--fps", type=float, default=10)
    parser.add_argument("--tell", action="store_true", help="only sum up what is in that file")
    chosen = parser.parse_args()
    if not chosen.tell:
        soak(chosen.out, chosen.minutes * 60, chosen.fps)
    tell(chosen.out)


def soak(out: Path, seconds: float, fps: float) -> None:
    """Play and measure for ``minutes``."""
    with tempfile.TemporaryDirectory() as place:
        frames = Path(place) / "frames"
        program = ("tests.service.instrumented_companion", "--fps", str(fps), "--frames", str(frames))
        options = ("--camera", "simulated", "--buttons", "mock", "--open", "--obsidian", "easy")
        # Its log would fill a pipe that nobody reads.
        with running_companion(Path(place) / "data", *options, program=program) as companion:
            assert companion.process.stderr is not None
            threading.Thread(target=companion.process.stderr.read, daemon=True).start()
            stop = threading.Event()
            workers = [threading.Thread(target=listen, args=(companion, stop, seed)) for seed in range(PHONES)]
            player = threading.Thread(target=play, args=(companion, stop))
            for worker in (*workers, player):
                worker.start()
            try:
                sample(companion, out, lambda: int(frames.read_text() or 0) if frames.exists() else 0, seconds)
            finally:
                stop.set()


def sample(companion: CompanionProcess, out: Path, frames: Callable[[], int], seconds: float) -> None:
    """Write a line of figures at each interval. frames: returns how many were taken so far."""
    began = time.monotonic()
    with out.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["seconds", "memory_kb", "threads", "files", "frames", "events", "games", "cpu_s"])
        while (age := time.monotonic() - began) < seconds and companion.process.poll() is None:
            process = Path("/proc") / str(companion.process.pid)
            status = dict(line.split(":", 1) for line in (process / "status").read_text().splitlines())
            writer.writerow(
                [
                    round(age),
                    status["VmRSS"].split()[0],
                    status["Threads"].strip(),
                    len(list((process / "fd").iterdir())),
                    frames(),
                    companion.ask("GET", "/api/table")["number"],
                    len(companion.ask("GET", "/api/games")["games"]),
                    processor_s(process),
                ]
            )
            file.flush()
            time.sleep(SAMPLE_S)


def processor_s(process: Path) -> float:
    """The seconds that a process has computed. process: its folder in /proc."""
    user, system = (process / "stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def listen(companion: CompanionProcess, stop: threading.Event, seed: int) -> None:
    """Simulate a phone that watches, loses the network, opens a page, and comes back."""
    chance = Random(seed)
    while not stop.is_set():
        with suppress(OSError, http.client.HTTPException):
            with closing(http.client.HTTPConnection("127.0.0.1", companion.port, timeout=15)) as connection:
                connection.request("GET", "/api/events")
                until = time.monotonic() + chance.uniform(5, 60)
                answer = connection.getresponse()
                while time.monotonic() < until and not stop.is_set() and answer.readline():
                    pass
            with closing(http.client.HTTPConnection("127.0.0.1", companion.port, timeout=15)) as connection:
                connection.request("GET", chance.choice(PAGES))
                connection.getresponse().read()


def play(companion: CompanionProcess, stop: threading.Event) -> None:
    """Simulate a player who taps and presses as the table asks."""
    chance = Random(1)
    while not stop.wait(LOOK_S):
        with suppress(OSError, http.client.HTTPException):
            do(companion, companion.ask("GET", "/api/table"), chance)


def do(companion: CompanionProcess, table: Table, chance: Random) -> None:
    """Take the next step, half of the time with the buttons. Refusals are ignored."""
    seen = {"step": table["step"]}
    if table["phase"] == "over":
        companion.request("POST", "/api/again", seen)
    elif table["undo"] and chance.random() < 0.02:
        companion.request("POST", "/api/undo", seen)
    elif table["unsure"]:
        companion.request("POST", "/api/throw", {"marked": chance.randrange(5), **seen})
    elif table["phase"] == "reading":
        if chance.random() < 0.5:
            companion.press("confirm")
        else:
            companion.request("POST", "/api/confirm", seen)
    elif table["phase"] == "move" and not table["moves"]:
        companion.request("POST", "/api/pass", seen)
    elif table["phase"] == "move":
        if table["chosen"] is None and chance.random() < 0.5:
            companion.press("next")
        elif table["chosen"] is not None:
            companion.press("confirm")
        else:
            move = chance.choice(table["moves"])
            companion.request("POST", "/api/move", {"from": move["from"], "to": move["to"], **seen})


def tell(out: Path) -> None:
    """Print the range of each figure, and its slope after the warm-up."""
    with out.open() as file:
        rows = [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)]
    seconds = np.array([row["seconds"] for row in rows])
    warm = seconds >= min(WARM_S, seconds[-1] / 2)
    print(f"{seconds[-1] / 60:.0f} minutes, {len(rows)} samples")
    last = rows[-1]
    rate = (last["frames"] - rows[0]["frames"]) / (last["seconds"] - rows[0]["seconds"])
    print(f"{last['frames']:.0f} frames ({rate:.2f} a second), {last['events']:.0f} events, {last['games']:.0f} games")
    calm = rows[int(np.argmax(warm))]
    share = (last["cpu_s"] - calm["cpu_s"]) / max(last["seconds"] - calm["seconds"], 1)
    print(f"after warm-up {share:.1%} of a core")
    for name in ("memory_kb", "threads", "files"):
        values = np.array([row[name] for row in rows])
        slope = np.polyfit(seconds[warm] / 3600, values[warm], 1)[0]
        print(
            f"{name}: first {values[0]:.0f}, after warm-up {values[warm][0]:.0f}, median "
            f"{statistics.median(values[warm]):.0f}, most {values.max():.0f}, last {values[-1]:.0f}; {slope:+.1f} /h"
        )


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        sys.exit("This reads /proc, so it runs on Linux only.")
    main()

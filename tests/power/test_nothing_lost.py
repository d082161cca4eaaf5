"""The power is cut at random moments of a game, and nothing that was acknowledged is ever lost."""

import http.client
import os
import signal
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from threading import Timer
from time import monotonic, sleep

import pytest

from companion.rules.notation import parse
from companion.rules.variants import variant
from tests.service.companion_process import POLL_S, CompanionProcess, Table, running_companion

HAND = ("--camera", "none", "--obsidian", "easy", "--open", "--buttons", "mock")
MOST_STEPS = 12
PRESSED_S = 0.5
"""Seconds that a player who has pressed a button waits for what it does."""
BUTTONS = ("confirm", "next", "back")
BY_BUTTON = ("Confirmed", "ChoiceStepped", "ThrowStepped")
PLAYS = {"Confirmed", "MoveChosen", "Passed"}
"""Ways to ask for the same. Who asks for what another has just done is told that it is done."""
CALLS = ("ThrowEntered", "Confirmed")
"""After these it may be the turn of the companion's own player, which chooses at once."""


def next_step(table: Table, chance: Random) -> tuple[str, object]:
    """A player's next request, with an occasional change of mind: the address and the body."""
    seen = {"step": table["step"]}
    if table["undo"] and chance.random() < 0.1:
        return "/api/undo", seen
    match table["phase"]:
        case "throw_off" | "throw":
            return "/api/throw", {"marked": chance.randrange(5), **seen}
        case "reading":
            return "/api/confirm", seen
        case "move" if table["moves"]:
            move = chance.choice(table["moves"])
            return "/api/move", {"from": move["from"], "to": move["to"], **seen}
        case "move":
            return "/api/pass", seen
    return "/api/again", seen


def kept(table: Table) -> Table:
    """A table's snapshot without the advice, which is computed anew."""
    return {name: value for name, value in table.items() if name not in ("advice", "revision")}


def written(data: Path) -> dict[int, str]:
    """Numbers and kinds of all events on the disk, in order, without touching what the kill has left."""
    with closing(sqlite3.connect(f"file:{data}/puluc.sqlite3?mode=ro", uri=True)) as db:
        events = [
            (int(number), str(kind)) for number, kind in db.execute("SELECT number, kind FROM events ORDER BY number")
        ]
    assert [number for number, _ in events] == list(range(1, len(events) + 1))
    return dict(events)


def acknowledged(noted: Path, disk: dict[int, str]) -> dict[int, str]:
    """Numbers and kinds of the events that the companion has acknowledged."""
    found: dict[int, str] = {}
    for line in noted.read_text().splitlines():
        text, kind = line.split()
        number = int(text)
        assert number in disk, f"{kind} was acknowledged as number {number}, and the disk ends at {max(disk)}"
        # The computer player's move is stored with its throw.
        number -= disk[number] == "MoveProposed"
        kind = disk[number] if {kind, disk[number]} <= PLAYS else {"GameAgain": "GameStarted"}.get(kind, kind)
        assert found.setdefault(number, kind) == kind
    return found


def play_until_killed(companion: CompanionProcess, table: Table, chance: Random) -> Table:
    """Tap and press until nobody answers any more. Returns the last table seen."""
    timer = Timer(chance.uniform(0.0, 0.1), companion.process.kill)
    timer_due = chance.randrange(MOST_STEPS)
    try:
        for step in count():
            if step == timer_due:
                timer.start()
            if chance.random() < 0.3:
                companion.press(chance.choice(BUTTONS))
                # A press applies to the table shown; it is refused if others tap faster than the panel updates.
                until = monotonic() + chance.choice((0.0, PRESSED_S))
                number = table["number"]
                while monotonic() < until and table["number"] == number:
                    sleep(POLL_S)
                    table = companion.ask("GET", "/api/table")
            else:
                status, answer = companion.request("POST", *next_step(table, chance))
                table = answer if status == 200 else companion.ask("GET", "/api/table")
    except (OSError, http.client.HTTPException):
        timer.join()
    return table


def test_killed_at_random_moments_nothing_is_lost(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """After each hard kill the exact table is back; every acknowledged event is there once, and next to nothing more.

    Phones and the buttons' pins play at the same time, so two events may be written down and not yet acknowledged.
    """
    kills, chance = int(pytestconfig.getoption("--kills")), Random(2024)
    data, noted = tmp_path / "data", tmp_path / "noted"
    before: dict[int, str] = {}
    answered, silent_events, pressed = 0, 0, 0
    table: Table = {}
    for _ in range(kills):
        noted.write_text("")
        with running_companion(
            data, *HAND, program=("tests.service.instrumented_companion", "--noted", str(noted))
        ) as companion:
            # With ask on, every event comes from a request.
            found = companion.ask(
                "GET" if table else "POST", *(("/api/table",) if table else ("/api/options", {"ask": True}))
            )
            parse(found["position"], variant("puluc"))
            if table:
                assert found["number"] >= table["number"]
                assert found["number"] > table["number"] or kept(found) == kept(table)
            table = play_until_killed(companion, found, chance)
        disk = written(data)
        assert {number: disk[number] for number in before} == before
        confirmed = acknowledged(noted, disk)
        assert {number: disk[number] for number in confirmed} == confirmed
        # The first game is stored with its first event.
        silent = disk.keys() - before.keys() - confirmed.keys() - {1}
        silent = {number for number in silent if disk[number] != "MoveProposed"}
        assert len(silent) <= 2, silent
        assert all(disk[number - 1] in CALLS for number in disk if disk[number] == "MoveProposed")
        answered, silent_events = answered + len(confirmed), silent_events + len(silent)
        pressed += sum(kind in BY_BUTTON for kind in confirmed.values())
        before = disk

    print(f"{kills} kills, {len(before)} events, {answered} acknowledged, {silent_events} not, {pressed} by button")  # noqa: T201 - for -s
    assert answered > kills
    assert pressed


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_cleanly_on_a_signal(tmp_path: Path, stop: signal.Signals) -> None:
    """The signals of a service manager and of Ctrl-C end it with status 0, within seconds."""
    with running_companion(tmp_path, *HAND) as companion:
        os.kill(companion.process.pid, stop)

        assert companion.process.wait(timeout=15) == 0

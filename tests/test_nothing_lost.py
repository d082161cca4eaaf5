"""The plug is pulled at random moments of a game, and nothing anybody was told is ever lost."""

import http.client
import os
import signal
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from threading import Timer

import pytest

from companion.rules.notation import parse
from companion.rules.variant import variant
from tests.running import Table, running

HAND = ("--camera", "none", "--obsidian", "easy", "--open")


def next_step(table: Table, chance: Random) -> tuple[str, str, object]:
    """What a player would do now, now and then wavering: the kind of event, the address, and the body."""
    if table["undo"] and chance.random() < 0.1:
        return "Undone", "/api/undo", {"step": table["step"]}
    match table["phase"]:
        case "throw_off" | "throw":
            return "ThrowEntered", "/api/throw", {"marked": chance.randrange(5), "step": table["step"]}
        case "move" if table["moves"]:
            move = chance.choice(table["moves"])
            return "MoveChosen", "/api/move", {"from": move["from"], "to": move["to"], "step": table["step"]}
        case "move":
            return "Passed", "/api/pass", {"step": table["step"]}
    return "GameStarted", "/api/again", {"step": table["step"]}


def kept(table: Table) -> Table:
    """All of a table but the advice, which is thought of anew."""
    return {name: value for name, value in table.items() if name not in ("advice", "revision")}


def written(data: Path) -> list[tuple[int, str]]:
    """The numbers and kinds of all events on the disk."""
    with closing(sqlite3.connect(data / "puluc.sqlite3")) as db:
        return [
            (int(number), str(kind)) for number, kind in db.execute("SELECT number, kind FROM events ORDER BY number")
        ]


def test_killed_at_random_moments_nothing_is_lost(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """After each hard kill the exact table is back; every acknowledged event is there once, and at most one more."""
    kills, chance = int(pytestconfig.getoption("--kills")), Random(2024)
    known: dict[int, str] = {}
    table: Table = {}
    pending: str | None = None
    unanswered = 0
    for _ in range(kills):
        with running(tmp_path, *HAND) as companion:
            found = companion.ask("GET", "/api/table")
            if table and found["number"] == table["number"]:
                assert kept(found) == kept(table)
            elif table:
                assert pending is not None
                assert table["number"] < found["number"] <= table["number"] + 2, (table, found)
            parse(found["position"], variant("puluc"))
            table, pending = found, None
            timer = Timer(chance.uniform(0.0, 0.15), companion.process.kill)
            timer.start()
            try:
                while True:
                    pending, address, body = next_step(table, chance)
                    table = companion.ask("POST", address, body)
                    proposed = pending == "ThrowEntered" and table["phase"] == "move" and table["turn"] == "obsidian"
                    known[table["number"] - (proposed and bool(table["moves"]))] = pending
            except (OSError, http.client.HTTPException):
                timer.join()
        events = written(tmp_path)
        kinds = dict(events)
        # The first game is written down with the first thing that happens in it.
        known.update((number, kind) for number, kind in events if number == 1)
        assert [number for number, _ in events] == list(range(1, len(events) + 1))
        assert {number: kinds[number] for number in known} == known
        new = [number for number, kind in events if number not in known and kind != "MoveProposed"]
        assert [kinds[number] for number in new] in ([], [pending])
        assert all(kinds[number - 1] == "ThrowEntered" for number, kind in events if kind == "MoveProposed")
        known.update((number, kinds[number]) for number in new)
        unanswered += len(new)

    print(f"{kills} kills, {len(known)} events, {unanswered} of them written but not yet answered")  # noqa: T201
    assert len(known) > kills


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_stops_well(tmp_path: Path, stop: signal.Signals) -> None:
    """A service manager's or a keyboard's stop ends it with status 0, within seconds."""
    with running(tmp_path, *HAND) as companion:
        os.kill(companion.process.pid, stop)

        assert companion.process.wait(timeout=15) == 0

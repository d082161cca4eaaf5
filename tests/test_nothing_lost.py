"""The plug is pulled at random moments of a game, and nothing anybody was told is ever lost."""

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from threading import Timer
from typing import Any

import pytest

from companion.rules.notation import parse
from companion.rules.variant import variant

Table = dict[str, Any]


class Companion:
    """A companion in a process of its own, spoken to over HTTP."""

    def __init__(self, data: Path) -> None:
        words = ["play", "--port", "0", "--camera", "none", "--data", str(data), "--obsidian", "easy", "--open"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        address = self.process.stdout.readline()
        if not address:
            raise AssertionError(f"It did not start: {self.process.communicate()[1]}")
        self.port = int(address.rsplit(":", 1)[1].strip("/\n"))

    def ask(self, method: str, path: str, body: object = None) -> Table:
        """The answer's JSON. Raises OSError or HTTPException where the companion dies over it."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            words = None if body is None else json.dumps(body)
            connection.request(method, path, words, {"Content-Type": "application/json"})
            response = connection.getresponse()
            answer = json.loads(response.read())
        assert response.status == 200, answer
        return dict(answer)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)


@contextmanager
def running(data: Path) -> Iterator[Companion]:
    companion = Companion(data)
    try:
        yield companion
    finally:
        companion.kill()
        companion.process.communicate()


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


def written(data: Path) -> list[tuple[int, str]]:
    """The numbers and kinds of all events on the disk."""
    with closing(sqlite3.connect(data / "puluc.sqlite3")) as db:
        return [
            (int(number), str(kind)) for number, kind in db.execute("SELECT number, kind FROM events ORDER BY number")
        ]


def test_killed_at_random_moments_nothing_is_lost(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    """After each hard kill the exact table is back; every acknowledged event is there once, and at most one more."""
    kills, chance = int(pytestconfig.getoption("--kills")), Random(2024)
    acknowledged: dict[int, str] = {1: "GameStarted"}
    table: Table = {}
    pending: str | None = None
    survived = 0
    for _ in range(kills):
        with running(tmp_path) as companion:
            found = companion.ask("GET", "/api/table")
            if table and found["number"] == table["number"]:
                assert found == table
            elif table:
                assert pending is not None
                assert table["number"] < found["number"] <= table["number"] + 2, (table, found)
                survived += 1
            parse(found["position"], variant("puluc"))
            table, pending = found, None
            timer = Timer(chance.uniform(0.0, 0.15), companion.kill)
            timer.start()
            try:
                while True:
                    pending, address, body = next_step(table, chance)
                    table = companion.ask("POST", address, body)
                    proposed = pending == "ThrowEntered" and table["phase"] == "move" and table["turn"] == "obsidian"
                    acknowledged[table["number"] - (proposed and bool(table["moves"]))] = pending
            except (OSError, http.client.HTTPException):
                timer.join()
        events = written(tmp_path)
        kinds = dict(events)
        assert [number for number, _ in events] == list(range(1, len(events) + 1))
        assert {number: kinds[number] for number in acknowledged} == acknowledged
        unasked = {number: kind for number, kind in events if number not in acknowledged and kind != "MoveProposed"}
        assert set(unasked) <= {max(unasked, default=0)} or survived, unasked
        for number in unasked:
            acknowledged[number] = unasked[number]

    print(f"{kills} kills, {len(acknowledged)} events, {survived} written but not yet answered")  # noqa: T201
    assert len(acknowledged) > kills


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_told_to_stop_it_stops_well(tmp_path: Path, stop: signal.Signals) -> None:
    """A service manager's or a keyboard's stop ends it with status 0, within seconds."""
    with running(tmp_path) as companion:
        os.kill(companion.process.pid, stop)

        assert companion.process.wait(timeout=15) == 0

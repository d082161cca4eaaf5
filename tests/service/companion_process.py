"""Run the whole companion in a child process, and use it as a script would."""

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep
from typing import Any

Table = dict[str, Any]

POLL_S = 0.15
"""Seconds between two looks at the table. Each costs the companion as much as a page view: fewer leave it more time."""


def free_port() -> int:
    """A port on 127.0.0.1 that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


class CompanionProcess:
    """``puluc play`` on a free port and this data folder, once it has printed its address."""

    def __init__(
        self, data: Path, *options: str, environ: Mapping[str, str], program: Sequence[str] = ("companion",)
    ) -> None:
        """program: the module to run, with its own options; the companion's options follow."""
        words = ["play", "--port", "0", "--data", str(data), "--no-solve", *options]
        self.process = subprocess.Popen(
            [sys.executable, "-m", *program, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **environ},
            # From here Python finds the modules of the tests.
            cwd=Path(__file__).parents[2],
        )
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().strip()
        if not self.address:
            raise AssertionError(f"It did not start: {self.process.communicate()[1]}")
        self.port = int(self.address.split(":")[2].split("/")[0])

    def request(self, method: str, path: str, body: object = None, code: str | None = None) -> tuple[int, Table]:
        """Status and JSON of the answer. Raises OSError or HTTPException if the companion dies meanwhile."""
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            headers = {"Content-Type": "application/json"}
            if code:
                headers["Authorization"] = f"Bearer {code}"
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            response = connection.getresponse()
            return response.status, dict(json.loads(response.read()))

    def press(self, button: str) -> None:
        """Press a button of the panel of ``tests.service.instrumented_companion``. Raises OSError if it has died."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{button}\n")
        self.process.stdin.flush()

    def ask(self, method: str, path: str, body: object = None) -> Table:
        """The JSON of an answer with status 200."""
        status, answer = self.request(method, path, body)
        assert status == 200, answer
        return answer

    def until(
        self,
        wanted: Callable[[Table], bool],
        seconds: float = 60,
        path: str = "/api/table",
        ignoring: tuple[type[Exception], ...] = (),
    ) -> Table:
        """Poll ``path`` until its JSON is as wanted.

        ignoring: errors to expect meanwhile, while the companion restarts.
        """
        end = monotonic() + seconds
        table: Table = {}
        while monotonic() < end:
            with suppress(*ignoring):
                table = self.ask("GET", path)
                if wanted(table):
                    return table
            sleep(POLL_S)
        raise AssertionError(table)


@contextmanager
def running_companion(
    data: Path, *options: str, environ: Mapping[str, str] | None = None, program: Sequence[str] = ("companion",)
) -> Iterator[CompanionProcess]:
    """A companion for the duration of a test; killed afterwards if it still runs."""
    companion = CompanionProcess(data, *options, environ=environ or {}, program=program)
    try:
        yield companion
    finally:
        companion.process.kill()
        companion.process.communicate()

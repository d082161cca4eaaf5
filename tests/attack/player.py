"""A phone that plays while others attack: ``python -m tests.attack.player HOST PORT CODE --seconds S``.

It listens to the table and taps, alternating between its open connection and a new one. Prints one line of JSON.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import sys
import threading
import time
from contextlib import closing
from statistics import median, quantiles
from typing import Any

from tests.attack.network import PLAYER

EVERY_S = 0.1
"""Seconds between two taps."""
LONGEST_S = 5.0
"""Seconds after which a tap counts as failed."""


class TappingPhone:
    """One phone with its cookie."""

    def __init__(self, host: str, port: int, code: str) -> None:
        self._host, self._port = host, port
        with closing(self._connection()) as line:
            line.request("GET", f"/?code={code}")
            answer = line.getresponse()
            answer.read()
            self.cookie = answer.headers["Set-Cookie"].partition(";")[0]
        self._kept = self._connection()
        self.streams = 0
        self._tapped = self._shown = 0
        self.is_over = False
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def tap(self, path: str, body: dict[str, Any], *, anew: bool) -> float:
        """Seconds that a tap takes. Raises OSError, HTTPException or AssertionError if it is refused."""
        began = time.perf_counter()
        line = self._connection() if anew else self._kept
        try:
            line.request("POST", path, json.dumps(body), {"Cookie": self.cookie, "Content-Type": "application/json"})
            answer = line.getresponse()
            text = answer.read()
            assert answer.status == 200, text
            self._tapped = json.loads(text)["number"]
        except BaseException:
            line.close()
            raise
        if anew:
            line.close()
        return time.perf_counter() - began

    def is_up_to_date(self) -> bool:
        """Whether the event stream brings the newest tap's result in time; it may skip older ones."""
        until = time.monotonic() + LONGEST_S
        while self._shown < self._tapped and time.monotonic() < until:
            time.sleep(0.05)
        return self._shown >= self._tapped

    def welcome(self) -> dict[str, Any]:
        """The phone's role at the table."""
        with closing(self._connection()) as line:
            line.request("GET", "/api/welcome", headers={"Cookie": self.cookie})
            return dict(json.loads(line.getresponse().read()))

    def _connection(self, timeout_s: float = LONGEST_S) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout_s, source_address=(PLAYER, 0))

    def _listen(self) -> None:
        """Listen to the event stream, reconnecting as a browser does."""
        while not self.is_over:
            try:
                with closing(self._connection(20)) as line:
                    line.request("GET", "/api/events", headers={"Cookie": self.cookie})
                    answer = line.getresponse()
                    self.streams += answer.status == 200
                    while answer.status == 200 and (text := answer.readline()):
                        if text.startswith(b"id: "):
                            self._shown = int(text.removeprefix(b"id: "))
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.5)


def play(host: str, port: int, code: str, seconds: float) -> dict[str, Any]:
    """Tap for that long. Returns the measurements; times in milliseconds."""
    phone = TappingPhone(host, port, code)
    until = time.monotonic() + seconds
    kept: list[float] = []
    anew: list[float] = []
    failed: list[str] = []
    number = 0
    while time.monotonic() < until:
        path, body = (("/api/throw", {"marked": 3}), ("/api/undo", {}))[number % 2]
        is_new = number // 2 % 2 == 1
        try:
            (anew if is_new else kept).append(phone.tap(path, body, anew=is_new) * 1000)
        except (OSError, http.client.HTTPException, AssertionError) as error:
            failed.append(f"{type(error).__name__}: {error}"[:200])
        number += 1
        time.sleep(EVERY_S)
    is_up_to_date, is_host = phone.is_up_to_date(), phone.welcome()["host"]
    phone.is_over = True
    return {
        "kept": _told(kept),
        "anew": _told(anew),
        "failed": failed,
        "is_up_to_date": is_up_to_date,
        "streams": phone.streams,
        "is_host": is_host,
    }


def _told(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times, n=100)
    shown = {"median": median(times), "p95": cuts[94], "p99": cuts[98], "worst": max(times)}
    return {"taps": len(times), **{name: round(ms, 1) for name, ms in shown.items()}}


def main() -> None:
    """Play, and print the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("code")
    parser.add_argument("--seconds", type=float, default=20)
    wanted = parser.parse_args()
    # Never use a proxy configured on this computer.
    socket.setdefaulttimeout(LONGEST_S)
    json.dump(play(wanted.host, wanted.port, wanted.code, wanted.seconds), sys.stdout)


if __name__ == "__main__":
    main()

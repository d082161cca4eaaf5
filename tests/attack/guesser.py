"""A program with the right code beside a guesser at its address: ``python -m tests.attack.guesser HOST PORT CODE``.

Prints one line of JSON: how the program's calls were answered, and how many guesses were checked meanwhile.
"""

from __future__ import annotations

import argparse
import http.client
import json
import sys
import threading
import time
from collections import Counter
from contextlib import closing, suppress
from itertools import count
from typing import Any

from tests.attack.network import PLAYER

GUESSERS = 10
CALLS = 10
WARMING_S = 2.0
"""Seconds of guessing before the program calls."""


def ask(host: str, port: int, code: str) -> int:
    """The status of a call with that code."""
    with closing(http.client.HTTPConnection(host, port, timeout=30, source_address=(PLAYER, 0))) as line:
        line.request("POST", "/api/options", '{"auto_throw": false}', {"Authorization": f"Bearer {code}"})
        answer = line.getresponse()
        answer.read()
        return answer.status


def guess(host: str, port: int, code: str) -> dict[str, Any]:
    """Guess and call, and return the results."""
    statuses: Counter[int] = Counter()
    guesses: Counter[int] = Counter()
    is_over = threading.Event()

    def go_on(number: int) -> None:
        for guess in count():
            if is_over.is_set():
                return
            with suppress(OSError, http.client.HTTPException):
                guesses[ask(host, port, f"wrong{number}x{guess}")] += 1

    statuses[ask(host, port, code)] += 1
    threads = [threading.Thread(target=go_on, args=(number,), daemon=True) for number in range(GUESSERS)]
    for thread in threads:
        thread.start()
    time.sleep(WARMING_S)
    worst_s, began = 0.0, time.monotonic()
    for _ in range(CALLS):
        at = time.monotonic()
        statuses[ask(host, port, code)] += 1
        worst_s = max(worst_s, time.monotonic() - at)
    seconds = time.monotonic() - began + WARMING_S
    is_over.set()
    for thread in threads:
        thread.join()
    return {
        "right": dict(statuses),
        "wrong": dict(guesses),
        "worst_ms": round(worst_s * 1000),
        "checked_per_s": round(guesses[401] / seconds, 1),
    }


def main() -> None:
    """Guess, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("host")
    parser.add_argument("port", type=int)
    parser.add_argument("code")
    wanted = parser.parse_args()
    json.dump(guess(wanted.host, wanted.port, wanted.code), sys.stdout)


if __name__ == "__main__":
    main()

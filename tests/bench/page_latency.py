"""Measure how soon a move reaches every page: ``python -m tests.bench.page_latency [--pages 50] [--moves 100]``.

Many listeners follow one table over loopback: some in a real browser, timed when the page shows the move, the others as
bare connections, timed when the whole event has arrived. One more page never reads, and one is cut off halfway. At the
end the companion is killed and restarted, and every browser page must reconnect by itself. Prints one line of JSON;
times are in milliseconds from sending the move.
"""

from __future__ import annotations

import argparse
import json
import selectors
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import LAUNCH_OPTIONS, chromium_path
from tests.service.companion_process import CompanionProcess

WATCH = """() => {
    window.heard = [];
    const note = () => window.heard.push([Number(document.body.dataset.number), Date.now()]);
    new MutationObserver(note).observe(document.body, { attributeFilter: ["data-number"] });
}"""
LONGEST_S = 5.0
"""Seconds after which a missing move counts as lost."""


class Listeners:
    """Bare connections that record when each event arrives."""

    def __init__(self, port: int, count: int) -> None:
        self.arrivals: dict[int, dict[int, float]] = {}
        self._ready = selectors.DefaultSelector()
        self._port, self._rest = port, dict.fromkeys(range(count), b"")
        self.lines = [self.connect() for _ in range(count)]
        for at, line in enumerate(self.lines):
            self._ready.register(line, selectors.EVENT_READ, at)
        threading.Thread(target=self._listen, daemon=True).start()

    def connect(self, buffer: int | None = None) -> socket.socket:
        """Open a connection that is never read."""
        line = socket.socket()
        if buffer:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        line.connect(("127.0.0.1", self._port))
        line.sendall(b"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        return line

    def _listen(self) -> None:
        while True:
            for key, _ in self._ready.select():
                self._take(key.data, self.lines[key.data].recv(1 << 20))

    def _take(self, at: int, data: bytes) -> None:
        now = time.time()
        if not data:
            self._ready.unregister(self.lines[at])
            return
        *events, self._rest[at] = (self._rest[at] + data).split(b"\n\n")
        for event in events:
            if b"id: " in event:
                number = int(event.split(b"id: ")[1].split(b"\n")[0])
                self.arrivals.setdefault(number, {}).setdefault(at, now)


@contextmanager
def pages_of(address: str, count: int) -> Iterator[list[Page]]:
    """Open pages in a real browser, each with its own session."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_OPTIONS)
        pages = [browser.new_context().new_page() for _ in range(count)]
        for page in pages:
            page.goto(address)
            page.wait_for_selector("[data-count]")
            page.evaluate(WATCH)
        yield pages
        browser.close()


def to_a_move(companion: CompanionProcess, code: str, throw: int) -> dict[str, Any]:
    """Play until there is a choice of moves. Returns the table."""
    table = companion.ask("GET", "/api/table")
    while not (table["phase"] == "move" and table["moves"]):
        path = {"over": "again", "move": "pass"}.get(table["phase"], "throw")
        body = {"marked": throw % 4 + 1} if path == "throw" else {}
        status, table = companion.request("POST", f"/api/{path}", body, code)
        assert status == 200, table
        throw = throw * 5 + 1
    return table


def measured(
    companion: CompanionProcess, code: str, listeners: Listeners, pages: list[Page], moves: int
) -> dict[str, Any]:
    """Make the moves. Returns the send times by number; listeners and pages record the arrivals."""
    victim, sent = listeners.connect(), {}
    for turn in range(moves):
        move = to_a_move(companion, code, turn)["moves"][0]
        time.sleep(0.05)
        if turn == moves // 2:
            victim.close()
        began = time.time()
        body = {"from": move["from"], "to": move["to"], "value": move["value"], "unit": move["unit"]}
        status, table = companion.request("POST", "/api/move", body, code)
        assert status == 200, table
        sent[table["number"]] = began
        until = began + LONGEST_S
        while time.time() < until and len(listeners.arrivals.get(table["number"], {})) < len(listeners.lines):
            time.sleep(0.002)
        # Advice follows; wait until the page has drawn that too.
        pages[turn % len(pages)].wait_for_timeout(50)
    seen = [dict(reversed(page.evaluate("() => window.heard"))) for page in pages]
    return {"sent": sent, "seen": seen}


def summary(times: list[float]) -> dict[str, float]:
    """The distribution of some durations in milliseconds."""
    cuts = quantiles(times, n=100)
    shown = {"median": median(times), "p90": cuts[89], "p99": cuts[98], "worst": max(times)}
    return {name: round(seconds * 1000, 1) for name, seconds in shown.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--browsers", type=int, default=3, help="how many of the pages are in a real browser")
    parser.add_argument("--moves", type=int, default=100)
    wanted = parser.parse_args()
    data = Path(tempfile.mkdtemp())
    companion = CompanionProcess(data, "--camera", "none", environ={})
    code = companion.address.partition("?code=")[2]
    listeners = Listeners(companion.port, wanted.pages - wanted.browsers)
    deaf = listeners.connect(buffer=2048)
    with pages_of(companion.address, wanted.browsers) as pages:
        found = measured(companion, code, listeners, pages, wanted.moves)
        last, lost, bare, drawn = [], 0, [], []
        for number, began in found["sent"].items():
            arrived = [at - began for at in listeners.arrivals.get(number, {}).values()]
            shown = [seen[number] / 1000 - began for seen in found["seen"] if number in seen]
            lost += wanted.pages - len(arrived) - len(shown)
            bare += arrived
            drawn += shown
            last.append(max(arrived + shown))
        deaf.close()
        process = Path(f"/proc/{companion.process.pid}/status").read_text()
        figures = dict(line.split(":", 1) for line in process.splitlines())
        companion.process.send_signal(signal.SIGKILL)
        companion.process.communicate()
        for page in pages:
            page.wait_for_selector("[data-lost]:not([hidden])")
        again = CompanionProcess(data, "--camera", "none", "--port", str(companion.port), environ={})
        began = time.time()
        number = again.ask("GET", "/api/table")["number"]
        for page in pages:
            page.wait_for_selector(f"body[data-number='{number}']")
            page.wait_for_selector("[data-lost][hidden]", state="attached")
        back = time.time() - began
    again.process.kill()
    again.process.communicate()
    shutil.rmtree(data)
    print(  # noqa: T201 - prints its results
        json.dumps(
            {
                "pages": wanted.pages,
                "moves": len(found["sent"]),
                "not_arrived": lost,
                "on_all_pages": summary(last),
                "bare": summary(bare),
                "browser": summary(drawn),
                "threads": int(figures["Threads"]),
                "memory_kb": int(figures["VmRSS"].split()[0]),
                "all_back_after_s": round(back, 2),
            }
        )
    )


if __name__ == "__main__":
    main()

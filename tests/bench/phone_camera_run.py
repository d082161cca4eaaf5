"""Send a table a phone's pictures for half an hour: ``python -m tests.bench.phone_camera_run OUT.csv [--minutes 30]``.

The tray stays as it is, ten pictures a second, so that nothing is read: this is what receiving and watching cost.
``python -m tests.bench.long_run --tell OUT.csv`` summarises the file.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from hardware.reader.throw_reader import ThrowReader
from tests.bench.long_run import sample, tell
from tests.hardware.reader.drawing import calibration, tray
from tests.phone_camera.answering_phone import jpeg_of
from tests.service.companion_process import running_companion

PERIOD_S = 0.1
"""As the phone's page has it."""
PICTURES = 20
"""Pictures that are sent in turn, each with noise of its own."""


class SendingPhone:
    """A phone that sends a table what it asks for. sent: pictures so far."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        ticket = re.search(r"ticket=([\w-]+)", self._ask("GET", "/camera/phone")[1])
        assert ticket is not None
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self._pass = self._ask("POST", "/camera/phone", f"ticket={ticket[1]}".encode(), form)[0]
        self._page = self._send("page", json.dumps({"live": True}).encode(), "application/json")["page"]
        self.sent = 0

    def run(self, pictures: Sequence[bytes], stop: threading.Event) -> None:
        """Send until it is told to stop."""
        wanted, number = "nothing", 0
        for jpeg in cycle(pictures):
            began = time.monotonic()
            body = b"" if wanted == "nothing" else jpeg
            now = self._send(f"picture?page={self._page}&number={number}", body, "image/jpeg")
            self.sent += bool(body)
            wanted, number = now["wanted"], now["number"]
            if stop.wait(max(0.0, PERIOD_S - (time.monotonic() - began))):
                return

    def _send(self, path: str, body: bytes, kind: str) -> dict[str, Any]:
        headers = {"Content-Type": kind, "Cookie": self._pass}
        return dict(json.loads(self._ask("POST", f"/api/camera/phone/{path}", body, headers)[1]))

    def _ask(self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[str, str]:
        """The cookie and the text of the answer."""
        self._connection.request(method, path, body, headers or {})
        answer = self._connection.getresponse()
        assert answer.status < 400, answer.read()
        return str(answer.getheader("Set-Cookie")).partition(";")[0], answer.read().decode()


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    chosen = parser.parse_args()
    pictures = [jpeg_of(tray(noise=number), 75) for number in range(PICTURES)]
    with tempfile.TemporaryDirectory() as place:
        data = Path(place)
        ThrowReader.calibrate(*calibration()).profile.save(data / "profile")
        with running_companion(data, "--camera", "phone", "--open") as companion:
            # Its log would fill a pipe that nobody reads.
            assert companion.process.stderr is not None
            threading.Thread(target=companion.process.stderr.read, daemon=True).start()
            stop, phone = threading.Event(), SendingPhone(companion.port)
            sending = threading.Thread(target=phone.run, args=(pictures, stop))
            sending.start()
            try:
                sample(companion, chosen.out, lambda: phone.sent, chosen.minutes * 60)
            finally:
                stop.set()
                sending.join()
    tell(chosen.out)


if __name__ == "__main__":
    if not sys.platform.startswith("linux"):
        sys.exit("This reads /proc, so it runs on Linux only.")
    main()

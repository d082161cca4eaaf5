"""Lets phones find the table as ``puluc.local``, beside the computer's own name: ``python -m companion.local_name``.

A service of its own, so that the game neither waits for it nor ends with it. Avahi does the publishing.
"""

from __future__ import annotations

import logging
import socket
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

log = logging.getLogger("puluc")

NAME = "puluc"
LOOK_AGAIN_S = 10.0
"""Seconds between two looks whether the network's address is still the same. Longer leaves phones at a dead address."""
NAMES = 9
"""Tables in one network that get a name of their own: puluc, puluc-2 and so on. The next one has only its address."""
SETTLED = 3
"""Looks after which a name is ours. One that is lost sooner belongs to another computer, and the next is tried."""


class Publishing(Protocol):
    """A running ``avahi-publish``."""

    def poll(self) -> int | None: ...
    def terminate(self) -> None: ...
    def wait(self) -> int: ...


class LocalName:
    """Publishes the first free name for the address the network gave us, and anew where that changes.

    host: this computer's own name. address: its present one, or None without a network.
    begin: starts that command. To be stepped every few seconds, by one thread.
    """

    def __init__(
        self, *, host: str, address: Callable[[], str | None], begin: Callable[[Sequence[str]], Publishing]
    ) -> None:
        self._host, self._address, self._begin = host, address, begin
        self._published: tuple[str, Publishing] | None = None
        self._number, self._looks = 1, 0

    @property
    def name(self) -> str:
        """The name that is published, or would be next."""
        return NAME if self._number == 1 else f"{NAME}-{self._number}"

    def step(self) -> None:
        """See to it that the name leads here."""
        address = self._address()
        if self._published is not None:
            at, publishing = self._published
            if publishing.poll() is not None:
                # It ends by itself where another computer answers to that name, or where avahi was started anew.
                self._published = None
                if self._looks < SETTLED:
                    self._number = self._number % NAMES + 1
            elif at == address:
                self._looks += 1
                return
            else:
                self.close()
        # A computer of that very name has it published already.
        if address is None or self._host == self.name:
            return
        self._looks = 0
        self._published = address, self._begin(["avahi-publish", "-a", "-R", f"{self.name}.local", address])
        log.info("This table is %s.local, at %s.", self.name, address)

    def close(self) -> None:
        """Take the name back. Twice is as good as once."""
        if self._published is not None:
            self._published[1].terminate()
            self._published[1].wait()
            self._published = None


def local_address() -> str | None:
    """This computer's address in the local network, or None where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))  # sends nothing; it only makes the system choose a way out
        except OSError:
            return None
        return str(probe.getsockname()[0])


def main() -> None:
    """Publish the name until the service is stopped."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    name = LocalName(host=socket.gethostname(), address=local_address, begin=subprocess.Popen)
    waiting = threading.Event()
    while True:
        name.step()
        waiting.wait(LOOK_AGAIN_S)


if __name__ == "__main__":
    main()

"""Publish the mDNS name ``puluc.local`` next to the computer's own: ``python -m companion.service.mdns_name``.

It is a separate service, so that the game neither waits for it nor ends with it. Avahi does the publishing.
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
"""Seconds between two checks of the computer's address. Longer leaves phones with a dead one after it changes."""
NAMES = 9
"""Tables in one network that get a name: puluc, puluc-2 and so on. Any more have only their address."""
TAKEN = ("conflict", "collision")
"""Avahi's words for a name that another computer has. After any other failure the same name is tried again."""


class Publishing(Protocol):
    """A running ``avahi-publish``."""

    def ended(self) -> str | None:
        """Its last message if it has ended; None while it publishes."""
        ...

    def end(self) -> None:
        """Stop publishing."""
        ...


class LocalName:
    """Publishes the first free name for this computer's address, and again when the address changes.

    host: this computer's own name. address: returns its address, or None without a network. begin: starts a command.
    One thread calls ``step`` every few seconds.
    """

    def __init__(
        self, *, host: str, address: Callable[[], str | None], begin: Callable[[Sequence[str]], Publishing]
    ) -> None:
        self._host, self._address, self._begin = host, address, begin
        self._published: tuple[str, Publishing] | None = None
        self._number, self._told = 1, ""

    @property
    def name(self) -> str:
        """The name that is published, or the next one to try."""
        return NAME if self._number == 1 else f"{NAME}-{self._number}"

    def step(self) -> None:
        """Publish the name, unless it is published for the current address."""
        address = self._address()
        if self._published is not None:
            at, publishing = self._published
            said = publishing.ended()
            if said is not None:
                self._published = None
                if any(word in said.lower() for word in TAKEN):
                    self._tell(f"The name {self.name}.local belongs to another computer.")
                    self._number = self._number % NAMES + 1
                else:
                    self._tell(f"The name {self.name}.local could not be published: {said}")
            elif at == address:
                self._tell(f"This table is {self.name}.local, at {address}.")
                return
            else:
                self.close()
        # A computer with that name publishes it already.
        if address is not None and self._host != self.name:
            self._published = address, self._begin(["avahi-publish", "-a", "-R", f"{self.name}.local", address])

    def close(self) -> None:
        """Stop publishing the name. May be called again."""
        if self._published is not None:
            self._published[1].end()
            self._published = None

    def _tell(self, news: str) -> None:
        if news != self._told:
            log.info("%s", news)
        self._told = news


class AvahiPublish:
    """A running ``avahi-publish``."""

    def __init__(self, words: Sequence[str]) -> None:
        self._process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own words, and no shell

    def ended(self) -> str | None:
        return None if self._process.poll() is None else self._process.communicate()[1].strip()

    def end(self) -> None:
        self._process.terminate()
        self._process.communicate()


def local_address() -> str | None:
    """This computer's address in the local network, or None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))  # sends nothing; only makes the system choose a route
        except OSError:
            return None
        return str(probe.getsockname()[0])


def main() -> None:
    """Publish the name until the service is stopped."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    name = LocalName(host=socket.gethostname(), address=local_address, begin=AvahiPublish)
    waiting = threading.Event()
    while True:
        name.step()
        waiting.wait(LOOK_AGAIN_S)


if __name__ == "__main__":
    main()

"""Two network namespaces joined by a virtual cable: one for the service, one for all clients."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

SERVICE = "10.77.0.1"
PLAYER = "10.77.0.2"
STRANGERS = tuple(f"10.77.0.{number}" for number in range(101, 161))


@dataclass(frozen=True, slots=True)
class Network:
    """The names of the two namespaces. ``service`` holds SERVICE, ``clients`` all the other addresses."""

    service: str
    clients: str


def command(namespace: str, *words: str) -> list[str]:
    """The command that runs the arguments inside that namespace, ahead of what other tests do meanwhile."""
    return ["nice", "-n", "-10", "ip", "netns", "exec", namespace, *words]


def missing() -> str | None:
    """Why this machine cannot create namespaces, or None if it can."""
    if shutil.which("ip") is None:
        return "there is no ip command (iproute2)"
    name = f"puluc-try-{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)  # noqa: S607 - as below
    if made.returncode:
        return f"network namespaces cannot be made here: {made.stderr.strip()}"
    _ip("netns", "del", name)
    return None


@contextmanager
def network() -> Iterator[Network]:
    """A network for the duration of a test."""
    made = Network(f"puluc-service-{os.getpid()}", f"puluc-clients-{os.getpid()}")
    with ExitStack() as ends:
        for name in (made.service, made.clients):
            _ip("netns", "add", name)
            ends.callback(_ip, "netns", "del", name)
        _ip("-n", made.service, "link", "add", "cable", "type", "veth", "peer", "name", "cable", "netns", made.clients)
        for name, addresses in ((made.service, (SERVICE,)), (made.clients, (PLAYER, *STRANGERS))):
            for address in addresses:
                _ip("-n", name, "address", "add", f"{address}/24", "dev", "cable")
            for device in ("lo", "cable"):
                _ip("-n", name, "link", "set", device, "up")
        yield made


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)  # noqa: S607 - Debian's, found on the PATH

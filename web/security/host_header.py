"""Protection against DNS rebinding: the table answers only to names that no other site can own.

The owner of an internet name can point it at this computer for a moment, and a browser then takes the table for a part
of their site. Numeric addresses, and names that only the local network knows, cannot be taken over that way.
"""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address

from companion.errors import CompanionError
from companion.i18n import _

LOCAL = ("local", "localhost", "lan", "home", "internal", "home.arpa")
"""Endings that nobody can own on the internet."""


class UnknownName(CompanionError, PermissionError):
    """The table was called by a name that may belong to another site."""

    def __init__(self, host: str) -> None:
        self.host = host
        super().__init__(
            _(
                "This table does not answer to the name {name}. Open it by its number, as the table shows it, or start "
                "it with --name and that name.",
                name=host[:60],
            )
        )


def check_name(host: str | None, own: Collection[str]) -> None:
    """Raises UnknownName for a ``Host`` header that may belong to another site. own: further names of this table."""
    if host is None:
        return
    name = hostname(host)
    is_ours = (
        is_number(name)
        or "." not in name
        or any(name.endswith(f".{ending}") for ending in LOCAL)
        or name in {one.lower().rstrip(".") for one in own}
    )
    if not is_ours:
        raise UnknownName(host)


def hostname(host: str) -> str:
    """The name in a ``Host`` header, without its port.

    >>> hostname("Puluc.Local.:8080"), hostname("[fe80::1]:80"), hostname("192.168.1.7")
    ('puluc.local', 'fe80::1', '192.168.1.7')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower().rstrip(".")


def is_number(name: str) -> bool:
    """Whether that is a numeric address."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True

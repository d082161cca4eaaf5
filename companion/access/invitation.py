"""How others come to the table: its address, as text and as a picture for phones, and the code to type."""

from __future__ import annotations

import io
import socket
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import segno

from companion.access.credentials import readable
from companion.service.mdns_name import NAME, local_address

ALL_ADDRESSES = "0.0.0.0"  # noqa: S104 - a table is there for the phones around it
EVERYWHERE = ("", ALL_ADDRESSES, "::")
"""Hosts that a table is served on to be reached from wherever its network leads."""
AVAHI = Path("/run/avahi-daemon/socket")
"""Exists while Avahi runs, which publishes names that end in .local."""


def shown_host(host: str) -> str:
    """What a phone has to type for a table served on ``host``: our address in the local network, if that is all."""
    if host in EVERYWHERE:
        return local_address() or "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def is_alone(page: str) -> bool:
    """Whether only this computer can open that address."""
    return is_loopback(urlsplit(page).hostname or "")


def is_loopback(host: str) -> bool:
    """Whether a host, by name or number, is this computer itself."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def local_name(address: str) -> str | None:
    """The name ending in .local that leads to that address of ours, or None."""
    if not AVAHI.exists():
        return None
    for name in (f"{NAME}.local", f"{socket.gethostname()}.local"):
        try:
            found = {str(entry[4][0]) for entry in socket.getaddrinfo(name, None, socket.AF_INET)}
        except OSError:
            continue
        if address in found:
            return name
    return None


def qr_svg(address: str) -> str:
    """The QR code of that address as SVG, black on white with its margin, as large as it is given room."""
    return segno.make_qr(address, error="m").svg_inline(border=4, omitsize=True, dark="#000", light="#fff")


def invitation_text(address: str, code: str | None, encoding: str) -> str:
    """An invitation for a terminal: the QR code, the address, and the code for who types.

    address: the whole of it, with the code. encoding: the terminal's. Without block characters the picture is made of
    coloured spaces, twice as high and wide.
    """
    picture = io.StringIO()
    segno.make_qr(address, error="m").terminal(out=picture, border=2, compact=_has_blocks(encoding))
    page = address.partition("?")[0]
    lines = [f"Point a phone's camera here, or open {address}."]
    if code:
        lines.append(f"Or open {page}join and type the code {readable(code)}.")
    if is_alone(page):
        lines.append("Only this computer can open it now; started with --host 0.0.0.0, it lets phones in.")
    return "\n".join((picture.getvalue(), *lines, ""))


def _has_blocks(encoding: str) -> bool:
    try:
        "▀▄█".encode(encoding)
    except UnicodeEncodeError:
        return False
    return True

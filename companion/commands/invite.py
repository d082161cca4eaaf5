"""``puluc invite``: the address of a running table, for example one without a screen."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.access.credentials import stored_code
from companion.access.invitation import invitation_text, shown_host
from companion.access.served_address import ServedAddress
from companion.commands.data_option import data_option
from companion.errors import SettingsUnusable


@click.command()
@data_option()
@click.option("--host", help="Address that the table serves on.  [default: where it was last served]")
@click.option(
    "--port", type=click.IntRange(1, 65535), help="Port that the table serves on.  [default: where it was last served]"
)
def invite(data: Path, host: str | None, port: int | None) -> int:
    """Show the table's address with its code, and as a QR code for phones."""
    code = stored_code(data)
    if code is None:
        raise SettingsUnusable(f"No table keeps its code in '{data}'. Name its folder with --data, or start it first.")
    last = ServedAddress.load(data)
    host, port = host or last.host, port or last.port
    address = f"http://{shown_host(host)}:{port}/?code={code}"
    click.echo(invitation_text(address, code, sys.stdout.encoding), nl=False)
    return 0

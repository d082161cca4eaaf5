"""``puluc invite``: how others come to a table that runs already, such as one without a screen."""

from __future__ import annotations

from pathlib import Path

import click
import platformdirs

from companion.door import kept_code
from companion.errors import SettingsUnusable
from companion.invitation import ALL_ADDRESSES, shown_host, told


@click.command()
@click.option("--data", type=click.Path(path_type=Path), help="Folder where the table keeps its games.")
@click.option("--host", default=ALL_ADDRESSES, help="Address the table serves on, if not on all.")
@click.option("--port", default=8080, show_default=True, type=click.IntRange(1, 65535), help="Port it serves on.")
def invite(data: Path | None, host: str, port: int) -> int:
    """Show the address with the table's code, and its QR code for the phones' cameras."""
    folder = data or platformdirs.user_data_path("puluc")
    code = kept_code(folder)
    if code is None:
        raise SettingsUnusable(
            f"No table keeps its code in '{folder}'. Name its folder with --data, or start it first."
        )
    click.echo(told(f"http://{shown_host(host)}:{port}/?code={code}", code), nl=False)
    return 0

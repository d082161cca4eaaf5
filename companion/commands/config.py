"""``puluc config``: the settings in force, each with what it means and where it comes from; and how to wire them."""

from __future__ import annotations

from pathlib import Path

import click

from companion.errors import SettingsUnusable


@click.command()
@click.option(
    "--config",
    "named",
    type=click.Path(path_type=Path),
    help="The settings file, as for puluc play. Else /etc/puluc/puluc.toml, if it is there.",
)
@click.option("--check", type=click.Path(path_type=Path), help="Only say whether this settings file is right.")
@click.option("--fresh", is_flag=True, help="The settings as they come, as a file to begin with.")
@click.option("--wiring", type=click.Path(path_type=Path), help="Draw how to wire it all, as an SVG file.")
def config(named: Path | None, check: Path | None, fresh: bool, wiring: Path | None) -> None:
    """Show the settings in force: each with what it is for, what it takes, and where it comes from.

    What is shown is a settings file itself: puluc config > puluc.toml keeps it.
    """
    from hardware.pins import Pins, settings_file
    from hardware.settings_text import commented
    from hardware.wiring import draw_wiring

    if check:
        Pins.load(check)
        click.echo(f"{check} is right.", err=True)
        return
    file = None if fresh else settings_file(named)
    pins = Pins.load(file)
    if wiring:
        try:
            wiring.write_text(draw_wiring(pins), encoding="utf-8")
        except OSError as error:
            raise SettingsUnusable(
                f"The drawing cannot be written to {wiring} ({error.strerror}); name a file in a folder of yours."
            ) from error
        click.echo(f"The drawing is in {wiring}. Wire it with the plug pulled.", err=True)
        return
    click.echo(commented(pins, file=file, sources=not fresh), nl=False)

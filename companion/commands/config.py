"""``puluc config``: the panel's settings, where each comes from, and the wiring."""

from __future__ import annotations

from pathlib import Path

import click

from companion.errors import SettingsUnusable


@click.command()
@click.option(
    "--config",
    "named",
    type=click.Path(path_type=Path),
    help="The settings file, as for `puluc play`. [default: /etc/puluc/puluc.toml, if it exists]",
)
@click.option("--check", type=click.Path(path_type=Path), help="Only check this settings file.")
@click.option("--fresh", is_flag=True, help="Print the default settings, to start a file from.")
@click.option("--wiring", type=click.Path(path_type=Path), help="Draw the wiring as an SVG file.")
def config(named: Path | None, check: Path | None, fresh: bool, wiring: Path | None) -> None:
    """Show the settings in use: the meaning of each, its values, and where it comes from.

    What is shown is a settings file itself: `puluc config > puluc.toml` keeps it.
    """
    from hardware.panel.configuration import PanelConfiguration, find_configuration
    from hardware.panel.configuration_text import to_toml
    from hardware.panel.wiring_diagram import draw_wiring

    if check:
        PanelConfiguration.load(check)
        click.echo(f"{check} has no errors.", err=True)
        return
    file = None if fresh else find_configuration(named)
    pins = PanelConfiguration.load(file)
    if wiring:
        try:
            wiring.write_text(draw_wiring(pins), encoding="utf-8")
        except OSError as error:
            raise SettingsUnusable(
                f"The drawing cannot be written to {wiring} ({error.strerror}); name a file in a folder of yours."
            ) from error
        click.echo(f"The drawing is in {wiring}. Unplug the Raspberry Pi before you wire it.", err=True)
        return
    click.echo(to_toml(pins, file=file, sources=not fresh), nl=False)

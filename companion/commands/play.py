"""``puluc play``: the whole companion at one table."""

from __future__ import annotations

from pathlib import Path
from platform import node

import click

from companion.commands.game import fields, game_options
from companion.invitation import ALL_ADDRESSES
from companion.machine import on_a_pi


@click.command()
@click.option(
    "--host",
    default=ALL_ADDRESSES if on_a_pi() else "127.0.0.1",
    show_default=f"{ALL_ADDRESSES}, which lets phones in, on a Raspberry Pi, else 127.0.0.1",
    help="Address to serve on.",
)
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@click.option("--data", type=click.Path(path_type=Path), help="Folder where the games are kept.")
@click.option(
    "--camera",
    default="pi" if on_a_pi() else "simulated",
    show_default="pi on a Raspberry Pi, else simulated",
    help="simulated, pi, usb:N, a stream's URL, folder:DIR (pictures in name order), or none (counts by hand).",
)
@click.option("--profile", type=click.Path(path_type=Path), help="The reader's profile, from puluc calibrate.")
@click.option(
    "--buttons",
    default="mock",
    show_default=True,
    type=click.Choice(["gpio", "mock", "none"]),
    help="The panel: on a Raspberry Pi's pins, on the page alone, or none.",
)
@click.option(
    "--config", type=click.Path(path_type=Path), help="The panel's settings; puluc config shows those in force."
)
@game_options
@click.option("--jade", default="human", show_default=True, help="In the first game: human, a name, or a level.")
@click.option("--obsidian", default="human", show_default=True, help="In the first game: human, a name, or a level.")
@click.option("--mqtt", envvar="PULUC_MQTT", show_envvar=True, help="Tell a club's broker: mqtt://USER:PASSWORD@HOST.")
@click.option("--table", default=node, show_default="this computer's name", help="What the club calls this table.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A name of the internet by which browsers may call this table, besides numbers and local names. Repeatable.",
)
@click.option("--open", "is_open", is_flag=True, help="Let everyone who sees the page play, without the table's code.")
@click.option(
    "--stay", is_flag=True, help="Where something cannot be had, show why and try again, as a service should."
)
@click.option(
    "--solve/--no-solve", default=True, show_default=True, help="Work out the game exactly, beside it, if it was not."
)
def play(
    host: str,
    port: int,
    data: Path | None,
    camera: str,
    profile: Path | None,
    buttons: str,
    config: Path | None,
    variant: str,
    changes: tuple[str, ...],
    jade: str,
    obsidian: str,
    mqtt: str | None,
    table: str,
    names: tuple[str, ...],
    is_open: bool,
    stay: bool,
    solve: bool,
) -> int:
    """Watch the tray, referee the game, and serve it to the phones at the table."""
    from companion.appliance import Settings, serve

    return serve(
        Settings(
            host=host,
            port=port,
            data=data,
            camera=camera,
            profile=profile,
            buttons=buttons,
            config=config,
            variant=variant,
            changes=fields(changes),
            jade=jade,
            obsidian=obsidian,
            mqtt=mqtt,
            table=table,
            names=names,
            open=is_open,
            solve=solve,
            stay=stay,
        )
    )

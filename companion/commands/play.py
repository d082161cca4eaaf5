"""``puluc play``: run the companion for one table."""

from __future__ import annotations

import sys
from pathlib import Path
from platform import node

import click

from companion.access.invitation import ALL_ADDRESSES
from companion.access.start_command import StartCommand
from companion.camera_spec import CameraSpec
from companion.commands.data_option import data_option
from companion.commands.game_options import fields, game_options
from companion.service.machine import on_a_pi


@click.command()
@click.option(
    "--host",
    default=ALL_ADDRESSES if on_a_pi() else "127.0.0.1",
    show_default=f"{ALL_ADDRESSES}, which lets phones in, on a Raspberry Pi, else 127.0.0.1",
    help="Address to serve on.",
)
@click.option("--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
@data_option()
@click.option(
    "--camera",
    default="pi" if on_a_pi() else "simulated",
    show_default="pi on a Raspberry Pi, else simulated",
    help="simulated, simulated:board (draws a board too), pi, usb:N, a stream's URL, folder:DIR (pictures in name "
    "order), phone (a page on it sends them), or none (enter counts by hand).",
)
@click.option(
    "--board-camera",
    default="none",
    show_default=True,
    help="A second camera that watches the board, as --camera; without it, the board is in the first one's picture.",
)
@click.option("--profile", type=click.Path(path_type=Path), help="The reader's profile, from `puluc calibrate`.")
@click.option(
    "--buttons",
    default="mock",
    show_default=True,
    type=click.Choice(["gpio", "mock", "none"]),
    help="The panel: on a Raspberry Pi's pins, simulated on the page, or none.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="The panel's settings file; `puluc config` shows the settings in use.",
)
@game_options
@click.option("--jade", default="human", show_default=True, help="In the first game: human, a name, or a level.")
@click.option("--obsidian", default="human", show_default=True, help="In the first game: human, a name, or a level.")
@click.option(
    "--mqtt", envvar="PULUC_MQTT", show_envvar=True, help="Publish to a club's broker: mqtt://USER:PASSWORD@HOST."
)
@click.option(
    "--table",
    default=node,
    show_default="this computer's name",
    envvar="PULUC_TABLE",
    show_envvar=True,
    help="Name of this table in the club.",
)
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="NAME",
    help="A host name that browsers may use for this table, besides IP addresses and local names. Repeatable.",
)
@click.option("--https", "is_secure", is_flag=True, help="Serve over TLS too, which browsers ask for to use a camera.")
@click.option(
    "--https-port", default=8443, show_default=True, type=click.IntRange(0, 65535), help="For --https; 0 picks one."
)
@click.option("--cert", type=click.Path(path_type=Path), help="A certificate for --https; without it, one is made.")
@click.option("--key", type=click.Path(path_type=Path), help="The private key of --cert.")
@click.option("--open", "is_open", is_flag=True, help="Let everyone who opens the page play, without the table's code.")
@click.option(
    "--stay", is_flag=True, help="If something is missing, show why on the page and try again, as a service should."
)
@click.option("--solve/--no-solve", default=True, show_default=True, help="Solve the game exactly in the background.")
def play(
    host: str,
    port: int,
    data: Path,
    camera: str,
    board_camera: str,
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
    is_secure: bool,
    https_port: int,
    cert: Path | None,
    key: Path | None,
    is_open: bool,
    stay: bool,
    solve: bool,
) -> int:
    """Watch the tray, referee the game, and serve its page to the phones at the table."""
    from companion.app import Settings, serve

    if (cert is None) != (key is None):
        raise click.UsageError("--cert and --key go together: the certificate and its private key, as PEM files.")
    tray, board = CameraSpec.parse(camera), CameraSpec.parse(board_camera or "none")
    if tray == board and tray.kind not in ("none", "phone", "simulated"):
        raise click.UsageError("Without --board-camera, one camera sees tray and board. Name another for the board.")

    return serve(
        Settings(
            host=host,
            port=port,
            data=data,
            camera=tray,
            board_camera=board,
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
            https_port=https_port if is_secure or cert else None,
            certificate=(cert, key) if cert and key else None,
            open=is_open,
            solve=solve,
            stay=stay,
            start_command=StartCommand.from_words(sys.argv, Path.cwd()),
        )
    )

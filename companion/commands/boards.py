"""``puluc boards``: all tables of a club on one page, for a projector."""

from __future__ import annotations

import logging
import threading

import click

from companion.club.broker import Broker, BrokerAddress
from companion.club.table_registry import TableRegistry
from companion.club.topics import ALL_TABLES
from companion.service.shutdown import stop_on_signals

mqtt_help = "The club's MQTT broker: mqtt://HOST, mqtt://USER:PASSWORD@HOST:PORT, or mqtts:// for an encrypted one."


@click.command()
@click.option("--mqtt", required=True, envvar="PULUC_MQTT", show_envvar=True, help=mqtt_help)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to serve on; 0.0.0.0 lets other computers in."
)
@click.option("--port", default=8090, show_default=True, type=click.IntRange(0, 65535), help="0 picks a free one.")
def boards(mqtt: str, host: str, port: int) -> None:
    """Show all tables that publish to the broker on one page."""
    from web.club_app import create_club_app
    from web.serving.server import Server

    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
    registry = TableRegistry()
    address = BrokerAddress.parse(mqtt)
    broker = Broker(address, name="puluc-boards", follow=(ALL_TABLES,), on_message=registry.hear)
    stopping = threading.Event()
    try:
        server = Server(create_club_app(registry, linked=lambda: broker.is_linked), host=host, port=port)
        stop_on_signals(stopping)
        threading.Thread(target=server.run, daemon=True).start()
        click.echo(f"http://{f'[{host}]' if ':' in host else host}:{server.port}/")
        stopping.wait()
        server.close()
    finally:
        broker.close()

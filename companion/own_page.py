"""Our own page, asked by ourselves whether it still answers."""

import http.client
from contextlib import closing

from companion.invitation import EVERYWHERE

PATIENCE_S = 5.0
"""Seconds that it may take to answer."""


def ask(host: str, port: int) -> None:
    """Ask the page served on that host, by the way that is there whatever becomes of the network.

    Raises OSError or HTTPException where it does not answer.
    """
    here = "127.0.0.1" if host in EVERYWHERE else host
    with closing(http.client.HTTPConnection(here, port, timeout=PATIENCE_S)) as page:
        page.request("GET", "/healthz")
        page.getresponse().read()

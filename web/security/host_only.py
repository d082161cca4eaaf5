"""What is the host's to do while the host is here: what would take the table from under the others' hands."""

from __future__ import annotations

from companion.referee.snapshot import Snapshot
from companion.words import _
from web.access import HostWanted, Visitor

ALWAYS = frozenset({"delete", "reset", "restore_backup"})
"""The addresses, as the application calls them, of what cannot be taken back."""
OVER_A_GAME = frozenset({"start", "resume", "bring"})
"""Of what puts another game on the table in the middle of one."""


def check_host(visitor: Visitor, endpoint: str | None, table: Snapshot) -> None:
    """Raises HostWanted where that is the host's, and the host is here and is somebody else."""
    if not visitor.plays or visitor.leads:
        return
    if endpoint in ALWAYS:
        raise HostWanted(_("While the host is here, only the host can do that."))
    if endpoint in OVER_A_GAME and table.undo and table.phase != "over":
        raise HostWanted(_("A game is going on. While the host is here, only the host can put another in its place."))

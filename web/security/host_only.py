"""The requests that only the host may make while the host is here."""

from __future__ import annotations

from companion.i18n import _
from companion.referee.snapshots.snapshot import Snapshot
from web.security.access import HostWanted, Visitor

TEACHING = {f"board_{name}" for name in ("begin", "empty", "corners", "pieces", "accept", "back", "cancel", "forget")}
ALWAYS = frozenset({"delete", "reset", "restore_backup", *TEACHING})
"""Endpoints of what cannot be undone."""
OVER_A_GAME = frozenset({"start", "resume", "import_record", "play_on"})
"""Endpoints of what replaces the game or the match on the table."""


def check_host(visitor: Visitor, endpoint: str | None, table: Snapshot) -> None:
    """Raises HostWanted if only the host may do that, and the host is here and somebody else."""
    if not visitor.plays or visitor.leads:
        return
    if endpoint in ALWAYS:
        raise HostWanted(_("While the host is here, only the host can do that."))
    if endpoint in OVER_A_GAME and table.under_way:
        raise HostWanted(
            _("A game or match is going on. While the host is here, only the host can put another in its place.")
        )

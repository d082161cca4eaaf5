"""Where a table was last served, kept in its folder for ``puluc invite``."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.access.invitation import ALL_ADDRESSES

FILE = "served.json"


@dataclass(frozen=True, slots=True)
class ServedAddress:
    """The address and the port that a table serves on."""

    host: str = ALL_ADDRESSES
    port: int = 8080

    @classmethod
    def load(cls, folder: Path) -> ServedAddress:
        """Where the table of that folder was served last; the defaults if that is not known."""
        try:
            kept = json.loads((folder / FILE).read_text(encoding="utf-8"))
            return cls(host=str(kept["host"]), port=int(kept["port"]))
        except (OSError, ValueError, TypeError, KeyError):
            return cls()

    def save(self, folder: Path) -> None:
        """Keep it in the folder. Raises OSError."""
        (folder / FILE).write_text(json.dumps(asdict(self)), encoding="utf-8")

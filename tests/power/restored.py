"""``python -m tests.power.restored FOLDER BACKUP``: a backup brought back, told once it is. Run under strace."""

import sys
from pathlib import Path

from companion.backup.unpacking import unpacked
from companion.referee.swap import commit
from tests.power.played import told

if __name__ == "__main__":
    staged, _ = unpacked(Path(sys.argv[2]), Path(sys.argv[1]))
    commit(staged)
    told("restored")

"""``python -m tests.power.restored FOLDER BACKUP``: a backup restored, and reported once it is. Run under strace."""

import sys
from pathlib import Path

from companion.backup.unpacking import stage_backup
from companion.storage.restore import commit
from tests.power.played import report

if __name__ == "__main__":
    staged, _ = stage_backup(Path(sys.argv[2]), Path(sys.argv[1]))
    commit(staged)
    report("restored")

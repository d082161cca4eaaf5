"""Random requests cause no server error and no response outside the OpenAPI description."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from time import monotonic

import pytest

from companion.backup.transfers import BackupTransfers
from companion.calibration.mailbox import Mailbox
from companion.live_preview import Preview
from companion.referee.events import ThrowEntered
from companion.referee.history.review_queue import ReviewQueue
from companion.referee.referee import Referee
from tests.advice.material_adviser import MaterialAdviser
from tests.web.conftest import CODE, served
from web.app import create_app

EXAMPLES = 8
"""Requests made up for each address, beside those that try the edges of what is described."""
NOT_ASKED = ",".join(
    (
        # What fits the description may still not fit the moment of the game, and is then refused with 422.
        "positive_data_acceptance",
    )
)


def test_whatever_is_asked_is_answered_as_described(
    referee: Referee, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Schemathesis, with the table's code and without; a few requests an address, or for --fuzz-seconds."""
    for marked in (4, 1, 4):
        referee.submit(ThrowEntered(marked))
    reviews = ReviewQueue(lambda _rules, _marked: MaterialAdviser())
    app = create_app(
        referee,
        code=CODE,
        reviews=reviews,
        calibration=Mailbox(clock=monotonic),
        preview=Preview(clock=monotonic),
        backups=BackupTransfers(tmp_path, copy=referee.copy, stop=lambda: None),
        lifetime=0.1,
    )
    seconds = int(pytestconfig.getoption("--fuzz-seconds"))
    extent = ["--max-time", str(seconds)] if seconds else ["--max-examples", str(EXAMPLES), "--seed", "2026"]
    with served(app) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()"),
                *("run", f"http://127.0.0.1:{server.port}/api/openapi.json", "--no-color", "--continue-on-failure"),
                *("--header", f"Authorization: Bearer {CODE}", "--exclude-checks", NOT_ASKED, *extent),
                *("--generation-database", "none", "--no-shrink", "--warnings", "off"),
            ],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )

    print(done.stdout[-500:])  # noqa: T201 - the figures, for who asks with -s
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No issues found" in done.stdout, done.stdout

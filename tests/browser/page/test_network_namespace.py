"""The page as phones meet it: over plain HTTP, at an address that browsers treat as insecure."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser.network_namespace import HERE

pytestmark = pytest.mark.browser

ALONE = ("unshare", "--map-root-user", "--net")
ROOT = Path(__file__).parents[3]


def lacking() -> str:
    """Why this machine cannot create a network for the test; empty if it can."""
    for tool in ("unshare", "ip"):
        if shutil.which(tool) is None:
            return f"This machine has no {tool}."
    tried = subprocess.run(
        [*ALONE, "ip", "link", "add", "name", "table0", "type", "veth", "peer", "name", "phone0"],
        capture_output=True,
        text=True,
        check=False,
    )
    return f"This machine gives no network of its own: {tried.stderr.strip()}" if tried.returncode else ""


def test_nothing_needs_a_secure_context(browser_type_launch_args: dict[str, Any], tmp_path: Path) -> None:
    """Every screen opens without errors at the machine's network address, ready to play."""
    if why := lacking():
        pytest.skip(why)
    words = [
        sys.executable,
        "-m",
        "tests.browser.network_namespace",
        str(tmp_path),
        browser_type_launch_args["executable_path"],
    ]
    ran = subprocess.run([*ALONE, *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=200)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)

    assert found["address"].startswith(f"http://{HERE}:")
    assert len(found["shows"]) > 5
    assert all(found["shows"].values())
    assert found["secure"] == []
    assert found["playing"] == "yes"
    assert found["noise"] == []

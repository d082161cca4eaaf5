"""Install the packages this version was tested with, each checked against its hash. Needs only the standard library."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

LOCKED = Path(__file__).resolve().parent
LIMITS = LOCKED / "limits.txt"
"""Upper bounds that hold without the lists, too."""
PIP = ("-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check")
MISMATCH = "DO NOT MATCH THE HASHES"
MISSING = re.compile(r"No matching distribution found for (\S+)")


class PackagesRefused(Exception):
    """The tested packages cannot be installed. The message names the reason and the way out."""


def pinned(name: str) -> list[str]:
    """Arguments for Python that install the list ``locked/NAME.txt`` and nothing else."""
    return [*PIP, "--require-hashes", "-r", str(LOCKED / f"{name}.txt")]


def project(*where: str) -> list[str]:
    """Arguments for Python that install this program, once its packages are there, without asking any index."""
    return [*PIP, "--no-index", "--no-deps", "--no-build-isolation", *where]


def newest(*wanted: str) -> list[str]:
    """Arguments for Python that install the newest versions an index offers, unchecked."""
    return [*PIP, "-c", str(LIMITS), *wanted]


def install_pinned(python: Path, arguments: Sequence[str], *, unpinned: bool) -> bool:
    """Run ``python`` with the arguments from `pinned`.

    Returns whether the packages are installed. False only where one of them is not to be had and ``unpinned`` allows
    other versions. Raises PackagesRefused for a file with the wrong hash, whatever ``unpinned`` says, for a
    missing one otherwise, and where pip fails for another reason.
    """
    # Standard output belongs to the companion: scripts read the page's address from it.
    done = subprocess.run([python, *arguments], stdout=sys.stderr, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return True
    print(done.stderr, file=sys.stderr)
    if MISMATCH in done.stderr:
        raise PackagesRefused("A package is not the one this version was tested with, so it was not installed.")
    missing = MISSING.search(done.stderr)
    if missing is None:
        raise PackagesRefused("pip failed, for the reason above. Is this computer online?")
    if unpinned:
        print(f"{missing[1]} is not available. Installing untested versions instead.", file=sys.stderr)
        return False
    raise PackagesRefused(
        f"{missing[1]} is not available, and this version was tested with no other. Nothing was installed.\n"
        "Check that this computer is online. To install the newest versions instead, untested and unchecked, "
        "add --unpinned."
    )

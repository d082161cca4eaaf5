"""Rendered sets from a generator of random throw pictures."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

THROWS = 5
"""Throws rendered of each set. A new set teaches more than further throws of an old one."""

WIDTH = 640


def render(python: Path, generator: Path, first: int, last: int, out: Path) -> None:
    """Render the sets from ``first`` up to but not including ``last``, skipping finished ones.

    Parameters
    ----------
    python : the interpreter of an environment that has what the generator needs
    generator : the folder with the generator's ``throws.py``

    Raises CalledProcessError if the generator fails.
    """
    out.mkdir(parents=True, exist_ok=True)
    command = [
        python.absolute(),
        "throws.py",
        "--random",
        f"{first}:{last}",
        "--count",
        THROWS,
        "--out",
        out.absolute(),
    ]
    with (out / "render.log").open("ab") as log:
        subprocess.run(
            [str(part) for part in (*command, "--width", WIDTH, "--threads", 1)],
            cwd=generator,
            env=os.environ | {"OMP_NUM_THREADS": "1"},
            stdout=log,
            stderr=log,
            check=True,
        )

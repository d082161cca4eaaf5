"""Compare solved chances with exact ones on a larger board: ``python -m tests.bench.solver_exactness``.

Tries every captor and far end and takes about ten minutes; ``tests/advice/solver/test_exactness.py`` does it on smaller
boards.
"""

import sys
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.rules.variant_fields import Captor, FarEnd
from tests.advice.solver.test_exactness import compared, game


def main(spaces: str = "7", pieces: str = "3") -> None:
    for captor in Captor:
        for far_end in FarEnd:
            words = f"spaces={spaces} pieces={pieces} captor={captor} far_end={far_end}"
            with TemporaryDirectory() as folder:
                found = compared(game(words), Fraction(1, 2), Path(folder))
            for numbers, (worst, bound, width, positions) in zip(("double precision", "compact"), found, strict=True):
                said = f"{positions} positions, worst {worst:.1e}, bounds {bound:.1e} and {width:.1e}"
                sys.stdout.write(f"{words}, {numbers}: {said}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])

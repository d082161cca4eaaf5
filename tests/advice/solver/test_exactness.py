"""The solver agrees with chances bounded in integer arithmetic from the rules alone."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from companion.advice.solver.ranking import WON
from companion.advice.solver.solver import Checkpoint, solved
from companion.advice.solver.workspace import Workspace
from companion.rules.odds import parse_chance
from companion.rules.variant import Variant
from companion.rules.variant_fields import Captor, FarEnd
from companion.rules.variants import variant
from tests.advice.solver.exact_chances import exact

pytestmark = pytest.mark.slow

SMALL = "spaces=5 pieces=2"
EVERY_CAPTOR_AND_FAR_END = [f"{SMALL} captor={captor} far_end={far_end}" for captor in Captor for far_end in FarEnd]
EVERY_OTHER_FIELD = [
    f"{SMALL} values=bell",
    f"{SMALL} values=bell exact_home=yes captor=homeward",
    f"{SMALL} values=2,1,2,1,3",
    f"{SMALL} advancing=1 captor=homeward",
    f"{SMALL} advancing=1 far_end=bounce",
    f"{SMALL} exact_home=yes far_end=stop",
    f"{SMALL} sharing=yes captor=homeward far_end=walk_back",
    f"{SMALL} rescued=slain captor=homeward far_end=bounce",
    f"{SMALL} liberation=yes captor=homeward",
    f"{SMALL} liberation=yes",
    f"{SMALL} retreat_captures=yes captor=homeward far_end=walk_back",
    f"{SMALL} fire=3",
    f"{SMALL} fire=2 captor=homeward",
    f"{SMALL} fire=4 winner=most_captures",
    f"{SMALL} captor=leaves captor_retires=yes winner=most_captures far_end=walk_back",
    f"{SMALL} winner=most_captures",
    f"{SMALL} throws=2 advancing=1 sharing=yes captor=homeward far_end=walk_back",
    f"{SMALL} throws=2 fire=2 winner=most_captures",
    f"{SMALL} throws=2 advancing=1 captor=leaves captor_retires=yes winner=most_captures far_end=walk_back",
    f"{SMALL} teams=shared players=2",
    "spaces=6 pieces=3 captor=homeward far_end=stop",
    "spaces=8 pieces=2",
]
BIASED = [f"{SMALL}", f"{SMALL} captor=homeward far_end=stop", f"{SMALL} fire=2"]


def game(words: str) -> Variant:
    return variant("puluc").changed(dict(word.split("=") for word in words.split()))


@pytest.mark.parametrize("words", EVERY_CAPTOR_AND_FAR_END)
def test_every_captor_and_far_end_agrees(words: str, tmp_path: Path) -> None:
    """Every reachable position agrees within both bounds, and to 1e-9."""
    assert_agrees(game(words), Fraction(1, 2), tmp_path)


@pytest.mark.parametrize("words", EVERY_OTHER_FIELD)
def test_every_other_field_agrees(words: str, tmp_path: Path) -> None:
    """Each field of the rules occurs at least once; some boards are larger."""
    assert_agrees(game(words), Fraction(1, 2), tmp_path)


@pytest.mark.parametrize("marked", ["0.3", "9/17"])
@pytest.mark.parametrize("words", BIASED)
def test_lots_that_are_not_fair_agree(words: str, marked: str, tmp_path: Path) -> None:
    """The solver is exact for any chance of a marked face."""
    assert_agrees(game(words), parse_chance(marked), tmp_path)


def assert_agrees(rules: Variant, marked: Fraction, folder: Path) -> None:
    """Both in double precision and in compact numbers, of which only the bound is promised."""
    plain, compact = compared(rules, marked, folder)

    assert plain.exact_width < 1e-9
    assert max(plain.bound, compact.bound) < 1e-6
    assert plain.worst <= min(1e-9, plain.bound + plain.exact_width)
    assert compact.worst <= compact.bound + compact.exact_width


class Comparison(NamedTuple):
    """The largest difference, the solver's bound, the width of the exact bounds, and the number of positions."""

    worst: float
    bound: float
    exact_width: float
    positions: int


def compared(rules: Variant, marked: Fraction, folder: Path) -> list[Comparison]:
    """Solve the game in double precision and in compact numbers, and compare each with the exact chances."""
    truth = exact(rules, marked)
    open_ = [position for position in truth.number if not position.is_decided()]
    wins = np.array([truth.win(position) for position in open_])
    found = []
    for workspace in (Workspace(), Workspace(folder, spare=0)):
        with ThreadPoolExecutor(2) as crew:
            solution = solved(rules, marked, Checkpoint(folder), crew, workspace=workspace)
        addresses = np.array([solution.ranking.address(position) for position in open_], np.int64)
        win = solution.win[addresses] / float(solution.win[WON])
        found.append(Comparison(float(np.abs(win - wins).max()), solution.bound, truth.width, len(open_)))
    return found

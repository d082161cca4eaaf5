"""The solver agrees with chances bounded in integer arithmetic from the rules alone."""

from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

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


@pytest.mark.parametrize("words", EVERY_CAPTOR_AND_FAR_END)
def test_compact_chances_agree_within_their_bound(words: str, tmp_path: Path) -> None:
    """Chances of 32 bits are as exact as they are said to be."""
    workspace = Workspace(tmp_path, spare=0)
    worst, solved_bound, exact_width, _ = compared(game(words), Fraction(1, 2), tmp_path, workspace)

    assert solved_bound < 1e-6
    assert worst <= solved_bound + exact_width


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
    worst, solved_bound, exact_width, _ = compared(rules, marked, folder)

    assert exact_width < 1e-9
    assert solved_bound < 1e-6
    assert worst <= min(1e-9, solved_bound + exact_width)


def compared(
    rules: Variant, marked: Fraction, folder: Path, workspace: Workspace | None = None
) -> tuple[float, float, float, int]:
    """The largest difference, the solver's bound, the width of the exact bounds, and the number of positions."""
    truth = exact(rules, marked)
    with ThreadPoolExecutor(2) as crew:
        solution = solved(rules, marked, Checkpoint(folder), crew, workspace=workspace)
    worst, compared = 0.0, 0
    for position in truth.number:
        if not position.is_decided():
            address = solution.ranking.address(position)
            assert address is not None
            worst = max(worst, abs(float(solution.win[address]) / float(solution.win[WON]) - truth.win(position)))
            compared += 1
    return worst, solution.bound, truth.width, compared

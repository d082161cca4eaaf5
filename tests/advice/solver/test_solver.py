"""Solving is deterministic, survives being killed, and refuses games that are too large."""

import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from filelock import FileLock

from companion.advice.solver import solver
from companion.advice.solver.policy_iteration import WORST_BOUND, LayerGroup
from companion.advice.solver.solved_table import SolvedTable, table_name
from companion.advice.solver.solver import Checkpoint, SolveRequirements, requirements, solve, solved
from companion.advice.solver.workspace import Workspace
from companion.errors import NotAllowed, NotSolvable, NotStored
from companion.rules.notation import parse
from companion.rules.odds import FAIR
from companion.rules.variants import variant

SMALL = variant("puluc").changed({"spaces": "6", "pieces": "3"})


def test_an_existing_table_is_opened_instead_of_solved_again(tmp_path: Path) -> None:
    """An existing table is not touched, and no other file is left."""
    progress: list[float] = []
    first = solve(SMALL, FAIR, tmp_path, progress=progress.append)
    written = first.path.stat().st_mtime_ns
    # The state after a kill between writing the table and cleaning up.
    first.path.with_suffix(".solving").mkdir()
    again = solve(SMALL, FAIR, tmp_path, progress=progress.append)

    assert again.path == first.path
    assert first.path.stat().st_mtime_ns == written
    assert [*tmp_path.iterdir()] == [first.path]
    assert progress == sorted(progress)
    assert progress[-1] == 1


def test_the_number_of_threads_changes_no_byte(tmp_path: Path) -> None:
    """Blocks are swept as a whole, so the split over threads does not matter."""
    one = solve(SMALL, Fraction(53, 100), tmp_path / "one", threads=1)
    many = solve(SMALL, Fraction(53, 100), tmp_path / "many", threads=5)

    assert one.path.read_bytes() == many.path.read_bytes()


def test_compact_arrays_give_the_same_chances(tmp_path: Path) -> None:
    """They differ by no more than both errors, for any number of threads, and no file is left but the table."""
    plain = solve(SMALL, FAIR, tmp_path / "plain")
    one = solve(SMALL, FAIR, tmp_path / "one", compact=True, threads=1)
    many = solve(SMALL, FAIR, tmp_path / "many", compact=True, threads=5)

    assert one.path.read_bytes() == many.path.read_bytes()
    assert plain.error_bound < one.error_bound < WORST_BOUND
    assert abs(one.start - plain.start) <= one.error_bound + plain.error_bound
    assert np.abs(one.stored.astype(np.int32) - plain.stored).max() <= 1
    assert list((tmp_path / "one").iterdir()) == [one.path]


def test_a_checkpoint_of_other_numbers_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that was begun with chances in double precision begins anew with integers."""
    whole = solve(SMALL, FAIR, tmp_path / "whole", compact=True).path.read_bytes()
    monkeypatch.setattr(solver, "KEEP_EVERY_S", 0)

    def stop(done: float) -> None:
        if done > 0.5:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        solve(SMALL, FAIR, tmp_path / "begun", progress=stop, compact=False)
    work = next((tmp_path / "begun").iterdir())

    assert {"win", "done.json"} < {path.name for path in work.iterdir()}
    assert any(path.name.startswith("round") for path in work.iterdir())
    assert solve(SMALL, FAIR, tmp_path / "begun", compact=True).path.read_bytes() == whole


@pytest.mark.parametrize("spare", [1, 1 << 30])
def test_kept_moves_change_no_digit(tmp_path: Path, spare: int) -> None:
    """Moves that are kept, or some of them, give the same chances as those generated in each round."""
    found = []
    with ThreadPoolExecutor(2) as crew:
        for room in (0, spare):
            (folder := tmp_path / str(room)).mkdir()
            found.append(solved(SMALL, FAIR, Checkpoint(folder), crew, workspace=Workspace(spare=room)))
    again, kept = found

    np.testing.assert_array_equal(kept.win, again.win)
    assert kept.bound == again.bound


def test_the_largest_game_of_the_sources_fits_four_gigabytes() -> None:
    """Its arrays are compact; those of a game that fits anyway are not."""
    boolik, buul = (requirements(variant(name)) for name in ("boolik", "buul"))

    assert boolik.compact
    assert boolik.memory < 4e9 < boolik.disk
    assert not buul.compact
    assert buul.memory < boolik.memory
    assert buul.disk < 2e9


@pytest.mark.slow
@pytest.mark.parametrize("compact", [False, True])
def test_killed_at_any_moment_it_produces_the_identical_file(tmp_path: Path, compact: bool) -> None:
    """Runs are killed during groups and writes; the last one finishes."""
    whole = solve(SMALL, FAIR, tmp_path / "whole", compact=compact).path.read_bytes()
    chance, killed = Random(7), 0
    folder = tmp_path / "killed"
    path = folder / table_name(SMALL, FAIR)
    for _ in range(60):
        if path.exists():
            break
        running = subprocess.Popen([sys.executable, "-c", _SOLVE, str(folder), str(compact)], stdout=subprocess.PIPE)
        assert running.stdout is not None
        for _ in range(chance.randrange(3, 20)):
            running.stdout.readline()
        running.send_signal(signal.SIGKILL)
        running.communicate()
        killed += 1
    solve(SMALL, FAIR, folder, compact=compact)

    assert killed > 3
    assert path.read_bytes() == whole
    assert [*folder.iterdir()] == [path]


_SOLVE = """
import sys
from pathlib import Path
from companion.rules.odds import FAIR
from companion.advice.solver import solver
from companion.rules.variants import variant
solver.KEEP_EVERY_S = 0
rules = variant("puluc").changed({"spaces": "6", "pieces": "3"})
solver.solve(
    rules, FAIR, Path(sys.argv[1]), progress=lambda done: print(done, flush=True), compact=sys.argv[2] == "True"
)
"""


def test_stopped_while_a_bound_is_proven_it_produces_the_identical_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round more than without the stop would change the last digits."""
    whole = solve(SMALL, FAIR, tmp_path / "whole").path.read_bytes()
    monkeypatch.setattr(solver, "KEEP_EVERY_S", 0)
    bound, proven = LayerGroup.bound, set[int]()

    def stopped(group: LayerGroup, outside: float) -> float:
        if len(group.win) not in proven:
            proven.add(len(group.win))
            raise KeyboardInterrupt
        return bound(group, outside)

    monkeypatch.setattr(LayerGroup, "bound", stopped)
    table = None
    while table is None:
        with suppress(KeyboardInterrupt):
            table = solve(SMALL, FAIR, tmp_path / "stopped")

    assert len(proven) > 5
    assert table.path.read_bytes() == whole


def test_a_damaged_checkpoint_is_not_used(tmp_path: Path) -> None:
    """If the checkpoint cannot be read, solving starts again instead of giving a wrong table."""
    whole = solve(SMALL, FAIR, tmp_path / "whole").path.read_bytes()
    work = (tmp_path / "damaged" / table_name(SMALL, FAIR)).with_suffix(".solving")
    work.mkdir(parents=True)
    (work / "done.json").write_text('{"groups": 3, "end"')
    (work / "round-0.npy").write_bytes(b"\x93NUMPY cut")

    assert solve(SMALL, FAIR, tmp_path / "damaged").path.read_bytes() == whole


def test_two_processes_do_not_solve_the_same_game(tmp_path: Path) -> None:
    """The second process is refused and changes nothing."""
    work = (tmp_path / table_name(SMALL, FAIR)).with_suffix(".solving")
    work.mkdir()
    with FileLock(work / "lock"), pytest.raises(NotAllowed, match="already"):
        solve(SMALL, FAIR, tmp_path)


def test_several_owners_a_side_are_refused() -> None:
    """Ownership multiplies the positions; the refusal says that searching is possible."""
    with pytest.raises(NotSolvable, match="searching"):
        requirements(variant("aj-sayil").changed({"players": "2"}))
    assert requirements(variant("bul-teams").changed({"players": "3"})).positions > 0


def test_a_game_that_does_not_fit_is_refused_with_its_size(tmp_path: Path) -> None:
    """The limits on positions, memory and disk are checked before anything is written."""
    huge = variant("puluc").changed({"spaces": "24", "pieces": "8"})
    with pytest.raises(NotSolvable, match=r"numbered"):
        solve(huge, FAIR, tmp_path)
    with pytest.raises(NotSolvable, match=r"GB of memory; \d"):
        solver.check_capacity(SMALL, SolveRequirements(10**6, 10**15, 10**6), tmp_path)
    with pytest.raises(NotSolvable, match=r"GB on disk; \d"):
        solver.check_capacity(SMALL, SolveRequirements(10**6, 10**6, 10**15), tmp_path / "not" / "there")
    assert [*tmp_path.iterdir()] == []


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The error names the folder."""
    (tmp_path / "file").write_text("")
    with pytest.raises(NotStored, match="file"):
        solve(SMALL, FAIR, tmp_path / "file" / "tables")


def test_stuck_positions_are_draws_within_the_bound(tmp_path: Path) -> None:
    """With far_end=stop both sides can get stuck for good; such a position is worth one half to both."""
    rules = variant("buluc").changed({"spaces": "5", "pieces": "1"})
    table = solve(rules, FAIR, tmp_path)
    stuck = parse("0/O3J/0 0:0 J", rules)

    assert stuck.is_drawn()
    assert table.win(stuck) == 0.5
    assert table.error_bound < 1e-6


def test_a_table_stores_the_chance_of_the_start(tmp_path: Path) -> None:
    """The stored chance is the one solved, rounded to 16 bits."""
    table = solve(SMALL, FAIR, tmp_path)
    start = table.win(parse("3/6/3 0:0 J", SMALL))

    assert isinstance(table, SolvedTable)
    assert start is not None
    assert start != table.start
    assert abs(start - table.start) <= table.stored_bound

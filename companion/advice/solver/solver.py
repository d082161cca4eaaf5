"""Solves a game and writes its table. A run that was stopped continues, and ends in the same file."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import log
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout

from companion.advice.solver.ranking import DRAWN, FIRST, WON, Ranking, groups, is_two_sided
from companion.advice.solver.rule_arrays import rule_arrays
from companion.advice.solver.solved_table import SolvedTable, table_name, write_table
from companion.advice.solver.workspace import SPARE_MEMORY, Values, Workspace
from companion.errors import NotAllowed, NotSolvable, NotStored
from companion.rules.odds import turn_odds
from companion.rules.position import Position
from companion.rules.variant import Variant
from companion.storage.atomic_file import replacing

BASE_MEMORY = 300 << 20
"""Bytes that Python, NumPy and the compiled code take for any game."""
KEEP_EVERY_S = 20.0
"""Seconds between checkpoints of an unfinished group. A stop loses at most this much work and one round."""
MOST_POSITIONS = 2**32 - FIRST
"""Addresses have 32 bits."""


@dataclass(frozen=True, slots=True)
class SolveRequirements:
    """What solving a game takes: its number of positions, and bytes of memory and disk at most.

    memory: besides SPARE_MEMORY, which arrays that are not compact take where it is free. table: bytes of the finished
    table. seconds: of one core of a desktop computer, to within a factor of two or so. compact: whether chances have
    32 bits and choices are in a file.
    """

    positions: int
    memory: int
    disk: int
    table: int = 0
    seconds: float = 0.0
    compact: bool = False


COMPACT_FROM = 3 << 30
"""Bytes of arrays from which they are compact: chances of 32 bits instead of 64, and choices in a file."""
SECONDS_A_ROLL, ROOM_A_ROLL = 1e-6, 14
"""Processor time on one core of a desktop computer for a position and a roll, and bytes of its moves, to estimate.
Where the moves are not kept it is three times as much. A Pi takes several times as long."""


def requirements(rules: Variant) -> SolveRequirements:
    """What solving the game takes. Raises NotSolvable if several players of a side own their pieces."""
    if not is_two_sided(rules):
        raise NotSolvable(
            f"{rules.name} with {rules.players} players a side who own their pieces has too many positions to be "
            "solved; advice comes from searching ahead. With one player a side it can be solved."
        )
    ranking = Ranking(rules)
    sizes = dict(zip(ranking.layers, ranking.sizes, strict=True))
    together = [sum(sizes[layer] for layer in group) for group in groups(ranking.layers)]
    largest, rolls = max(together), len(turn_odds(rules))
    anew = sum(max(0, size - SPARE_MEMORY // (ROOM_A_ROLL * rolls)) for size in together)
    policy = 4 * rolls * largest
    compact = 8 * ranking.positions + policy > COMPACT_FROM
    chance = 4 if compact else 8
    return SolveRequirements(
        positions=ranking.positions,
        # The choices, or the errors, that come after them; and eight bytes a position of a block, 1/32 of the group.
        memory=BASE_MEMORY + chance * ranking.positions + (2 * largest if compact else policy) + largest // 4,
        disk=(2 + chance) * ranking.positions + chance * largest + (policy if compact else 0),
        compact=compact,
        table=2 * ranking.positions,
        seconds=SECONDS_A_ROLL * rolls * (ranking.positions + 2 * anew),
    )


def solve(
    rules: Variant,
    marked: Fraction,
    folder: Path,
    *,
    progress: Callable[[float], None] = lambda _: None,
    threads: int | None = None,
    compact: bool | None = None,
) -> SolvedTable:
    """Make the table of the game in ``folder``, or open it if it exists.

    progress: called with the share done, from 0 to 1. threads: one for each core by default. compact: see
    SolveRequirements; by default, as they say. Raises NotSolvable if the game cannot be solved or is too large,
    NotAllowed if another process is solving it, and NotStored if the table cannot be written.
    """
    path = folder / table_name(rules, marked)
    work = path.with_suffix(".solving")
    if path.exists():
        # Left by a run that was killed just after writing the table.
        shutil.rmtree(work, ignore_errors=True)
        return SolvedTable.open(path, rules, marked)
    needed = requirements(rules)
    check_capacity(rules, needed, folder)
    try:
        work.mkdir(parents=True, exist_ok=True)
        with FileLock(work / "lock", timeout=0), ThreadPoolExecutor(threads or available_cores()) as pool:
            if needed.compact if compact is None else compact:
                # Its groups are so large that half a GB of moves would save little.
                workspace = Workspace(work, spare=0)
            else:
                free = _free_memory() or needed.memory
                workspace = Workspace(spare=min(SPARE_MEMORY, max(0, free - needed.memory) // 4))
            solution = solved(rules, marked, Checkpoint(work), pool, progress, workspace)
            whole = float(solution.win[WON])
            start = float(solution.win[solution.ranking.address(Position.start(rules))]) / whole
            write_table(path, rules, marked, solution.win[FIRST:], whole=whole, bound=solution.bound, start=start)
        shutil.rmtree(work, ignore_errors=True)
    except Timeout as error:
        raise NotAllowed(f"Another process is already solving {rules.name}. Wait for it, or stop it.") from error
    except OSError as error:
        raise NotStored(f"The table of {rules.name} cannot be written in '{folder}': {error}.") from error
    return SolvedTable.open(path, rules, marked)


@dataclass(frozen=True, slots=True)
class Solution:
    """Every win chance.

    win: (addresses,) float64 or uint32 array, for the side to throw, by the addresses of ``ranking``; win[WON] stands
    for chance 1. bound: see LayerGroup.bound.
    """

    ranking: Ranking
    win: Values
    bound: float


def solved(
    rules: Variant,
    marked: Fraction,
    notes: Checkpoint,
    pool: ThreadPoolExecutor,
    progress: Callable[[float], None] = lambda _: None,
    workspace: Workspace | None = None,
) -> Solution:
    """Solve the game group by group from the checkpoint on. Raises NotSolvable if no bound is found."""
    # Loaded here, because only solving needs compiled code.
    from companion.advice.solver.policy_iteration import RESIDUAL, LayerGroup, Span

    ranking, odds = Ranking(rules), turn_odds(rules, marked)
    rolls = np.array([(*values, -1)[:2] for values in odds], np.int32)
    chances = np.array([float(chance) for chance in odds.values()])
    game, numbers = rule_arrays(ranking), {layer: number for number, layer in enumerate(ranking.layers)}
    workspace = workspace or Workspace()
    win = workspace.win(FIRST + ranking.positions)
    first, bound = notes.load_groups(win)
    for number, layers in enumerate(groups(ranking.layers)):
        spans = tuple(
            Span(numbers[layer], ranking.bases[layer], 0, size)
            for layer in layers
            if (size := ranking.sizes[numbers[layer]])
        )
        if number < first or not spans:
            continue
        begin = spans[0].address
        end = begin + sum(span.size for span in spans)
        group = LayerGroup(game, rolls, chances, win, spans, pool, workspace)
        group.win[:] = win[DRAWN]
        notes.load_round(number, group.win)
        for change in group.solve():
            part = min(1.0, log(change) / log(RESIDUAL)) if change > 0 else 1.0
            progress((begin + part * (end - begin)) / len(win))
            if change > RESIDUAL:
                # The last round is not kept: begun from it, a run would take one more and end in other last digits.
                notes.keep_round(number, group.win)
        try:
            bound = group.bound(bound)
        except ArithmeticError as error:
            raise NotSolvable(f"{rules.name} with these rules cannot be proven: {error}.") from error
        notes.keep_group(number, win[:end], begin, bound)
        progress(end / len(win))
    return Solution(ranking, win, bound)


def available_cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_capacity(rules: Variant, needed: SolveRequirements, folder: Path) -> None:
    """Raises NotSolvable if the game is too large for this computer's free memory or disk."""
    tried = f"With these rules {rules.name} has {needed.positions:,} positions"
    if needed.positions > MOST_POSITIONS:
        raise NotSolvable(f"{tried}, more than the {MOST_POSITIONS:,} that can be numbered. {_INSTEAD}")
    free = _free_memory()
    if free is not None and needed.memory > free:
        raise NotSolvable(
            f"{tried}. Solving it takes {_size(needed.memory)} of memory; {_size(free)} are free. {_INSTEAD}"
        )
    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    free = shutil.disk_usage(existing).free
    if needed.disk > free:
        raise NotSolvable(f"{tried}. Solving it takes {_size(needed.disk)} on disk; {_size(free)} are free. {_INSTEAD}")


_INSTEAD = "Use fewer pieces or spaces, or a larger computer. Meanwhile advice comes from searching ahead."


def _free_memory() -> int | None:
    """Bytes available without swapping; None if the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in lines)
    return int(fields["MemAvailable"].split()[0]) << 10 if "MemAvailable" in fields else None


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


class Checkpoint:
    """The work on an unfinished game: finished groups, and the latest saved round of the current one."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._kept_at = folder, time.monotonic()

    def load_groups(self, win: Values) -> tuple[int, float]:
        """Load the chances of finished groups into ``win``. Returns their number and the bound so far."""
        try:
            kept = json.loads((self._folder / "done.json").read_text())
            if kept["type"] != win.dtype.name:
                return 0, 0.0
            saved = np.memmap(self._folder / "win", win.dtype, mode="r")
            win[FIRST : kept["end"]] = saved[FIRST : kept["end"]]
            return kept["groups"], kept["error_bound"]
        except (FileNotFoundError, ValueError, KeyError):
            # Not begun, or unreadable: start again, which ends in the same table.
            return 0, 0.0

    def load_round(self, group: int, win: Values) -> None:
        """Set the group's chances to those of its saved round, if there is one of the same kind of numbers."""
        with suppress(FileNotFoundError, ValueError):
            saved = np.load(self._folder / f"round-{group}.npy", mmap_mode="r")
            if saved.dtype == win.dtype:
                win[:] = saved

    def keep_round(self, group: int, win: Values) -> None:
        """Save the chances of the current group from time to time."""
        if time.monotonic() - self._kept_at > KEEP_EVERY_S:
            with replacing(self._folder / f"round-{group}.npy") as fresh, fresh.open("wb") as file:
                np.save(file, win)
            self._kept_at = time.monotonic()

    def keep_group(self, group: int, win: Values, begin: int, bound: float) -> None:
        """Save a finished group, whose chances are ``win[begin:]``."""
        with (self._folder / "win").open("ab") as file:
            file.truncate(win.itemsize * begin)
            win[begin:].tofile(file)
            file.flush()
            os.fsync(file.fileno())
        with replacing(self._folder / "done.json") as fresh:
            kept = {"groups": group + 1, "type": win.dtype.name, "end": len(win), "error_bound": bound}
            fresh.write_text(json.dumps(kept))
        (self._folder / f"round-{group}.npy").unlink(missing_ok=True)

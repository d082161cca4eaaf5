"""Solves a game and keeps its table; stopped at any moment, it goes on from there and ends in the same file."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import log
from pathlib import Path

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from companion.advice.keeping import replacing
from companion.advice.odds import turn_odds
from companion.advice.solving.lookup import lookup
from companion.advice.solving.ranking import DRAWN, FIRST, LOST, WON, Ranking, groups, is_two_sided
from companion.advice.table import Table, table_name, write_table
from companion.errors import NotKept, NotNow, NotSolvable
from companion.rules.position import Position
from companion.rules.ruleset import Variant

BASE_MEMORY = 300 << 20
"""Bytes that Python, NumPy and the compiled code take, whatever the game."""
KEEP_EVERY_S = 20.0
"""Seconds after which an unfinished group is written down again: what a stop loses at most, beside one round."""
MOST_POSITIONS = 2**32 - FIRST
"""Addresses have 32 bits."""
WORST_BOUND = 1e-6
"""What a table may be off by, before it is rounded."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What solving a game takes. positions: to be solved. memory, disk: bytes, at the most."""

    positions: int
    memory: int
    disk: int


def needs(rules: Variant) -> Needs:
    """What solving that game takes. Raises NotSolvable where several players own pieces on a side."""
    if not is_two_sided(rules):
        raise NotSolvable(
            f"{rules.name} with {rules.players} players a side who own their pieces has too many positions to be "
            "solved: advice comes from searching ahead. With one player a side it can be solved."
        )
    ranking = Ranking(rules)
    sizes = dict(zip(ranking.layers, ranking.sizes, strict=True))
    largest = max(sum(sizes[layer] for layer in group) for group in groups(ranking.layers))
    rolls = len(turn_odds(rules))
    memory = BASE_MEMORY + 8 * ranking.positions + (4 * rolls + 8) * largest
    return Needs(ranking.positions, memory, 10 * ranking.positions + 8 * largest)


def solve(
    rules: Variant,
    marked: Fraction,
    folder: Path,
    *,
    progress: Callable[[float], None] = lambda _: None,
    threads: int | None = None,
) -> Table:
    """Make the table of that game in ``folder``, or open it where it is there.

    progress: told how much is done, from 0 to 1. threads: how many; one a core unless told.
    Raises NotSolvable where the game cannot be solved or there is no room for it, NotNow where another process is
    solving it, NotKept where it cannot be written down.
    """
    path = folder / table_name(rules, marked)
    work = path.with_suffix(".solving")
    if path.exists():
        # Left behind by a run that was killed just after it had written the table.
        shutil.rmtree(work, ignore_errors=True)
        return Table.open(path, rules, marked)
    needed = needs(rules)
    have_room(rules, needed, folder)
    try:
        work.mkdir(parents=True, exist_ok=True)
        with FileLock(work / "lock", timeout=0), ThreadPoolExecutor(threads or cores()) as crew:
            solution = solved(rules, marked, Notes(work), crew, progress)
            if solution.bound > WORST_BOUND:
                raise NotSolvable(f"{rules.name} was only proven to {solution.bound:.1e}, not to {WORST_BOUND}.")
            start = float(solution.win[solution.ranking.address(Position.start(rules))])
            write_table(path, rules, marked, solution.win[FIRST:], bound=solution.bound, start=start)
        shutil.rmtree(work, ignore_errors=True)
    except Timeout as error:
        raise NotNow(f"{rules.name} is being solved already, by another process. Wait for it, or stop it.") from error
    except OSError as error:
        raise NotKept(f"The table of {rules.name} cannot be written in '{folder}': {error}.") from error
    return Table.open(path, rules, marked)


@dataclass(frozen=True, slots=True)
class Solution:
    """Every chance in full. win: by the addresses of ``ranking``, for the side to throw. bound: see Group.bound."""

    ranking: Ranking
    win: NDArray[np.float64]
    bound: float


def solved(
    rules: Variant,
    marked: Fraction,
    notes: Notes,
    crew: ThreadPoolExecutor,
    progress: Callable[[float], None] = lambda _: None,
) -> Solution:
    """Solve the game group by group, going on from the notes. Raises NotSolvable where no bound is found."""
    # Compiled code is loaded here and not above: whoever only looks into a table needs none.
    from companion.advice.solving.group import RESIDUAL, Group, Span

    ranking, odds = Ranking(rules), turn_odds(rules, marked)
    rolls = np.array([(*values, -1)[:2] for values in odds], np.int32)
    chances = np.array([float(chance) for chance in odds.values()])
    game, numbers = lookup(ranking), {layer: number for number, layer in enumerate(ranking.layers)}
    win = np.empty(FIRST + ranking.positions)
    win[[LOST, DRAWN, WON]] = 0.0, 0.5, 1.0
    first, bound = notes.gone_on(win)
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
        group = Group(game, rolls, chances, win, spans, crew)
        notes.take_up(number, group.win)
        for change in group.solve():
            part = min(1.0, log(change) / log(RESIDUAL)) if change > 0 else 1.0
            progress((begin + part * (end - begin)) / len(win))
            notes.keep_round(number, group.win)
        try:
            bound = group.bound(bound)
        except ArithmeticError as error:
            raise NotSolvable(f"{rules.name} with these rules cannot be proven: {error}.") from error
        notes.keep_group(number, win[:end], begin, bound)
        progress(end / len(win))
    return Solution(ranking, win, bound)


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def have_room(rules: Variant, needed: Needs, folder: Path) -> None:
    """Raises NotSolvable where the game is too large for this computer as it is now."""
    tried = f"Solving {rules.name} with these rules means {needed.positions:,} positions"
    if needed.positions > MOST_POSITIONS:
        raise NotSolvable(f"{tried}, more than the {MOST_POSITIONS:,} that can be numbered. {_INSTEAD}")
    free = _free_memory()
    if free is not None and needed.memory > free:
        raise NotSolvable(f"{tried} and takes {_size(needed.memory)} of memory; {_size(free)} are free. {_INSTEAD}")
    existing = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    free = shutil.disk_usage(existing).free
    if needed.disk > free:
        raise NotSolvable(f"{tried} and takes {_size(needed.disk)} on disk; {_size(free)} are free. {_INSTEAD}")


_INSTEAD = "Take fewer pieces or spaces, or a larger computer; advice comes from searching ahead meanwhile."


def _free_memory() -> int | None:
    """Bytes that can be had without swapping; None where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in lines)
    return int(fields["MemAvailable"].split()[0]) << 10 if "MemAvailable" in fields else None


def _size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.0f} MB"


class Notes:
    """What is kept of a game that is being solved: finished groups, and the last round of the one at hand."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._kept_at = folder, time.monotonic()

    def gone_on(self, win: NDArray[np.float64]) -> tuple[int, float]:
        """Fill in the chances of the finished groups; how many these are, and the bound so far."""
        try:
            kept = json.loads((self._folder / "done.json").read_text())
            win[FIRST : kept["end"]] = np.fromfile(self._folder / "win", count=kept["end"])[FIRST:]
            return kept["groups"], kept["error_bound"]
        except (FileNotFoundError, ValueError, KeyError):
            # Not begun, or not ours to read: from the start, which ends in the same table.
            return 0, 0.0

    def take_up(self, group: int, win: NDArray[np.float64]) -> None:
        """Set the group's chances to what its last round kept, or to even where there is none."""
        try:
            win[:] = np.load(self._folder / f"round-{group}.npy")
        except (FileNotFoundError, ValueError):
            win[:] = 0.5

    def keep_round(self, group: int, win: NDArray[np.float64]) -> None:
        if time.monotonic() - self._kept_at > KEEP_EVERY_S:
            with replacing(self._folder / f"round-{group}.npy") as fresh, fresh.open("wb") as file:
                np.save(file, win)
            self._kept_at = time.monotonic()

    def keep_group(self, group: int, win: NDArray[np.float64], begin: int, bound: float) -> None:
        """Write down a finished group, whose chances are the last ones of ``win``, from ``begin`` on."""
        with (self._folder / "win").open("ab") as file:
            file.truncate(win.itemsize * begin)
            win[begin:].tofile(file)
            file.flush()
            os.fsync(file.fileno())
        with replacing(self._folder / "done.json") as fresh:
            fresh.write_text(json.dumps({"groups": group + 1, "end": len(win), "error_bound": bound}))
        (self._folder / f"round-{group}.npy").unlink(missing_ok=True)

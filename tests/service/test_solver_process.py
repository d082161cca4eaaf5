"""Solving beside the game: the process is started, watched and ended, and advice becomes exact."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep

import pytest
from filelock import FileLock

from companion.advice.solver.solved_table import table_name
from companion.referee.events import GameStarted
from companion.referee.referee import Referee
from companion.rules.odds import FAIR
from companion.rules.variants import variant
from companion.service.solver_process import BackgroundSolver, command
from companion.storage.store import Store
from tests.service.companion_process import running_companion

SMALL = {"spaces": "5", "pieces": "2"}
GAME = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes=SMALL)


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    referee = Referee(Store(tmp_path / "games"), first=GAME)
    yield referee
    referee.close()


def worker(referee: Referee, *script: str, missing: Sequence[bool] = (True,)) -> BackgroundSolver:
    """A solver whose process runs this code. missing: whether a table is missing, call by call; the last repeats."""
    left = list(missing)
    words = [sys.executable, "-c", "\n".join(("import sys, time", *script))]
    return BackgroundSolver(
        referee,
        lambda rules, marked: left.pop(0) if len(left) > 1 else left[0],  # noqa: ARG005 - one for all games
        lambda table: words,  # noqa: ARG005 - one for all games
        wait_s=0.01,
    )


def until_told(referee: Referee, background: BackgroundSolver) -> str:
    """Wait for the message to the players and return it."""
    for _ in range(3000):
        background.step()
        if (solving := referee.snapshot().advice.solving) is not None:
            return solving.sentence
    raise AssertionError("nothing was told")


HALF = "print('{\"done\": 0.5}', flush=True)"
STAYS = "sys.stdin.read()"


def test_a_small_game_is_solved_beside_the_table(tmp_path: Path) -> None:
    """A new companion estimates first; later its advice is exact, and no process is left."""
    changes = [word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")]
    environ = {"XDG_DATA_HOME": str(tmp_path / "usual")}
    with running_companion(tmp_path, "--solve", "--open", "--camera", "none", *changes, environ=environ) as companion:
        for marked in (4, 1):
            companion.ask("POST", "/api/throw", {"marked": marked})
        estimate = companion.until(lambda table: table["advice"]["source"] is not None)
        exact = companion.until(lambda table: table["advice"]["source"] == "exact", seconds=240)
        thrown = companion.ask("POST", "/api/throw", {"marked": 2})
        rated = companion.until(lambda table: not table["advice"]["pending"])
        companion.process.terminate()
        assert companion.process.wait(30) == 0

    assert exact["number"] == estimate["number"]
    assert exact["advice"]["error_bound"] < 1e-5
    assert len(rated["advice"]["moves"]) == len(thrown["moves"])
    assert [file.name for file in (tmp_path / "tables").iterdir()] == [table_name(variant("puluc").changed(SMALL))]


def test_it_says_how_far_it_is_and_ends_with_the_companion(referee: Referee) -> None:
    """While the process runs its progress is shown; closing ends it and clears the message."""
    background = worker(referee, HALF, STAYS)
    solving = until_told(referee, background)
    background.close()
    background.close()

    assert solving.startswith("Working out this game exactly: 50% done.")
    assert referee.snapshot().advice.solving is None


def test_another_game_on_the_table_ends_it(referee: Referee) -> None:
    """The process for the old game is gone, and one for the new game is there."""
    background = worker(referee, HALF, STAYS)
    until_told(referee, background)
    referee.submit(GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1, changes={"spaces": "6"}))
    background.step()
    between = referee.snapshot().advice.solving
    solving = until_told(referee, background)
    background.close()

    assert between is None
    assert solving.startswith("Working out this game exactly: 50% done.")


def test_a_failure_is_told_and_not_repeated(referee: Referee, tmp_path: Path) -> None:
    """The players are shown its last line; it is started once."""
    starts = tmp_path / "starts"
    background = worker(
        referee, f"open({str(starts)!r}, 'a').write('x')", "print('puluc: The disk is full.')", "sys.exit(2)"
    )
    solving = until_told(referee, background)
    for _ in range(20):
        background.step()

    assert solving == "This game could not be worked out exactly, so these are estimates. The disk is full."
    assert starts.read_text() == "x"


@pytest.mark.parametrize(
    ("script", "missing", "logged"),
    [
        ('print(\'{"too_large": "why"}\'); sys.exit(1)', (True,), "Not solved beside the game: why"),
        (HALF, (True, False), "Puluc is solved."),
    ],
)
def test_an_end_without_trouble_is_no_trouble(
    referee: Referee, caplog: pytest.LogCaptureFixture, script: str, missing: tuple[bool, ...], logged: str
) -> None:
    """A game that is too large or already solved leaves no message, and is not tried again."""
    caplog.set_level("INFO")
    background = worker(referee, script, missing=missing)
    while logged not in caplog.text:
        background.step()
    for _ in range(3):
        background.step()

    assert caplog.text.count("Solving Puluc") == 1
    assert referee.snapshot().advice.solving is None


def test_a_process_that_cannot_be_started_is_given_up(referee: Referee, caplog: pytest.LogCaptureFixture) -> None:
    """The companion goes on without it."""
    missing = lambda rules, marked: True  # noqa: ARG005, E731 - one for all games
    background = BackgroundSolver(referee, missing, lambda table: ["/not/there"], wait_s=0)  # noqa: ARG005 - likewise
    for _ in range(3):
        background.step()

    assert caplog.text.count("cannot be started") == 1


def test_the_command_names_the_game(tmp_path: Path) -> None:
    """Changed fields and the players of a side are passed on, so the solver works on the same game."""
    game = GameStarted(
        variant="bul-teams", jade=("A", "B"), obsidian=("C", "D"), seed=1, changes={"values": "0,1,2,3,4"}
    )
    referee = Referee(Store(tmp_path), first=game)
    words = command(referee.state(), tmp_path)
    rules = referee.state().rules
    referee.close()
    changes = dict(word.split("=") for before, word in pairwise(words) if before == "--set")

    assert words[3:7] == ["solve", "--background", "--variant", "bul-teams"]
    assert variant("bul-teams").changed(changes) == rules
    assert words[-4:] == ["--marked", "1/2", "--data", str(tmp_path)]


def solving(folder: Path, *options: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "companion", "solve", "--background", "--data", str(folder), *options]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_it_does_not_outlive_whoever_started_it(tmp_path: Path) -> None:
    """It ends when its standard input ends, as happens when its parent is killed."""
    process = solving(tmp_path)
    assert process.stdin is not None
    assert process.stdout is not None
    begun = process.stdout.readline()
    nice = os.getpriority(os.PRIO_PROCESS, process.pid)
    first_to_go = Path(f"/proc/{process.pid}/oom_score_adj").read_text()
    process.stdin.close()
    status = process.wait(30)
    process.stdout.close()

    assert begun == '{"done": 0.0}\n'
    assert (nice, first_to_go) == (19, "1000\n")
    assert status == 0
    assert not (tmp_path / "tables" / table_name(variant("puluc"), FAIR)).exists()


def test_a_companion_killed_hard_leaves_no_process_behind(tmp_path: Path) -> None:
    """The solver process notices and ends, so that the next companion can continue."""
    with running_companion(
        tmp_path, "--solve", "--open", "--camera", "none", environ={"XDG_DATA_HOME": str(tmp_path)}
    ) as played:
        played.until(lambda table: table["advice"]["solving"] is not None, seconds=120)
        (child,) = children(played.process.pid)
        os.kill(played.process.pid, signal.SIGKILL)
        end = monotonic() + 30
        while is_alive(child):
            assert monotonic() < end
            sleep(0.05)


def children(process: int) -> list[str]:
    return [word for task in Path(f"/proc/{process}/task").glob("*/children") for word in task.read_text().split()]


def is_alive(process: str) -> bool:
    """Whether the process exists and is not a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_while_another_process_is_at_it_it_waits(tmp_path: Path) -> None:
    """That is not a failure; afterwards the table is there."""
    table = tmp_path / "tables" / table_name(variant("puluc").changed(SMALL), FAIR)
    work = table.with_suffix(".solving")
    work.mkdir(parents=True)
    with FileLock(work / "lock"):
        process = solving(tmp_path, *(word for name, value in SMALL.items() for word in ("--set", f"{name}={value}")))
        assert process.stdin is not None
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(2)]
    ended = process.stdout.read()
    status = process.wait(120)
    process.stdin.close()
    process.stdout.close()

    assert lines == ['{"done": 0.0}\n', '{"waiting": true}\n']
    assert '{"done": 1.0}' in ended
    assert status == 0
    assert table.exists()


def test_what_would_take_too_long_is_not_solved_unasked(tmp_path: Path) -> None:
    """A large game is refused with its size before anything is written."""
    process = solving(tmp_path, "--variant", "buul")
    assert process.stdin is not None
    assert process.stdout is not None
    output = process.stdout.read()
    status = process.wait(30)
    process.stdin.close()
    process.stdout.close()

    assert status == 1
    assert "86,479,517 positions" in output
    assert [*tmp_path.iterdir()] == []

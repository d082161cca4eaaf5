"""``puluc cases``: labelled readings from your own tray: list, export, test and learn from them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from companion.cases.case import Case, Outcome, count, outcome
from companion.cases.case_folder import CaseFolder
from companion.cases.export import export, label
from companion.cases.training_record import TrainingRecord
from companion.commands.data_option import data_option
from companion.errors import PictureUnusable, ProfileUnusable, Unknown
from companion.referee.events import ThrowUnreadable

if TYPE_CHECKING:
    from hardware.reader.throw_reader import ThrowReader

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each case.")


@click.group(invoke_without_command=True)
@data_option()
@json_option
@click.pass_context
def cases(context: click.Context, data: Path, as_json: bool) -> None:
    """Labelled readings from your own tray, which the reader learns from and is tested with.

    Without a further word it lists them.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_cases, data=data, as_json=as_json)
    elif as_json or context.get_parameter_source("data") is ParameterSource.COMMANDLINE:
        raise click.UsageError(f"Give the options after the word: puluc cases {context.invoked_subcommand} --data …")


@cases.command("list")
@data_option()
@json_option
def list_cases(data: Path, as_json: bool) -> None:
    """List the cases, oldest first: the reading and the true count."""
    folder = CaseFolder(data)
    found = folder.all()
    learnt = {name for one in found for name in TrainingRecord.of(folder.calibration(one.calibration)).taught}
    for case in found:
        more = {"picture": str(folder.picture(case)), "status": case.outcome.value, "learnt": case.id in learnt}
        facts = {**label(case), **more}
        click.echo(json.dumps(facts) if as_json else _sentence(case, case.id in learnt))
    if not found:
        click.echo(f"No cases are kept in '{folder.path}' yet.", err=True)


@cases.command("export")
@data_option()
@click.argument("out", type=click.Path(path_type=Path))
def export_cases(data: Path, out: Path) -> None:
    """Copy all cases into OUT, a new folder or .zip file.

    It holds the pictures, and labels.json.
    """
    folder = CaseFolder(data)
    found = folder.all()
    if not found:
        raise Unknown(f"No cases are kept in '{folder.path}', so there is nothing to export.")
    export(folder, found, out)
    click.echo(f"Cases exported to {out}: {len(found)}.", err=True)


@cases.command("run")
@data_option()
@click.option("--profile", type=click.Path(path_type=Path), help="Read with this profile instead of each case's own.")
@click.option("--taught", is_flag=True, help="Read with the calibration alone, without what was learnt since.")
@json_option
def run_cases(data: Path, profile: Path | None, taught: bool, as_json: bool) -> int:
    """Read the cases again and compare with the true counts.

    Exit status: 0 none is misread, 1 one is, 2 one could not be read at all.
    """
    folder = CaseFolder(data)
    found = folder.all()
    if not found:
        raise Unknown(f"No cases are kept in '{folder.path}', so there is nothing to run.")
    tally = dict.fromkeys(Outcome, 0)
    status = 0
    for case, answer in _read_again(folder, found, profile, taught):
        if "error" in answer:
            status = 2
            click.echo(answer["error"], err=True)
        else:
            tally[Outcome(answer["status"])] += 1
        click.echo(json.dumps(answer) if as_json else _compared(case, answer))
    click.echo(", ".join(f"{number} {what}" for what, number in tally.items()) + ".", err=True)
    return 1 if tally[Outcome.MISREAD] else status


@cases.command("forget")
@data_option()
@click.option("--all", "everything", is_flag=True, help="Remove all cases, and what was learnt from them.")
@click.argument("ids", nargs=-1)
def forget_cases(data: Path, everything: bool, ids: tuple[str, ...]) -> None:
    """Remove cases by id. The reader forgets what it learnt from them."""
    if everything == bool(ids):
        raise click.UsageError("Name the cases to forget by their ids, or say --all.")
    folder = CaseFolder(data)
    gone = [case.id for case in folder.all()] if everything else [folder.get(name).id for name in ids]
    try:
        folder.forget(gone)
        left = folder.all()
        for place in folder.calibrations():
            if (
                not TrainingRecord.of(place).stands([case for case in left if case.calibration == place.name])
                or everything
            ):
                TrainingRecord().keep(place)
    except OSError as error:
        raise Unknown(f"The cases in '{folder.path}' cannot be changed: {error.strerror}.") from error
    click.echo(f"Cases forgotten: {len(gone)}.", err=True)


@cases.command("learn")
@data_option()
@click.option("--calibration", help="Only from the cases of that calibration, as `puluc cases --json` names it.")
@click.option("--background", is_flag=True, hidden=True)
def learn_cases(data: Path, calibration: str | None, background: bool) -> int:
    """Learn from the cases now, as the companion does during a game.

    Exit status: 0 the reader reads better, 1 there was nothing to gain.
    """
    from companion.commands.learning import beside_a_game, learn

    folder = CaseFolder(data)
    calm = beside_a_game() if background else lambda: None
    places = [place for place in folder.calibrations() if calibration in (None, place.name)]
    if calibration and not places:
        raise Unknown(f"There is no calibration '{calibration[:40]}' in '{folder.path}'.")
    taught = [name for place in places for name in learn(folder, place, calm)]
    click.echo(f"Learnt from {', '.join(taught)}." if taught else "There was nothing to gain.", err=True)
    return 0 if taught else 1


def _sentence(case: Case, learnt: bool) -> str:
    said = f"asked ({case.reason})" if case.read is None else f"read {case.read}"
    end = "  learnt from" if learnt else ""
    return f"{case.id:14} {case.at[:16].replace('T', ' ')}  {case.sticks}: {said}, truly {case.marked}{end}"


def _read_again(
    folder: CaseFolder, found: Sequence[Case], profile: Path | None, taught: bool
) -> Iterator[tuple[Case, dict[str, Any]]]:
    from hardware.cameras.picture_files import load_picture
    from hardware.reader.profile import Profile
    from hardware.reader.throw_reader import ThrowReader

    readers: dict[Path, ThrowReader] = {}
    for case in found:
        place = folder.calibration(case.calibration)
        best = place if taught else place / TrainingRecord.of(place).profile
        which = profile or best
        try:
            if which not in readers:
                readers[which] = ThrowReader(Profile.load(which))
            pixels = load_picture(folder.picture(case))
            start = time.perf_counter()
            seen = readers[which].read(pixels)
        except (PictureUnusable, ProfileUnusable) as error:
            if profile and isinstance(error, ProfileUnusable):
                raise
            yield case, {"id": case.id, "error": str(error)}
            continue
        yield (
            case,
            {
                "id": case.id,
                "status": outcome(count(seen), case.marked).value,
                "marked": case.marked,
                "read": count(seen),
                "reason": seen.reason if isinstance(seen, ThrowUnreadable) else None,
                "then": case.outcome.value,
                "ms": round((time.perf_counter() - start) * 1000, 1),
            },
        )


def _compared(case: Case, answer: dict[str, Any]) -> str:
    if "error" in answer:
        return f"{case.id:14} cannot be read"
    word = answer["status"].upper() if answer["status"] == Outcome.MISREAD else answer["status"]
    said = f"asks ({answer['reason']})" if answer["read"] is None else f"reads {answer['read']}"
    return f"{case.id:14} {word:8} {said}, truly {case.marked}"

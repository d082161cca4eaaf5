"""From seeds to the shipped model: ``python -m training --data FOLDER --out FOLDER``.

It can be stopped at any moment and resumes where it was.
"""

# ruff: noqa: T201 - it reports progress on the terminal

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
import cv2
import numpy as np

from hardware.cameras.camera import Pixels
from hardware.reader.detection.detector import Detector
from hardware.reader.judge.judge_model import Model
from hardware.reader.judge.judged_reader import JudgedReader
from hardware.reader.judge.shipped_judge import DETECTOR, load_judge
from hardware.reader.judge.shipped_judge import HERE as SHIPPED
from hardware.registration.sheet_registration import RegisteredPicture
from training.composing.strangers import Strangers
from training.evaluation import Read, Table
from training.judging.fitted_odds import Places, fitted_odds, places_of, write_odds
from training.judging.sample_store import (
    CLOSE_SMALL,
    FOLDS,
    KINDS,
    SMALL,
    STICKS,
    is_close,
    is_long,
    make_samples,
    sample_files,
    set_of,
)
from training.rendered_sets import RenderedSet, rendered_sets
from training.rendering import render

if TYPE_CHECKING:
    from training.judging.judge_network import Relation

FOLDER = click.Path(path_type=Path, file_okay=False)
MODEL, DIGEST = "lots.onnx", "lots.sha256"
STAGES = ("render", "detector", "samples", "judge", "export", "odds", "evaluate")


@click.command(help=__doc__)
@click.option("--data", type=FOLDER, required=True, help="Keeps rendered sets, samples and the training's state.")
@click.option("--out", type=FOLDER, required=True, help="Where the model's files are put.")
@click.option("--sets", default="", help="FIRST:LAST, the sets to render first; none when left out.")
@click.option("--generator", type=FOLDER, help="The folder of the generator's throws.py.")
@click.option("--python", type=click.Path(path_type=Path), default=Path("python3"), help="The generator's interpreter.")
@click.option("--more", type=FOLDER, multiple=True, help="Further folders of rendered or labelled sets.")
@click.option("--steps", default=7_000, show_default=True, help="Steps that the detector is trained for.")
@click.option("--judge-steps", default=25_000, show_default=True, help="Steps that each judge is trained for.")
@click.option(
    "--before",
    type=FOLDER,
    help="An earlier training's --data: begin with its judges, and ship the mean of their weights and these.",
)
@click.option(
    "--shipped", is_flag=True, help="Begin with the shipped networks' weights, where no earlier training is given."
)
@click.option(
    "--workers", default=1, show_default=True, help="Processes that make the detector's crops and the judges' samples."
)
@click.option("--laid", default=1, show_default=True, help="Sets of drawn lots, and of borrowed ones, on each tray.")
@click.option("--kind", type=click.Choice(KINDS), help="Train one judge alone.")
@click.option(
    "--held-out",
    type=click.IntRange(0, FOLDS - 1),
    help="Train the judges without the sets of that number modulo 5, and report how they judge those.",
)
@click.option("--test", default="", help="FIRST:LAST, evaluate on these sets instead of the validation sets.")
@click.option("--only", type=click.Choice(STAGES), help="One stage alone.")
def main(
    data: Path,
    out: Path,
    sets: str,
    generator: Path | None,
    python: Path,
    more: tuple[Path, ...],
    steps: int,
    judge_steps: int,
    before: Path | None,
    shipped: bool,
    workers: int,
    laid: int,
    kind: str | None,
    held_out: int | None,
    test: str,
    only: str | None,
) -> None:
    if shipped and held_out is not None:
        raise click.UsageError("The shipped judges know the sets that are held out: leave out --shipped or --held-out.")
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    folders = [data / "sets", *more]
    if generator is not None and sets and only in (None, "render"):
        first, last = _range(sets)
        print(f"Rendering sets {first} to {last - 1}")
        render(python, generator, first, last, data / "sets")
    if only in (None, "detector"):
        _detector(folders, data, out, steps, workers, shipped=shipped)
    known = list(rendered_sets(folders))
    if only in (None, "samples"):
        taught = [one for one in known if not one.is_validation]
        print(f"Making samples of {len(taught)} sets", flush=True)
        make_samples(taught, out / MODEL, data / "samples", workers, laid)
    if only in (None, "judge"):
        for name in KINDS if kind is None else (kind,):
            _judge(name, data, before, judge_steps, held_out, shipped=shipped)
    if only in (None, "export"):
        _export(data, before, out, held_out)
    if only in (None, "odds"):
        _fit_odds(known, out)
    if only in (None, "evaluate"):
        tested = range(*_range(test)) if test else None
        _evaluate([one for one in known if (one.is_validation if tested is None else one.number in tested)], out)


def _range(text: str) -> tuple[int, int]:
    first, last = (int(number) for number in text.split(":"))
    return first, last


# The stages that need PyTorch import it themselves.


def _detector(folders: list[Path], data: Path, out: Path, steps: int, workers: int, *, shipped: bool) -> None:
    from training.detector import train
    from training.network import export

    print(f"Training the detector for {steps} steps", flush=True)
    before = DETECTOR if shipped else None
    digest = export(train(folders, data, steps, shipped=before, workers=workers), out / MODEL)
    (out / DIGEST).write_text(digest + "\n", encoding="ascii")
    print(f"{out / MODEL}: {(out / MODEL).stat().st_size} bytes, SHA-256 {digest}")


def _judge(kind: str, data: Path, before: Path | None, steps: int, held_out: int | None, *, shipped: bool) -> None:
    from training.judging.train_judge import train
    from training.judging.validation import report
    from training.model_folder import read_judge

    files = sample_files(data / "samples", kind)
    kept = [path for path in files if set_of(path).number % FOLDS == held_out]
    taught = [path for path in files if path not in kept]
    print(f"Training the judge of {kind} for {steps} steps", flush=True)
    first = _earlier(before, kind, held_out) if shipped else _first(data, before, kind, held_out)
    model = read_judge(kind, SHIPPED) if shipped and first is None else None
    judge = train(
        taught,
        _checkpoint(data, kind, held_out),
        steps,
        is_long=is_long(kind),
        close=is_close(kind),
        before=first,
        shipped=model,
        relation=_relation(data, kind, held_out) if is_close(kind) else None,
    )
    for line in report(judge, kept):
        print(line, flush=True)


def _export(data: Path, before: Path | None, out: Path, held_out: int | None) -> None:
    from training.judging.judge_network import Judge
    from training.judging.train_judge import load, load_mean
    from training.model_folder import write_judges

    def trained(kind: str) -> Judge:
        last = _checkpoint(data, kind, held_out)
        first = _earlier(before, kind, held_out)
        if first is None:
            return load(last, is_long=is_long(kind), close=is_close(kind))
        return load_mean(
            (first, last), sample_files(data / "samples", kind), is_long=is_long(kind), close=is_close(kind)
        )

    write_judges([trained(kind) for kind in KINDS], out)
    print(f"The model is in {out}", flush=True)


def _relation(data: Path, kind: str, held_out: int | None) -> Relation:
    """How the judge of the same lots compares their faces: as the reader does those from close by."""
    from training.judging.train_judge import load
    from training.model_folder import read_judge

    judge = _checkpoint(data, STICKS if is_long(kind) else SMALL, held_out)
    return (load(judge, is_long=is_long(kind)) if judge.exists() else read_judge(kind, SHIPPED)).relation


def _first(data: Path, before: Path | None, kind: str, held_out: int | None) -> Path | None:
    """The checkpoint with whose weights a judge begins; that of small lots from close by begins with theirs."""
    earlier = _earlier(before, kind, held_out)
    small = _checkpoint(data, SMALL, held_out)
    return small if earlier is None and kind == CLOSE_SMALL and small.exists() else earlier


def _earlier(before: Path | None, kind: str, held_out: int | None) -> Path | None:
    """The checkpoint of an earlier training; one before there were networks that look closely has none of these."""
    earlier = None if before is None else _checkpoint(before, kind, held_out)
    return None if earlier is not None and is_close(kind) and not earlier.exists() else earlier


def _checkpoint(data: Path, kind: str, held_out: int | None) -> Path:
    return data / (f"judge_{kind}.pt" if held_out is None else f"judge_{kind}_without_{held_out}.pt")


def _fit_odds(known: Sequence[RenderedSet], out: Path) -> None:
    """Fit by the validation sets, in which the networks err as often as in others."""
    model, strangers = _model(out), Strangers(known)
    places: dict[str, list[Places]] = {STICKS: [], SMALL: []}
    for one in known:
        if one.is_validation:
            seen = places_of(one, model, strangers, np.random.default_rng(one.number))
            if seen is not None:
                places[(STICKS, SMALL)[seen[0]]] += seen[1]
    odds = {kind: fitted_odds(parts) for kind, parts in places.items() if parts}
    write_odds(odds, out)
    print(f"What the evidence counts: {odds}", flush=True)


def _model(out: Path) -> Model:
    return load_judge(out, Detector(out / MODEL, (out / DIGEST).read_text().strip()))


def _evaluate(known: Sequence[RenderedSet], out: Path) -> None:
    model = _model(out)

    def taught(empty: Pixels, marked: Pixels, plain: Pixels) -> Read:
        reader = JudgedReader(model, empty, marked, plain)
        return lambda pixels: reader.read(RegisteredPicture(pixels, np.eye(3)))

    table = Table()
    for one in known:
        table.add(one, taught)
    print(f"{len(known)} sets")
    print("\n".join(table.lines()), flush=True)


if __name__ == "__main__":
    main()

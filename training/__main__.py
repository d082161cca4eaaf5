"""From seeds to the shipped files: ``python -m training --data FOLDER --out FOLDER``.

It can be stopped at any moment and resumes where it was.
"""

# ruff: noqa: T201 - it reports progress on the terminal

from __future__ import annotations

from pathlib import Path

import click
import cv2
import numpy as np

from companion.referee.events import ThrowSeen, ThrowUnreadable
from hardware.cameras.camera import Pixels
from hardware.reader.general.detector import Detector
from hardware.reader.general.face_matcher import FaceWeights
from hardware.reader.general.general_reader import taught_reader
from hardware.reader.measured_reader import MeasuredReader
from hardware.reader.throw_reader import ThrowReader
from hardware.registration.sheet_registration import RegisteredPicture
from training.evaluation import Read, Table
from training.faces import learn_faces, save, set_faces
from training.rendered_sets import RenderedSet, rendered_sets
from training.rendering import render

MODEL, FACES, DIGEST = "lots.onnx", "faces.json", "lots.sha256"

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command(help=__doc__)
@click.option("--data", type=FOLDER, required=True, help="Keeps rendered sets and the training's state.")
@click.option("--out", type=FOLDER, required=True, help="Where the model's files are put.")
@click.option("--sets", default="", help="FIRST:LAST, the sets to render first; none when left out.")
@click.option("--generator", type=FOLDER, help="The folder of the generator's throws.py.")
@click.option("--python", type=click.Path(path_type=Path), default=Path("python3"), help="The generator's interpreter.")
@click.option("--more", type=FOLDER, multiple=True, help="Further folders of rendered or labelled sets.")
@click.option("--steps", default=12_000, show_default=True, help="Steps that the detector is trained for.")
@click.option("--test", default="", help="FIRST:LAST, evaluate on these sets instead of the validation sets.")
@click.option("--only", type=click.Choice(["render", "detector", "faces", "evaluate"]), help="One stage alone.")
def main(
    data: Path,
    out: Path,
    sets: str,
    generator: Path | None,
    python: Path,
    more: tuple[Path, ...],
    steps: int,
    test: str,
    only: str | None,
) -> None:
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    folders = [data / "sets", *more]
    if generator is not None and sets and only in (None, "render"):
        first, last = (int(number) for number in sets.split(":"))
        print(f"Rendering sets {first} to {last - 1}")
        render(python, generator, first, last, data / "sets")
    if only in (None, "detector"):
        _detector(folders, data, out, steps)
    known = list(rendered_sets(folders))
    if only in (None, "faces"):
        _faces([one for one in known if not one.is_validation], out)
    if only in (None, "evaluate"):
        first, last = (int(number) for number in test.split(":")) if test else (0, 0)
        _evaluate([one for one in known if (first <= one.number < last if test else one.is_validation)], out)


def _detector(folders: list[Path], data: Path, out: Path, steps: int) -> None:
    # PyTorch is needed here alone.
    from training.detector import train
    from training.network import export

    print(f"Training the detector for {steps} steps", flush=True)
    digest = export(train(folders, data, steps), out / MODEL)
    (out / DIGEST).write_text(digest + "\n", encoding="ascii")
    print(f"{out / MODEL}: {(out / MODEL).stat().st_size} bytes, SHA-256 {digest}")


def _faces(known: list[RenderedSet], out: Path) -> None:
    print(f"Learning faces from {len(known)} sets", flush=True)
    random = np.random.default_rng(1)
    faces = [faces for one in known if (faces := set_faces(one, random)) is not None]
    save(learn_faces(faces), out / FACES)


def _evaluate(known: list[RenderedSet], out: Path) -> None:
    detector = Detector(out / MODEL, (out / DIGEST).read_text().strip())
    weights = FaceWeights.load(out / FACES)

    def general(empty: Pixels, marked: Pixels, plain: Pixels) -> Read:
        reader = taught_reader(detector, weights, empty, marked, plain)
        return lambda pixels: reader.read(RegisteredPicture(pixels, np.eye(3)))

    def measured(empty: Pixels, marked: Pixels, plain: Pixels) -> Read:
        reader = MeasuredReader(empty, marked, plain)

        def read(pixels: Pixels) -> ThrowSeen | ThrowUnreadable:
            picture = RegisteredPicture(pixels, np.eye(3))
            seen = reader.compare(picture)
            return reader.read(picture, seen) if seen else ThrowUnreadable(reason="moved")

        return read

    def shipped(empty: Pixels, marked: Pixels, plain: Pixels) -> Read:
        return ThrowReader.calibrate(empty, marked, plain).read

    readers = {"the measured reader": measured, "the trained reader": general, "both, as shipped": shipped}
    for name, teach in readers.items():
        table = Table()
        for one in known:
            table.add(one, teach)
        print(f"{name}, {len(known)} sets")
        print("\n".join(table.lines()), flush=True)


if __name__ == "__main__":
    main()

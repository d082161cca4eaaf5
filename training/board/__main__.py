"""Train the board reader's weights on rendered games: ``python -m training.board --games FOLDER [--out FILE]``.

Render the games first; see docs/board.md. Without --out it cross-validates by sets.
"""

# ruff: noqa: T201 - it reports progress on the terminal

from __future__ import annotations

import pickle
from pathlib import Path

import click
import cv2
import numpy as np

from hardware.board.move_matching import BoardMatch
from hardware.board.space_classifier import SpaceClassifier
from training.board.evaluation import read, report
from training.board.fitting import fit, save
from training.board.labelled import LabelledPicture, labelled_pictures, samples

FOLDER = click.Path(path_type=Path, file_okay=False, exists=True)
FOLDS = 5


@click.command(help=__doc__)
@click.option("--games", type=FOLDER, multiple=True, required=True, help="A folder of rendered sets; repeatable.")
@click.option("--out", type=click.Path(path_type=Path), help="Fit on all games and write the weights here.")
@click.option("--test", is_flag=True, help="Evaluate the shipped weights on these games instead.")
@click.option("--cache", type=click.Path(path_type=Path), help="Keep the features here, and take them from here.")
def main(games: tuple[Path, ...], out: Path | None, test: bool, cache: Path | None) -> None:
    cv2.setNumThreads(1)
    if cache is not None and cache.exists():
        pictures: list[LabelledPicture] = pickle.loads(cache.read_bytes())  # noqa: S301 - our own file
    else:
        pictures = [picture for folder in games for picture in labelled_pictures(folder)]
        if cache is not None:
            cache.write_bytes(pickle.dumps(pictures))
    played = [picture for picture in pictures if picture.turn is not None]
    sets = sorted({picture.set_id for picture in pictures})
    times = [picture.ms for picture in pictures]
    print(f"{len(sets)} sets, {len(played)} pictures; {np.mean(times):.0f} ms a picture, {np.max(times):.0f} at most")
    if test:
        shipped = SpaceClassifier.shipped()
        print(report((picture, read(picture, shipped)) for picture in played))
        return
    if out is not None:
        save(fit(*samples(pictures)), out)
        return
    matches: dict[str, BoardMatch] = {}
    for fold in range(FOLDS):
        left_out = set(sets[fold::FOLDS])
        classifier = fit(*samples([picture for picture in pictures if picture.set_id not in left_out]))
        matches |= {picture.file: read(picture, classifier) for picture in played if picture.set_id in left_out}
    print(report((picture, matches[picture.file]) for picture in played))


if __name__ == "__main__":
    main()

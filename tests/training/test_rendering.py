"""Requesting sets by number from the generator."""

import sys
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from training.rendering import render


def generator(folder: Path, code: str) -> Path:
    folder.mkdir()
    (folder / "throws.py").write_text(code)
    return folder


def test_the_generator_is_told_which_sets_and_where(tmp_path: Path) -> None:
    """It runs in its own folder, and its output goes to a log."""
    code = "import sys, pathlib; pathlib.Path('asked').write_text(' '.join(sys.argv[1:])); print('done')"
    made = generator(tmp_path / "generator", code)

    render(Path(sys.executable), made, 100, 102, tmp_path / "sets")

    asked = (made / "asked").read_text()
    assert asked.startswith(f"--random 100:102 --count 5 --out {tmp_path / 'sets'}")
    assert (tmp_path / "sets" / "render.log").read_text() == "done\n"


def test_a_generator_that_fails_stops_the_training(tmp_path: Path) -> None:
    """Otherwise the training would use an incomplete rendering."""
    made = generator(tmp_path / "generator", "raise SystemExit(3)")

    with pytest.raises(CalledProcessError):
        render(Path(sys.executable), made, 100, 102, tmp_path / "sets")

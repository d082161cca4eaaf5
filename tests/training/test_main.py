"""The stages of the training, one after another or alone."""

import sys
from hashlib import sha256
from pathlib import Path

from click.testing import CliRunner

from tests.training.drawn_set import drawn_set
from training.__main__ import main


def test_sets_are_rendered_where_the_other_stages_look_for_them(tmp_path: Path) -> None:
    """Any folder with a throws.py is a generator."""
    (tmp_path / "generator").mkdir()
    (tmp_path / "generator" / "throws.py").write_text("print('rendered')")
    arguments = ["--data", tmp_path / "data", "--out", tmp_path / "out", "--only", "render", "--sets", "7:9"]

    answer = CliRunner().invoke(
        main, [str(part) for part in (*arguments, "--generator", tmp_path / "generator", "--python", sys.executable)]
    )

    assert answer.output == "Rendering sets 7 to 8\n"
    assert (tmp_path / "data" / "sets" / "render.log").read_text() == "rendered\n"


def test_samples_are_made_of_training_sets_alone(tmp_path: Path) -> None:
    """A validation set beside them is left out."""
    drawn_set(tmp_path / "data" / "sets", 4)
    drawn_set(tmp_path / "data" / "sets", 7)
    (tmp_path / "data" / "samples").mkdir()
    for name in ("r00004", "r00004-drawn", "r00004-borrowed"):
        (tmp_path / "data" / "samples" / f"{name}.untaught").touch()
    arguments = ["--data", tmp_path / "data", "--out", tmp_path / "out", "--only", "samples"]

    answer = CliRunner().invoke(main, [str(part) for part in arguments])

    assert answer.exception is None
    assert answer.output == "Making samples of 1 sets\n"


def test_shipped_judges_are_not_tested_on_what_they_know(tmp_path: Path) -> None:
    """They were trained on every part of the sets."""
    arguments = ["--data", str(tmp_path), "--out", str(tmp_path / "out"), "--shipped", "--held-out", "1"]

    answer = CliRunner().invoke(main, arguments)

    assert answer.exit_code == 2
    assert "leave out --shipped or --held-out" in answer.output
    assert not (tmp_path / "out").exists()


def test_a_model_that_does_not_belong_to_its_digest_is_not_evaluated(tmp_path: Path) -> None:
    """All figures belong to one model."""
    (tmp_path / "lots.onnx").write_bytes(b"one")
    (tmp_path / "lots.sha256").write_text(sha256(b"another").hexdigest())

    answer = CliRunner().invoke(main, ["--data", str(tmp_path), "--out", str(tmp_path), "--only", "evaluate"])

    assert isinstance(answer.exception, ValueError)

"""What the evidence counts is fitted to places of which the truth is known."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from hardware.reader.judge.lot_judge import EVIDENCE
from hardware.reader.judge.shipped_judge import shipped_judge
from tests.training.drawn_set import drawn_set
from training.composing.strangers import Strangers
from training.judging import fitted_odds as module
from training.judging.fitted_odds import Places, fitted_odds, places_of, write_odds

COUNTS = np.array([1.5, 0.0, -0.8, -0.3, 2.0])


def known_places(count: int, seed: int) -> Places:
    """Places where lots lie as often as COUNTS say; half of them show their faces."""
    random = np.random.default_rng(seed)
    known = np.column_stack([random.normal(0, 2, (count, EVIDENCE - 1)), np.ones(count)])
    present = (random.random(count) < 1 / (1 + np.exp(-known @ COUNTS))).astype(np.int8)
    shown = present * (random.random(count) < 0.5)
    return Places(known, present, shown.astype(np.int8))


def test_what_made_the_truth_is_found() -> None:
    """Places of several sets count alike; of what shows its face the odds are less by what half the lots are."""
    present, shown = fitted_odds([known_places(4000, 1), known_places(4000, 2)])

    assert present == pytest.approx(COUNTS, abs=0.12)
    assert shown[-1] < present[-1] - 0.5


def test_what_does_not_count_changes_nothing() -> None:
    """Lots of which hardly anything is seen are neither there nor missing."""
    counted = known_places(300, 3)
    more = known_places(100, 4)
    ignored = Places(100 * more.known, np.full(100, -1, np.int8), np.full(100, -1, np.int8))

    assert fitted_odds([counted, ignored]) == fitted_odds([counted])


def test_a_sets_places_are_labelled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All lots that lie free are found, and show their faces; a hand is no lot."""
    monkeypatch.setattr(module, "COMPOSED", 0)
    monkeypatch.setattr("training.judging.lot_samples.SPOILED", 0.0)
    one = drawn_set(tmp_path)

    seen = places_of(one, shipped_judge(), Strangers([one]), np.random.default_rng(1))

    assert seen is not None
    kind, parts = seen
    assert kind == 0
    assert len(parts) == 5
    assert [int((one.present == 1).sum()) for one in parts] == [4, 4, 4, 4, 4]
    assert all((one.shown == one.present).all() for one in parts)
    assert all(one.known.shape == (len(one.present), EVIDENCE) for one in parts)


def test_a_set_that_cannot_be_taught_has_no_places(tmp_path: Path) -> None:
    """An empty tray in place of the marked faces shows no lots."""
    one = drawn_set(tmp_path)
    (one.folder / "cal_marked.jpg").write_bytes((one.folder / "empty.jpg").read_bytes())

    assert places_of(one, shipped_judge(), Strangers([one]), np.random.default_rng(1)) is None


def test_a_models_other_facts_are_kept(tmp_path: Path) -> None:
    """Sticks keep what their evidence counts when small lots alone are fitted."""
    digests = {"small.onnx": "1"}
    facts = {"sha256": digests, "odds": {"sticks": [[1.0]], "small": [[2.0]]}}
    (tmp_path / "model.json").write_text(json.dumps(facts))

    write_odds({"small": [[3.0]]}, tmp_path)

    now = json.loads((tmp_path / "model.json").read_text())
    assert now == {"sha256": digests, "odds": {"sticks": [[1.0]], "small": [[3.0]]}}

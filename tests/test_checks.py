"""start.py defines the checks once; pre-commit and CI both run them."""

import re
from pathlib import Path

import start

ROOT = Path(__file__).parents[1]


def test_pre_commit_runs_the_checks_of_start() -> None:
    """It runs all of them but the tests, in the environment that start.py makes."""
    entries = re.findall(r"entry: (.+)", (ROOT / ".pre-commit-config.yaml").read_text())

    assert entries == [f".venv/bin/python -m {' '.join(check)}" for check in start.LINT]


def test_ci_runs_the_test_command() -> None:
    """The workflow calls only .ci/run, which checks the scripts beside the rest, and fails where either does."""
    steps = re.findall(r"- (?:run|uses): (.+)", (ROOT / ".github" / "workflows" / "ci.yml").read_text())
    last = (ROOT / ".ci" / "run").read_text().splitlines()[-5:]

    assert [step for step in steps if not step.startswith("actions/checkout@")] == [".ci/run"]
    assert last == [
        ".ci/check-scripts &",
        "checking_scripts=$!",
        "wait $setting_up",
        "python3 start.py test",
        "wait $checking_scripts",
    ]

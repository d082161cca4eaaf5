"""CONTRIBUTING.md leads to files that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "systemd/README.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
PATH = re.compile(r"`((?:companion|hardware|web|tests|docs|systemd|locked|training)/[\w/.-]*)`")
MODULE = re.compile(r"python3? -m ((?:companion|tests|training)[\w.]*)")
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")


def tasks() -> list[list[str]]:
    """The rows of the table: the task, the file to open, and its test."""
    section = (ROOT / "CONTRIBUTING.md").read_text().split("| I want to change")[1].split("\n\n")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines()[2:]]


def test_at_least_fifteen_tasks_name_a_file_and_its_test() -> None:
    """Each row has one file of the product, and one test."""
    rows = tasks()

    assert len(rows) >= 15
    for row in rows:
        _, opened, test = row
        assert (ROOT / opened.strip("`")).is_file(), row
        assert (ROOT / test.strip("`")).is_file(), row
        assert test.startswith("`tests/"), row


@pytest.mark.parametrize("document", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_named_exists(document: Path) -> None:
    """Paths in backquotes, modules to run, and links from page to page."""
    text = document.read_text()
    modules = [name.replace(".", "/") for name in MODULE.findall(text)]

    assert [path for path in PATH.findall(text) if not (ROOT / path).exists()] == []
    assert [name for name in modules if not (ROOT / f"{name}.py").exists() and not (ROOT / name).is_dir()] == []
    assert [link for link in LINK.findall(text) if not (document.parent / link).exists()] == []

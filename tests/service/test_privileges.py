"""Root works in another user's folder as that user, so links there cannot lead to root's files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.service.privileges import become_owner_of, first_other_owner, read_regular_file
from tests.box.other_user import NOBODY, ROOT, folder_of_nobody, open_folder, python

BECOME = """
import os, sys
from pathlib import Path
from companion.service.privileges import become_owner_of
name = become_owner_of(Path(sys.argv[1]))
print(name, os.getresuid(), os.getresgid(), 0 in os.getgroups(), os.environ["USER"])
"""


@pytest.fixture
def place() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture
def theirs(place: Path) -> Path:
    return folder_of_nobody(place)


def test_owner_is_whoever_decides_where_a_path_leads(place: Path, theirs: Path) -> None:
    """The first part that root does not own decides; root's own links are followed, others' are not."""
    (theirs / "link").symlink_to("/etc")
    (place / "link").symlink_to(theirs)
    (place / "loop").symlink_to(place / "loop")

    assert first_other_owner(place) is None
    assert first_other_owner(place / "missing") is None
    assert first_other_owner(place / "loop") is None
    for path in (theirs, theirs / "missing", theirs / "link", theirs / "link" / "passwd", place / "link" / "games"):
        assert first_other_owner(path) == (NOBODY, NOBODY), path


def test_root_becomes_the_owner_for_good(theirs: Path) -> None:
    """All of its user and group numbers change, and it keeps no group of root's."""
    command = [*python(everyone=False), "-c", BECOME, str(theirs)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert done.stdout == "nobody (65534, 65534, 65534) (65534, 65534, 65534) False nobody\n"


def test_nothing_changes_in_a_folder_of_ones_own(tmp_path: Path) -> None:
    before = os.getresuid()

    assert become_owner_of(tmp_path) is None
    assert os.getresuid() == before


def test_links_and_pipes_are_not_read(tmp_path: Path) -> None:
    """Only regular files are read, and a pipe does not block."""
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")

    assert read_regular_file(tmp_path / "file") == b"text"
    for name in ("link", "pipe", "missing"):
        with pytest.raises(OSError, match=name):
            read_regular_file(tmp_path / name)


def test_program_that_the_owner_may_not_read_is_refused_at_once(theirs: Path) -> None:
    """Otherwise it would fail later, when the next module is imported."""
    private = theirs.parent / "private"
    private.mkdir(mode=0o700)
    (private / "companion").symlink_to(ROOT / "companion")
    command = [*python(everyone=False), "-m", "companion", "doctor", "--data", str(theirs), "--json"]
    command[1] = f"PYTHONPATH={private}"
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")

    assert done.returncode == 2
    assert "belongs to nobody, who may not read this program" in done.stderr

"""Root works in another user's folder as that user: links there lead neither it nor the user to root's files."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import pytest

from companion.service.privileges import become_owner_of, first_other_owner, read_regular_file

ROOT = Path(__file__).parents[2]
NOBODY = 65534
SECRET = "k7mp3wqx"  # noqa: S105 - no password of anything
"""Looks like a table's code."""
BECOME = """
import os, sys
from pathlib import Path
from companion.service.privileges import become_owner_of
name = become_owner_of(Path(sys.argv[1]))
print(name, os.getresuid(), os.getresgid(), 0 in os.getgroups(), os.environ["USER"])
"""
DOCTOR = """
import os, sys
from pathlib import Path
folder, secret, port = sys.argv[1:]
Path(folder, f"doctor-{os.getpid()}.new").symlink_to(secret)
sys.argv = ["puluc", "doctor", "--data", folder, "--port", port, "--camera", "none", "--json"]
from companion.cli import main
main()
"""


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder of root's that other users can enter, unlike pytest's."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    folder = Path(mkdtemp())
    folder.chmod(0o755)
    yield folder
    rmtree(folder)


@pytest.fixture
def theirs(place: Path) -> Path:
    """A folder of another user."""
    folder = place / "theirs"
    folder.mkdir()
    os.chown(folder, NOBODY, NOBODY)
    return folder


@pytest.fixture
def secret(place: Path) -> Path:
    """A file that only root may read."""
    file = place / "secret"
    file.write_text(SECRET)
    file.chmod(0o600)
    return file


def python(*, everyone: bool) -> list[str]:
    """A Python that runs this program; one that every user may run is looked for if that is needed."""
    path = os.pathsep.join([str(ROOT), *(entry for entry in sys.path if entry.endswith("site-packages"))])
    user = NOBODY if everyone else None
    for program in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        words = ["/usr/bin/env", f"PYTHONPATH={path}", program]
        trial = [*words, "-c", "import companion.cli, numpy"]
        tried = subprocess.run(trial, check=False, capture_output=True, cwd="/", user=user, group=user)
        if tried.returncode == 0:
            return words
    pytest.skip("every Python here, or this folder, is for root alone")


def test_owner_is_whoever_decides_where_a_path_leads(place: Path, theirs: Path) -> None:
    """The first part that is not root's counts; root's own links are followed, another's are not."""
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
    """Only the file itself is, and a pipe keeps nobody waiting."""
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    os.mkfifo(tmp_path / "pipe")

    assert read_regular_file(tmp_path / "file") == b"text"
    for name in ("link", "pipe", "missing"):
        with pytest.raises(OSError, match=name):
            read_regular_file(tmp_path / name)


def test_doctor_as_root_neither_overwrites_nor_sends_files_of_root(theirs: Path, secret: Path) -> None:
    """Where another user has put links to them under the names that the doctor opens."""
    (theirs / "code").symlink_to(secret)
    puluc, heard = python(everyone=True), []

    def listen(server: socket.socket) -> None:
        connection, _address = server.accept()
        with closing(connection):
            heard.append(connection.recv(65536).decode())

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(100)
        listening = threading.Thread(target=listen, args=(server,))
        listening.start()
        command = [*puluc, "-c", DOCTOR, str(theirs), str(secret), str(server.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        listening.join()

    assert secret.read_text() == SECRET
    assert "GET /api/doctor" in heard[0]
    assert SECRET not in heard[0]
    assert "Working as the user nobody" in done.stderr
    assert {"disk", "data", "camera"} <= {json.loads(line)["check"] for line in done.stdout.splitlines()}
    assert not any(path.stat(follow_symlinks=False).st_uid == 0 for path in theirs.iterdir() if not path.is_symlink())


def test_program_that_the_owner_may_not_read_is_refused_at_once(theirs: Path) -> None:
    """Instead of failing somewhere in the middle, when the next module is to be loaded."""
    private = theirs.parent / "private"
    private.mkdir(mode=0o700)
    (private / "companion").symlink_to(ROOT / "companion")
    command = [*python(everyone=False), "-m", "companion", "doctor", "--data", str(theirs), "--json"]
    command[1] = f"PYTHONPATH={private}"
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd="/")

    assert done.returncode == 2
    assert "belongs to nobody, who may not read this program" in done.stderr

"""start.py against an index on 127.0.0.1 that offers the tested version, another one, or both."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAME = "opencv-python"
BACKEND = """
import os
import zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    info, name = "puluc_companion-0.1.0.dist-info", "puluc_companion-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr(
            f"{info}/METADATA",
            "Metadata-Version: 2.1\\nName: puluc-companion\\nVersion: 0.1.0\\nRequires-Dist: opencv-python\\n",
        )
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nGenerator: a test\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
        wheel.writestr("project.pth", os.getcwd())
    return name
"""
"""Builds a wheel that names its folder and requires the package, using only the standard library."""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Print nothing."""


def wheel(folder: Path, version: str, *, forged: bool = False) -> str:
    """Write a wheel whose module cv2 reports its version. Returns its SHA-256."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"opencv_python-{version}-py3-none-any.whl"
    info = f"opencv_python-{version}.dist-info"
    with zipfile.ZipFile(file, "w") as packed:
        for name, text in {
            "cv2.py": f"version = {version!r}\nforged = {forged}\n",
            f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {version}\n",
            f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            f"{info}/RECORD": "",
        }.items():
            packed.writestr(zipfile.ZipInfo(name), text)
    return hashlib.sha256(file.read_bytes()).hexdigest()


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the folder as a package index. Yields its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """This program's set-up with a stub program that prints its cv2 version, pinned to 1.0."""
    project = tmp_path / "project"
    for file in ("start.py", "locked/packages.py", "locked/limits.txt", "companion/service/machine.py"):
        (project / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, project / file)
    (project / "companion" / "__main__.py").write_text("import cv2\nprint(cv2.version)\n")
    (project / "backend.py").write_text(BACKEND)
    (project / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "puluc-companion"\nversion = "0.1.0"\n'
    )
    tested = wheel(tmp_path / "tested", "1.0")
    (project / "locked" / "play.txt").write_text(f"{NAME}==1.0 --hash=sha256:{tested}\n")
    return project


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment that contains only pip."""
    folder = tmp_path_factory.mktemp("environment") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    (folder / "ready-before").touch()
    return folder


@pytest.fixture
def updated(project: Path, environment: Path) -> Path:
    """The same project with an earlier version installed."""
    shutil.copytree(environment, project / ".venv", symlinks=True)
    return project


def started(project: Path, index: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run start.py against that index only."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    with served(index) as address:
        environ |= {"PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": address, "PIP_NO_CACHE_DIR": "1"}
        command = [sys.executable, str(project / "start.py"), *words]
        return subprocess.run(
            command, capture_output=True, text=True, env=environ, cwd=project.parent, timeout=120, check=False
        )


def installed(project: Path) -> list[str]:
    """The installed versions of the package."""
    return [path.name for path in (project / ".venv").rglob("opencv_python-*.dist-info")]


def test_the_tested_version_is_installed_although_a_newer_one_exists(project: Path, tmp_path: Path) -> None:
    """A forged 9.9 beside the tested 1.0 is never considered. The folder may be moved afterwards."""
    wheel(tmp_path / "index" / NAME, "1.0")
    wheel(tmp_path / "index" / NAME, "9.9", forged=True)

    done = started(project, tmp_path / "index")

    assert done.stdout == "1.0\n", done.stderr
    assert (project / ".venv").exists()

    moved = project.rename(tmp_path / "moved")
    again = started(moved, tmp_path / "index")

    assert again.stdout == "1.0\n", again.stderr


def test_a_second_start_waits_for_the_first(updated: Path, tmp_path: Path) -> None:
    """It says so, and starts once the first has installed everything."""
    wheel(tmp_path / "index" / NAME, "1.0")
    with ThreadPoolExecutor() as threads:
        both = list(threads.map(lambda _: started(updated, tmp_path / "index"), range(2)))

    assert [done.stdout for done in both] == ["1.0\n", "1.0\n"], [done.stderr for done in both]
    assert sorted("Another start is setting up" in done.stderr for done in both) == [False, True]
    assert sorted("Installing into" in done.stderr for done in both) == [False, True]


def test_help_sets_nothing_up(project: Path, tmp_path: Path) -> None:
    """It names its own words, and where the companion's options are."""
    done = started(project, tmp_path, "--help")

    assert done.returncode == 0, done.stderr
    assert "start.py test" in done.stdout
    assert "play --help" in done.stdout
    assert not (project / ".venv").exists()


def test_a_version_missing_from_the_index_stops_the_installation(updated: Path, tmp_path: Path) -> None:
    """The message names the version and the remedy; only --unpinned installs the newest instead."""
    wheel(tmp_path / "index" / NAME, "9.9", forged=True)
    done = started(updated, tmp_path / "index")

    assert done.returncode == 1
    assert f"{NAME}==1.0 is not available" in done.stderr
    assert "--unpinned" in done.stderr
    assert installed(updated) == []

    done = started(updated, tmp_path / "index", "--unpinned")

    assert done.stdout == "9.9\n", done.stderr


def test_a_file_with_another_content_is_never_installed(updated: Path, tmp_path: Path) -> None:
    """A forged 1.0 is refused, even with --unpinned."""
    wheel(tmp_path / "index" / NAME, "1.0", forged=True)

    for words in ((), ("--unpinned",)):
        done = started(updated, tmp_path / "index", *words)
        assert done.returncode == 1
        assert "not the one this version was tested with" in done.stderr
        assert installed(updated) == []

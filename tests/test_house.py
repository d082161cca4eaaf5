"""The layout of the code: allowed imports between rooms, one room for each library, unique class names, plain files."""

from __future__ import annotations

import ast
import shutil
import subprocess
from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("companion", "hardware", "web")
BASE = {"companion.errors", "companion.i18n", "companion.rules", "companion.storage.atomic_file"}
"""Rooms that all others may import."""

MAY_IMPORT: dict[str, str] = {
    "companion": "",
    "hardware": "",
    "companion.i18n": "",
    "companion.errors": "companion.i18n",
    "companion.rules": "companion.errors companion.i18n",
    "companion.storage.atomic_file": "",
    "companion.panel": "",
    "companion.camera_spec": "",
    "companion.phone_camera": "",
    "companion.live_preview": "",
    "companion.printing": "",
    "companion.service": "",
    # advice: from the rules to win chances
    "companion.advice.styles": "",
    "companion.advice.solver": "companion.advice.styles",
    "companion.advice": "companion.advice.solver companion.advice.styles",
    "companion.advice.review": "companion.advice companion.advice.styles",
    "companion.advice.report": "companion.advice companion.advice.solver companion.advice.styles",
    # the game: its state, snapshots, storage and the referee
    "companion.referee": "companion.advice companion.advice.styles",
    "companion.referee.board": "companion.referee",
    "companion.referee.snapshots": """companion.advice companion.advice.review companion.phone_camera
        companion.referee companion.referee.board""",
    "companion.referee.history": """companion.advice companion.advice.review companion.referee
        companion.referee.snapshots""",
    "companion.storage": "companion.camera_spec companion.referee",
    "companion.storage.recovery": "companion.referee companion.storage",
    "companion.referee.consequences": "companion.referee companion.storage",
    "companion.referee.referee": """companion.advice companion.referee companion.referee.board
        companion.referee.consequences companion.referee.snapshots companion.storage""",
    "companion.referee.workers": """companion.advice companion.advice.review companion.referee companion.referee.history
        companion.referee.referee""",
    # services beside the game
    "companion.access": "companion.service",
    "companion.backup": "companion.service companion.storage companion.storage.recovery",
    "companion.calibration": "companion.referee companion.referee.board",
    "companion.cases": "companion.referee companion.referee.referee companion.service",
    "companion.club": "companion.referee.referee companion.referee.snapshots",
    "companion.doctor": "companion.camera_spec companion.panel companion.referee companion.service",
    "companion.service.background_solve": "companion.advice.solver",
    "companion.service.health_check": "companion.access",
    "companion.service.solver_process": """companion.advice.solver companion.referee companion.referee.referee
        companion.service""",
    "companion.service.status_line": "companion.referee companion.referee.referee companion.referee.snapshots",
    # cameras and pins
    "hardware.cameras": "companion.camera_spec companion.phone_camera companion.referee",
    "hardware.reader": "companion.cases companion.referee hardware.cameras hardware.registration",
    "hardware.composing": "companion.calibration companion.referee hardware.cameras hardware.reader",
    "hardware.board": """companion.cases companion.printing companion.referee.board hardware.cameras
        hardware.registration hardware.tracking.intrusion""",
    "hardware.registration": "companion.phone_camera companion.printing companion.referee hardware.cameras",
    "hardware.tracking": """companion.calibration companion.cases companion.doctor companion.phone_camera
        companion.live_preview companion.referee companion.referee.board companion.referee.snapshots companion.service
        hardware.board hardware.cameras hardware.composing hardware.reader
        hardware.registration hardware.tracking.intrusion""",
    "hardware.tracking.intrusion": "hardware.cameras",
    "hardware.panel": "companion.panel companion.referee companion.referee.referee companion.service",
    # the page
    "web": "companion.referee companion.referee.snapshots",
    "web.diagrams": "companion.advice.review companion.referee companion.referee.snapshots",
    "web.serving.limits": "",
    "web.serving": """companion.referee companion.referee.referee companion.referee.snapshots web
        web.serving.limits""",
    "web.security": "companion.access companion.referee.snapshots web web.serving",
    "web.routes": """companion.access companion.advice companion.advice.review companion.advice.styles
        companion.backup companion.calibration companion.doctor companion.panel companion.phone_camera
        companion.live_preview companion.referee companion.referee.board companion.referee.history
        companion.referee.referee companion.referee.snapshots companion.referee.workers web web.diagrams web.security
        web.serving web.serving.limits""",
    "web.app": """companion.access companion.backup companion.calibration companion.doctor companion.panel
        companion.phone_camera companion.live_preview companion.referee.history companion.referee.referee
        companion.referee.workers web web.routes web.security web.serving""",
    "web.club_app": "companion.club web web.app web.routes web.serving",
    "web.serving.waiting_page": "companion.backup web web.app web.routes web.security",
    # the composition root, which may import everything else
    "companion.service.startup_fallback": "*",
    "companion.commands": "*",
    "companion.board_assembly": "*",
    "companion.camera_assembly": "*",
    "companion.app": "*",
    "companion.commands.play": "*",
    "companion.cli": "*",
    "companion.__main__": "*",
}
"""Each room with the rooms that it may import besides itself and the base. The longest matching name decides;
a module is its own room where it ranks above or below the rest of its folder.
"""
FRONT_DOOR = [room for room, allowed in MAY_IMPORT.items() if allowed == "*"]
"""In the order of the table; each may import those before it."""

ONLY_IN: dict[str, str | tuple[str, ...]] = {
    "cv2": "hardware",
    "cryptography": "companion/access/certificate.py",
    "flask": "web",
    "sqlite3": "companion/storage",
    "gpiozero": "hardware/panel/panel.py",
    "paho": "companion/club/broker.py",
    "picamera2": "hardware/cameras/pi_camera.py",
    "libcamera": "hardware/cameras/pi_camera.py",
    "matplotlib": ("companion/advice/report/plots.py", "companion/printing"),
    "numba": "companion/advice/solver",
}
FILES_IN_A_FOLDER = 14
"""Maximum number of Python or JavaScript files in a folder."""
LARGE_FOLDERS = {"companion/commands", "tests/bench"}
"""Folders with one file for each command or measurement."""


def allowed(room: str) -> set[str]:
    """The rooms that ``room`` may import."""
    if room in FRONT_DOOR:
        return MAY_IMPORT.keys() - set(FRONT_DOOR[FRONT_DOOR.index(room) :])
    base = set() if room in BASE else BASE
    return {*base, *MAY_IMPORT[room].split()}


def room_of(module: str) -> str:
    """The longest room in the table that contains ``module``."""
    rooms = [room for room in MAY_IMPORT if module == room or module.startswith(f"{room}.")]
    assert rooms, f"{module} is in no room of the table"
    return max(rooms, key=len)


def files(package: str) -> list[Path]:
    """The Python files of a package, with paths relative to the repository."""
    found = [path.relative_to(ROOT) for path in sorted((ROOT / package).rglob("*.py"))]
    assert found, package
    return found


def module(path: Path) -> str:
    """The dotted name of a file."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


@cache
def imports(path: Path) -> set[str]:
    """The dotted names of the modules that a file imports, anywhere in it."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                at = ROOT / name.replace(".", "/")
                names.add(name if at.is_dir() or at.with_suffix(".py").exists() else node.module)
    return names


@pytest.mark.parametrize("package", PACKAGES)
def test_rooms_import_only_what_the_table_allows(package: str) -> None:
    """The rules do not import the referee, nor the companion cameras or pages, nor cameras and pages each other."""
    wrong = []
    for path in files(package):
        room = room_of(module(path))
        ours = {name for name in imports(path) if name.split(".")[0] in PACKAGES}
        wrong += [f"{module(path)} imports {name}" for name in ours if room_of(name) not in {room, *allowed(room)}]

    assert wrong == []


def test_the_table_has_no_cycle() -> None:
    """Rooms can be ordered so that each imports only earlier ones."""
    order = list(TopologicalSorter({room: allowed(room) for room in MAY_IMPORT}).static_order())

    assert set(order) == set(MAY_IMPORT)


@pytest.mark.parametrize("package", ["companion", "hardware", "web"])
def test_every_room_exists(package: str) -> None:
    """The table names no room that has been removed."""
    modules = {module(path) for path in files(package)}

    assert {room for room in MAY_IMPORT if room.split(".")[0] == package} <= modules


@pytest.mark.parametrize("library", ONLY_IN)
def test_each_library_has_its_room(library: str) -> None:
    """Libraries for pictures, pages, pins and storage are each imported in one room."""
    where = [
        path.as_posix()
        for package in PACKAGES
        for path in files(package)
        if library in {name.split(".")[0] for name in imports(path)}
    ]

    rooms = ONLY_IN[library]
    rooms = (rooms,) if isinstance(rooms, str) else rooms
    assert where
    assert all(any(path == room or path.startswith(f"{room}/") for room in rooms) for path in where), where


def test_no_folder_is_overfull() -> None:
    """A folder holds at most about a dozen files of Python or JavaScript."""
    counts: dict[str, int] = defaultdict(int)
    for package in (*PACKAGES, "tests"):
        for path in (ROOT / package).rglob("*"):
            if path.suffix in (".py", ".js"):
                counts[path.parent.relative_to(ROOT).as_posix()] += 1

    assert {folder for folder, count in counts.items() if count > FILES_IN_A_FOLDER} <= LARGE_FOLDERS


def test_class_names_mean_one_thing() -> None:
    """No two classes of the program have the same name."""
    places = defaultdict(list)
    for package in PACKAGES:
        for path in files(package):
            for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places[node.name].append(path.as_posix())

    assert not {name: where for name, where in places.items() if len(where) > 1}


GIT = shutil.which("git") or ""


@pytest.mark.skipif(not (GIT and (ROOT / ".git").exists()), reason="no git, or a copy without its history")
def test_only_plain_files_are_committed() -> None:
    """A link to a place of one computer, such as its virtual environment, would break every fresh clone."""
    # A checkout may belong to somebody else than who runs the tests.
    listing = [GIT, "-c", f"safe.directory={ROOT}", "ls-files", "--stage"]
    listed = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout

    modes = {path: mode for mode, _hash, _stage, path in (line.split(maxsplit=3) for line in listed.splitlines())}
    assert not {path: mode for path, mode in modes.items() if mode not in ("100644", "100755")}

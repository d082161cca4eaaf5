"""The house stays in order: imports point inward, and nothing says whose machine it was built on."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAY_IMPORT = {
    "companion": {"companion"},
    "hardware": {"hardware", "companion"},
    "web": {"web", "companion"},
}
FRONT_DOOR = {Path("companion/cli.py"), Path("companion/appliance.py"), Path("companion/standby.py")}
INNER = {
    "companion/rules": {"companion.rules", "companion.errors", "companion.words"},
    "companion/advice": {"companion.advice", "companion.rules", "companion.errors", "companion.words"},
    "companion/referee": {
        "companion.referee",
        "companion.advice",
        "companion.rules",
        "companion.errors",
        "companion.words",
    },
    "companion/paper": {"companion.paper"},
}
ONLY_IN: dict[str, str | tuple[str, ...]] = {
    "cv2": "hardware",
    "flask": "web",
    "waitress": "web",
    "sqlite3": ("companion/referee/store.py", "companion/referee/copies.py"),
    "gpiozero": "hardware/panel.py",
    "paho": "companion/club/broker.py",
    "picamera2": "hardware/camera_pi.py",
    "libcamera": "hardware/camera_pi.py",
    "matplotlib": ("companion/advice/plots.py", "companion/paper"),
    "numba": "companion/advice/solving",
}


def imports(path: Path) -> set[str]:
    """The dotted names that a file imports, anywhere in it."""
    tree = ast.parse(path.read_text())
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            names.add(node.module or "")
    return names


def files(folder: str) -> list[Path]:
    found = sorted((ROOT / folder).rglob("*.py"))
    assert found, folder
    return found


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_inward(package: str) -> None:
    """companion knows neither camera nor page; camera and page do not know each other."""
    for path in files(package):
        inside = path.relative_to(ROOT)
        if inside in FRONT_DOOR or inside.parent == Path("companion/commands"):
            continue
        ours = {name.split(".")[0] for name in imports(path)} & MAY_IMPORT.keys()
        assert ours <= MAY_IMPORT[package], path


@pytest.mark.parametrize("folder", INNER)
def test_rules_know_nothing_of_referees(folder: str) -> None:
    """Rules, advice, referee: each knows only those before it."""
    for path in files(folder):
        ours = {".".join(name.split(".")[:2]) for name in imports(path) if name.startswith("companion")}
        assert ours <= INNER[folder], path


@pytest.mark.parametrize("library", ONLY_IN)
def test_each_library_has_its_room(library: str) -> None:
    """What belongs to pictures, pages, pins or storage is imported there and nowhere else."""
    where = [
        path.relative_to(ROOT).as_posix()
        for package in MAY_IMPORT
        for path in files(package)
        if library in {name.split(".")[0] for name in imports(path)}
    ]

    rooms = ONLY_IN[library]
    rooms = (rooms,) if isinstance(rooms, str) else rooms
    assert where
    assert all(any(path == room or path.startswith(f"{room}/") for room in rooms) for path in where), where

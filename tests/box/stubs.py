"""Stubs of the packages that only Raspberry Pi OS has, as a local apt repository."""

from __future__ import annotations

import gzip
import hashlib
import subprocess
from pathlib import Path

PICAMERA2 = '''"""A stand-in: the library is there, and no camera hangs on it."""


class Picamera2:
    @staticmethod
    def global_camera_info():
        return []
'''
LIBCAMERA = '"""A stand-in."""\n\nfrom types import SimpleNamespace\n\ncontrols = SimpleNamespace()\n'
LGPIO = '''"""A stand-in: the library is there, and the pins are not."""


class error(Exception):
    pass


def gpiochip_open(chip):
    raise error("can not open gpiochip")
'''
PACKAGES = {
    "python3-picamera2": {"picamera2.py": PICAMERA2, "libcamera.py": LIBCAMERA},
    "python3-lgpio": {"lgpio.py": LGPIO},
}


def put(root: Path) -> list[str]:
    """Put the packages under ``root`` and configure apt there to use them. Returns their names."""
    shelf = root / "opt" / "stand-ins"
    shelf.mkdir(parents=True, exist_ok=True)
    index = ""
    for name, modules in PACKAGES.items():
        tree = root / "tmp" / name
        library = tree / "usr" / "lib" / "python3" / "dist-packages"
        library.mkdir(parents=True, exist_ok=True)
        for module, text in modules.items():
            (library / module).write_text(text)
        facts = (
            f"Package: {name}\nVersion: 0.0\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\n"
            "Depends: python3\nDescription: a stand-in for a test\n"
        )
        (tree / "DEBIAN").mkdir(exist_ok=True)
        (tree / "DEBIAN" / "control").write_text(facts)
        packed = shelf / f"{name}.deb"
        subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, packed], check=True, capture_output=True)
        data = packed.read_bytes()
        index += f"{facts}Filename: ./{packed.name}\nSize: {len(data)}\nSHA256: {hashlib.sha256(data).hexdigest()}\n\n"
    (shelf / "Packages.gz").write_bytes(gzip.compress(index.encode()))
    sources = root / "etc" / "apt" / "sources.list.d"
    (sources / "stand-ins.list").write_text("deb [trusted=yes] file:/opt/stand-ins ./\n")
    return list(PACKAGES)

"""Facts about this computer and this program."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def on_a_pi() -> bool:
    """Whether this computer is a Raspberry Pi, by its device tree."""
    model = Path("/proc/device-tree/model")
    return model.exists() and "Raspberry Pi" in model.read_text(errors="replace")


def program() -> str:
    """The version of this program, or an empty string if it is not installed."""
    try:
        return version("puluc-companion")
    except PackageNotFoundError:
        return ""

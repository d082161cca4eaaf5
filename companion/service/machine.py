"""What kind of computer this is."""

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path


def on_a_pi() -> bool:
    """Whether this computer calls itself a Raspberry Pi."""
    model = Path("/proc/device-tree/model")
    return model.exists() and "Raspberry Pi" in model.read_text(errors="replace")


def program() -> str:
    """The version of this program, or an empty text where it was never installed."""
    try:
        return version("puluc-companion")
    except PackageNotFoundError:
        return ""

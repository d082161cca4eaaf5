"""What kind of computer this is."""

from pathlib import Path


def on_a_pi() -> bool:
    """Whether this computer calls itself a Raspberry Pi."""
    model = Path("/proc/device-tree/model")
    return model.exists() and "Raspberry Pi" in model.read_text(errors="replace")

"""Camera controls locked during the calibration: exposure, white balance and focus."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.errors import ProfileUnusable
from companion.storage.atomic_file import replacing, to_disk
from hardware.cameras.profile_files import changing

FILE = "camera.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedControls:
    """Values of the controls that were locked during the calibration. None: the camera has no such control.

    exposure_us: exposure time in microseconds.
    analogue_gain: amplification by the sensor.
    colour_gains: white balance, as gains of red and blue.
    lens_position: focus in dioptres.
    """

    exposure_us: int | None = None
    analogue_gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    lens_position: float | None = None

    def save(self, directory: Path) -> None:
        """Write the values into a profile's folder. Raises ProfileUnusable if that fails."""
        with changing(directory), replacing(directory / FILE) as fresh:
            fresh.write_text(json.dumps(self.to_dict()))

    @staticmethod
    def delete(directory: Path) -> None:
        """Remove the values durably from a profile's folder, if there are any. Raises ProfileUnusable if that fails."""
        with changing(directory):
            (directory / FILE).unlink(missing_ok=True)
            to_disk(directory)

    @classmethod
    def load(cls, directory: Path) -> LockedControls | None:
        """Read what ``save`` wrote, or None if there is nothing. Raises ProfileUnusable for a damaged file."""
        try:
            return cls.from_dict(json.loads((directory / FILE).read_text()))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ProfileUnusable(f"Cannot read {directory / FILE} ({error}). Calibrate again.") from error

    def to_dict(self) -> dict[str, Any]:
        """Convert to a dictionary for JSON, the inverse of ``from_dict``.

        >>> LockedControls(exposure_us=9000, colour_gains=(1.9, 1.4)).to_dict()
        {'exposure_us': 9000, 'analogue_gain': None, 'colour_gains': [1.9, 1.4], 'lens_position': None}
        """
        return {
            "exposure_us": self.exposure_us,
            "analogue_gain": self.analogue_gain,
            "colour_gains": None if self.colour_gains is None else list(self.colour_gains),
            "lens_position": self.lens_position,
        }

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> LockedControls:
        """Convert from what ``to_dict`` returned. Raises ProfileUnusable for anything else."""

        def number(name: str) -> float | None:
            return None if saved.get(name) is None else float(saved[name])

        try:
            exposure, gains = number("exposure_us"), saved.get("colour_gains")
            red_and_blue = None
            if gains is not None:
                red, blue = gains
                red_and_blue = (float(red), float(blue))
            return cls(
                exposure_us=None if exposure is None else round(exposure),
                analogue_gain=number("analogue_gain"),
                colour_gains=red_and_blue,
                lens_position=number("lens_position"),
            )
        except (AttributeError, TypeError, ValueError) as error:
            raise ProfileUnusable(f"Cannot read the saved camera settings ({error}). Calibrate again.") from error


def matches(metadata: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Return whether a frame was taken with the wanted values, within the sensor's resolution."""
    for name in ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"):
        # Exposures are multiples of a sensor line, which takes 20 to 30 microseconds.
        slack = 60 if name == "ExposureTime" else 0.02
        if name in wanted and name in metadata and not np.allclose(metadata[name], wanted[name], rtol=0.02, atol=slack):
            return False
    return True

"""Exposure, colour and focus as they were when the reader learnt the tray."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from companion.advice.keeping import replacing
from companion.errors import ProfileUnusable

FILE = "camera.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedControls:
    """How the camera was set when the reader learnt the tray, so that it can be set so again.

    None stands for a control that the camera does not have.

    exposure_us: shutter in microseconds. analogue_gain: the sensor's amplification.
    colour_gains: red's and blue's share of white. lens_position: focus in dioptres.
    """

    exposure_us: int | None = None
    analogue_gain: float | None = None
    colour_gains: tuple[float, float] | None = None
    lens_position: float | None = None

    def save(self, directory: Path) -> None:
        """Keep these settings beside the reader's profile. Raises ProfileUnusable where they cannot be written."""
        try:
            with replacing(directory / FILE) as fresh:
                fresh.write_text(json.dumps(self.to_dict()))
        except OSError as error:
            raise ProfileUnusable(f"The camera's settings cannot be kept in {directory}: {error.strerror}.") from error

    @staticmethod
    def forget(directory: Path) -> None:
        """Keep no settings beside a profile that was made without holding any."""
        (directory / FILE).unlink(missing_ok=True)

    @classmethod
    def load(cls, directory: Path) -> LockedControls | None:
        """What ``save`` kept, or None where nothing was. Raises ProfileUnusable for a damaged file."""
        try:
            return cls.from_dict(json.loads((directory / FILE).read_text()))
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise ProfileUnusable(f"{directory / FILE} cannot be read ({error}); calibrate anew.") from error

    def to_dict(self) -> dict[str, Any]:
        """A plain dictionary for JSON; ``from_dict`` reads it back.

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
        """Read what ``to_dict`` wrote. Raises ProfileUnusable for anything else."""

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
            raise ProfileUnusable(f"The saved camera settings cannot be read ({error}); calibrate anew.") from error


def shows(metadata: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether the frame was taken with the wanted values, as nearly as a sensor's steps allow."""
    for name in ("ExposureTime", "AnalogueGain", "ColourGains", "LensPosition"):
        # A line of the sensor takes some 20 to 30 microseconds, and exposures are whole lines.
        slack = 60 if name == "ExposureTime" else 0.02
        if name in wanted and name in metadata and not np.allclose(metadata[name], wanted[name], rtol=0.02, atol=slack):
            return False
    return True

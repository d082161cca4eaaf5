"""Cuts the lots out of the labelled pictures of a set. No part of the reader is used, so that its errors are not
repeated here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.composing.cutouts import Outlined, OutlinedPicture, Plane, TrayScene

FLAT = 15.0
"""Largest tilt in degrees of a lot that is cut out: kernels bulge, and rest slightly tilted."""


def open_set(folder: Path, one: dict[str, Any]) -> TrayScene:
    """The scene of one set of ``labels.json`` in ``folder``."""
    images = {image["role"]: image for image in one["images"] if image["role"] != "throw"}
    throws = [
        image
        for image in one["images"]
        if image["role"] == "throw"
        and "objects" in image
        and not image["flags"]["hand"]
        and not image["flags"]["tray_nudged"]
    ]
    return TrayScene.measured(
        one["id"],
        _pixels(folder / images["empty"]["file"]),
        np.array(one["camera"]["tray_floor_outline_px"], np.float32),
        [_picture(folder, images[role]) for role in ("calibration_marked", "calibration_plain")],
        [_picture(folder, image) for image in throws],
        is_long=one["kind"] == "sticks",
    )


def open_sets(folder: Path, names: set[str] | None = None) -> list[tuple[dict[str, Any], TrayScene]]:
    """(labels, scene) of every set in ``folder``, or of those named."""
    sets = json.loads((folder / "labels.json").read_text())["sets"]
    return [(one, open_set(folder, one)) for one in sets if not names or one["id"] in names]


def _pixels(path: Path) -> Plane:
    pixels = cv2.imread(str(path), cv2.IMREAD_COLOR)
    assert pixels is not None, path
    return pixels.astype(np.float32)


def _picture(folder: Path, image: dict[str, Any]) -> OutlinedPicture:
    objects = image["objects"]
    return OutlinedPicture(
        pixels=_pixels(folder / image["file"]),
        outlines=[np.array(one["outline_px"], np.float32) for one in objects],
        free=[
            Outlined(
                lot=one["id"],
                marked=one["face_up"] == "marked",
                outline=np.array(one["outline_px"], np.float32),
                x=float(one["center_px"][0]),
                y=float(one["center_px"][1]),
                angle=float(one["angle_deg"]),
            )
            for one in objects
            if _lies_free(one)
        ],
    )


def _lies_free(one: dict[str, Any]) -> bool:
    flat = one["face_up"] != "edge" and not (one["leaning"] or one["on_edge"] or one["outside_tray"])
    return bool(flat and one["visible_frac"] >= 0.999 and not one["touching"] and one["tilt_deg"] < FLAT)

"""A camera's name, taken apart."""

from __future__ import annotations

import pytest

from companion.camera_spec import CameraSpec


@pytest.mark.parametrize(
    "text", ["none", "phone", "usb:0", "simulated:board", "folder:/a/B:c", "http://user@192.0.2.7/"]
)
def test_parse_is_the_inverse_of_str(text: str) -> None:
    """Only spaces around it and the case of its kind do not matter."""
    assert str(CameraSpec.parse(text)) == text
    assert CameraSpec.parse(f" {text.replace('phone', 'Phone').replace('usb', 'USB')} ") == CameraSpec.parse(text)


@pytest.mark.parametrize(
    ("text", "sticks", "board"),
    [
        ("pi", "profile", "board"),
        ("usb:0", "profile", "board"),
        ("Simulated", "profile-simulated", "board-simulated"),
        ("simulated:Board", "profile-simulated-board", "board-simulated"),
    ],
)
def test_each_kind_is_taught_in_its_own_folders(text: str, sticks: str, board: str) -> None:
    """What was drawn never takes the place of what was photographed, nor sticks beside a board that of sticks alone."""
    spec = CameraSpec.parse(text)

    assert (spec.sticks_folder, spec.board_folder) == (sticks, board)

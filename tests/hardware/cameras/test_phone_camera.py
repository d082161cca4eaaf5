"""The phone as a camera, beyond the contract of all cameras."""

from __future__ import annotations

import time

import numpy as np
import pytest

from companion.phone_camera.absence import Absence, PhoneAway
from companion.phone_camera.mailbox import PhoneMailbox, Wanted
from hardware.cameras.camera import Pixels
from hardware.cameras.phone_camera import PhoneCamera
from tests.phone_camera.answering_phone import answering


def grey(wanted: Wanted) -> Pixels:
    """A picture of the size that a phone sends."""
    return np.full((480, 640, 3) if wanted is Wanted.SMALL else (960, 1280, 3), 90, np.uint8)


def test_without_a_phone_it_is_away() -> None:
    """The sentence says how to let one in."""
    with pytest.raises(PhoneAway, match="Phone as camera"):
        PhoneCamera(PhoneMailbox(clock=time.monotonic))


def test_a_phone_that_leaves_is_lost_at_once() -> None:
    """The camera does not wait until it counts as silent."""
    mailbox = PhoneMailbox(clock=time.monotonic, patience_s=60)
    with answering(mailbox, grey) as page:
        camera = PhoneCamera(mailbox)
        camera.next_frame()
    mailbox.leave(page, Absence.HIDDEN)

    with pytest.raises(PhoneAway, match="showing something else"):
        camera.next_frame()


def test_pictures_are_taken_ahead_in_order() -> None:
    """Pictures are asked for at once, and each is returned once: also a still when the frame after it has come."""
    mailbox, asked = PhoneMailbox(clock=time.monotonic), []

    def picture(wanted: Wanted) -> Pixels:
        asked.append(wanted)
        return grey(wanted)

    with answering(mailbox, picture):
        camera = PhoneCamera(mailbox)
        camera.prefetch()
        used = [camera.next_frame(), camera.still(), camera.next_frame()]
        camera.prefetch_still()
        after, before = camera.next_frame(), camera.still()

    assert asked == [Wanted.SMALL, Wanted.LARGE, Wanted.SMALL, Wanted.LARGE, Wanted.SMALL]
    assert [frame.pixels.shape[1] for frame in (*used, before, after)] == [640, 1280, 640, 1280, 640]
    assert sorted(frame.taken_at for frame in used) == [frame.taken_at for frame in used]


def test_large_frames_are_scaled_down_and_hints_told() -> None:
    """A phone that cannot scale is read all the same; its page learns what could be better."""
    mailbox = PhoneMailbox(clock=time.monotonic)
    with answering(mailbox, lambda _: np.full((960, 1280, 3), 20, np.uint8)):
        frame = PhoneCamera(mailbox, quality_hints=lambda pixels: (f"{pixels.shape[1]} wide",)).next_frame()

    assert frame.pixels.shape == (480, 640, 3)
    assert mailbox.hints == ("640 wide",)

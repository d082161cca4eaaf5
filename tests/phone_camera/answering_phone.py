"""A phone that answers the camera's requests, as its page does, on a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import cv2

from companion.errors import NotAllowed
from companion.phone_camera.mailbox import Mode, PhoneMailbox, Wanted
from hardware.cameras.camera import Pixels

Picture = Callable[[Wanted], Pixels]


def jpeg_of(pixels: Pixels, quality: int = 92) -> bytes:
    """The picture as JPEG, as a phone sends it."""
    return bytes(cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])[1])


@contextmanager
def answering(mailbox: PhoneMailbox, picture: Picture) -> Iterator[int]:
    """A phone that sends what is wanted for the duration of the block. Yields its page's number."""
    page, ended = mailbox.open_page(Mode.LIVE), Event()

    def run() -> None:
        now = mailbox.exchange(page, 0, None, hold_s=0.05)
        while not ended.is_set():
            jpeg = None if now.wanted is Wanted.NOTHING else jpeg_of(picture(now.wanted))
            try:
                now = mailbox.exchange(page, now.number, jpeg, hold_s=0.05)
            except NotAllowed:
                return

    thread = Thread(target=run)
    thread.start()
    try:
        yield page
    finally:
        ended.set()
        thread.join(5)

"""Pictures pass from the phone's page to the camera's thread, each at most once, and never an old one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from companion.errors import NotAllowed
from companion.phone_camera.absence import Absence, PhoneAway
from companion.phone_camera.mailbox import AHEAD_S, PATIENCE_S, Mode, PhoneMailbox, PictureRequest, Wanted
from tests.web.conftest import Clock


@pytest.fixture
def mailbox(clock: Clock) -> PhoneMailbox:
    return PhoneMailbox(clock=clock, patience_s=0.05)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_picture_answers_one_request(clock: Clock) -> None:
    """A copy of it, or one for an earlier request, is dropped."""
    mailbox = PhoneMailbox(clock=clock, patience_s=5)
    page = mailbox.open_page(Mode.LIVE)
    with ThreadPoolExecutor() as camera:
        small = camera.submit(mailbox.take, Wanted.SMALL)
        first = mailbox.exchange(page, 0, None, hold_s=5)
        mailbox.exchange(page, first.number, b"small", hold_s=0)
        got = small.result()
        large = camera.submit(mailbox.take, Wanted.LARGE)
        again = mailbox.exchange(page, first.number, b"small", hold_s=5)
        mailbox.exchange(page, again.number, b"large", hold_s=0)

    assert (first.wanted, got.jpeg) == (Wanted.SMALL, b"small")
    assert (again.wanted, again.number, large.result().jpeg) == (Wanted.LARGE, first.number + 1, b"large")


def test_a_picture_is_taken_ahead(clock: Clock) -> None:
    """While one is read, the phone takes the next ones; one that has waited too long is taken anew."""
    mailbox = PhoneMailbox(clock=clock, patience_s=5)
    page = mailbox.open_page(Mode.LIVE)

    def send(number: int, jpeg: bytes | None) -> PictureRequest:
        return mailbox.exchange(page, number, jpeg, hold_s=5)

    mailbox.ask(Wanted.LARGE, Wanted.SMALL)
    large = send(0, None)
    small = send(large.number, b"large")
    mailbox.exchange(page, small.number, b"small", hold_s=0)
    taken = [mailbox.take(one).jpeg for one in (Wanted.LARGE, Wanted.SMALL)]
    mailbox.ask(Wanted.SMALL)
    mailbox.exchange(page, send(0, None).number, b"old", hold_s=0)
    clock.now += AHEAD_S + 0.1
    with ThreadPoolExecutor() as camera:
        anew = camera.submit(mailbox.take, Wanted.SMALL)
        mailbox.exchange(page, send(0, None).number, b"new", hold_s=0)

    assert (large.wanted, small.wanted, taken) == (Wanted.LARGE, Wanted.SMALL, [b"large", b"small"])
    assert anew.result().jpeg == b"new"


def test_a_large_picture_waits_for_the_small_one_after_it(clock: Clock) -> None:
    """It can be taken then, but not once another small one has been asked for: something has moved perhaps."""
    mailbox = PhoneMailbox(clock=clock, patience_s=5)
    page = mailbox.open_page(Mode.LIVE)

    def send(jpeg: bytes) -> None:
        mailbox.exchange(page, mailbox.exchange(page, 0, None, hold_s=5).number, jpeg, hold_s=0)

    taken = []
    for large in (b"large", b"moved"):
        mailbox.ask(Wanted.LARGE, Wanted.SMALL)
        send(large)
        send(b"small")
        taken.append(mailbox.take(Wanted.SMALL).jpeg)
        if large == b"large":
            taken.append(mailbox.take(Wanted.LARGE).jpeg)
    with ThreadPoolExecutor() as camera:
        for wanted, jpeg in ((Wanted.SMALL, b"next"), (Wanted.LARGE, b"anew")):
            asked = camera.submit(mailbox.take, wanted)
            send(jpeg)
            taken.append(asked.result().jpeg)

    assert taken == [b"small", b"large", b"small", b"next", b"anew"]


def test_nothing_is_wanted_while_the_camera_is_not_used(mailbox: PhoneMailbox) -> None:
    """A picture that comes all the same is not kept for later."""
    page = mailbox.open_page(Mode.LIVE)
    idle = mailbox.exchange(page, 0, b"unasked", hold_s=0)

    assert idle.wanted is Wanted.NOTHING
    with pytest.raises(PhoneAway):
        mailbox.take(Wanted.SMALL)


def test_each_absence_is_told(mailbox: PhoneMailbox, clock: Clock) -> None:
    """Before the first phone, while it shows something else, when it is silent, and after it was removed."""
    told = [mailbox.absence()]
    page = mailbox.open_page(Mode.LIVE)
    told.append(mailbox.absence())
    mailbox.leave(page, Absence.HIDDEN)
    told.append(mailbox.absence())
    mailbox.exchange(page, 0, None, hold_s=0)
    told.append(mailbox.absence())
    clock.now += PATIENCE_S
    told.append(mailbox.absence())
    mailbox.remove_phone()
    told.append(mailbox.absence())
    with pytest.raises(NotAllowed, match="removed this phone"):
        mailbox.exchange(page, 0, None, hold_s=0)

    assert told == [Absence.NEVER, None, Absence.HIDDEN, None, Absence.SILENT, Absence.REMOVED]


def test_a_newer_page_closes_the_one_before(mailbox: PhoneMailbox) -> None:
    """The old page has to stop, and cannot say that the new one is away."""
    old, new = mailbox.open_page(Mode.LIVE), mailbox.open_page(Mode.LIVE)
    mailbox.leave(old, Absence.CLOSED)

    assert mailbox.absence() is None
    assert mailbox.exchange(new, 0, None, hold_s=0).wanted is Wanted.NOTHING
    with pytest.raises(NotAllowed, match="Another page"):
        mailbox.exchange(old, 0, None, hold_s=0)


def test_a_photographing_phone_may_be_silent(mailbox: PhoneMailbox, clock: Clock) -> None:
    """It sleeps between two throws."""
    page = mailbox.open_page(Mode.PHOTOS)
    mailbox.photograph(page, b"photo")
    clock.now += 1000

    assert mailbox.absence() is None
    assert mailbox.photo is not None
    assert mailbox.photo.jpeg == b"photo"

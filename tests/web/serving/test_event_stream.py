"""The event stream over a real connection."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from threading import active_count
from time import monotonic

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.advice.adviser import Estimate, EstimateSource, TurnAdvice
from companion.referee.advice_state import current_question
from companion.referee.events import ThrowEntered, Undone
from companion.referee.referee import Referee
from companion.service.health_check import request_health
from tests.web.conftest import Clock, StreamClient, served
from web.app import create_app
from web.serving.event_stream import ABSENCE_S, STREAMED, EventStreams, Listener, TooManyListeners
from web.serving.limits.admission import PER_ADDRESS, PER_LOOPBACK, connection_limit, group_of


@contextmanager
def listening(app: Flask, phones: int = 1) -> Iterator[tuple[StreamClient, ...]]:
    """This many phones, each of which has received the retry time and the present table."""
    with served(app) as server:
        clients = tuple(StreamClient(server.port) for _ in range(phones))
        try:
            for phone in clients:
                assert phone.event() == {"retry": "2000"}
            yield clients
        finally:
            for phone in clients:
                phone.hang_up()


def test_the_first_event_is_the_table(app: Flask, referee: Referee) -> None:
    """A listener gets the present table at once, numbered and on one line, in a stream that is not cached."""
    with listening(app) as (phone,):
        event = phone.event()

    assert event == {
        "id": str(referee.snapshot().number),
        "data": referee.snapshot().model_dump_json(by_alias=True),
    }
    assert phone.answer.headers["Content-Type"].startswith("text/event-stream")
    assert phone.answer.headers["Cache-Control"] == "no-store"
    assert phone.answer.headers["X-Accel-Buffering"] == "no"


def test_two_phones_hear_a_change(app: Flask, referee: Referee) -> None:
    """A change is sent to every listener at once."""
    with listening(app, phones=2) as phones:
        for phone in phones:
            phone.event()
        referee.submit(ThrowEntered(3))
        tables = [json.loads(phone.event()["data"]) for phone in phones]

    assert [table["number"] for table in tables] == [referee.snapshot().number] * 2


def test_numbers_only_rise_and_the_last_is_the_newest(app: Flask, referee: Referee) -> None:
    """However fast the table changes, a listener ends with the newest state, and never goes back."""
    with listening(app) as (phone,):
        for _ in range(50):
            referee.submit(ThrowEntered(3))
            referee.submit(Undone())
        newest = referee.snapshot().number
        numbers = [0]
        while numbers[-1] != newest:
            numbers.append(int(phone.event()["id"]))

    assert numbers == sorted(set(numbers))


def test_fifty_pages_hear_what_became_known(app: Flask, referee: Referee) -> None:
    """Advice is sent to everyone as a new revision with the same number, after its table."""
    for marked in (3, 1):
        referee.submit(ThrowEntered(marked))
    question = current_question(referee.state())
    assert question is not None
    with listening(app, phones=50) as phones:
        before = [json.loads(phone.event()["data"]) for phone in phones]
        threads = active_count()
        referee.advise(question, TurnAdvice(Estimate(0.625, EstimateSource.SEARCH), ()))
        after = [json.loads(phone.event()["data"]) for phone in phones]

    assert {(table["number"], table["revision"], table["advice"]["win"]) for table in before} == {(3, 0, None)}
    assert [(table["number"], table["revision"], table["advice"]["win"]) for table in after] == [(3, 1, 0.625)] * 50
    assert threads < 25, "a page that listens holds a thread"


def test_a_page_that_reads_nothing_holds_up_nobody(app: Flask, referee: Referee) -> None:
    """The others get every change; once the page reads again it gets the newest."""
    with served(app) as server:
        deaf = StreamClient(server.port, buffer=2048)
        other = StreamClient(server.port)
        other.event()
        other.event()
        for _ in range(100):
            referee.submit(ThrowEntered(3))
            other.event()
            newest = referee.submit(Undone()).number
            assert other.event()["id"] in (str(newest), str(newest - 1))
        number = 0
        received = 0
        while number != newest:
            number = int(deaf.event().get("id", 0))
            received += 1
        for phone in (deaf, other):
            phone.hang_up()

    assert received < 150, "what was outdated long ago was sent all the same"


def opened(streams: EventStreams, *, phone: str | None = None, address: str = "192.0.2.1") -> Listener:
    """A new listener on these streams. Raises TooManyListeners."""
    kept: list[Listener] = []
    streams.listen(kept.append, phone=phone, address=address)
    return kept[0]


def test_a_page_that_stays_deaf_is_given_up(referee: Referee) -> None:
    """It gets one event, and no more if that is not read in time."""
    streams = EventStreams(referee, heartbeat=10, limit=1, lifetime=600, patience_s=0.01)
    sent: list[bytes] = []

    async def never_taken(data: bytes) -> None:
        sent.append(data)
        await asyncio.Event().wait()

    with pytest.raises(TimeoutError):
        asyncio.run(opened(streams).run(never_taken))

    assert len(sent) == 1


def test_strangers_cannot_fill_all_places(referee: Referee) -> None:
    """However many watch, from however many addresses, half of the places are kept for players."""
    streams = EventStreams(referee, heartbeat=10, limit=8, lifetime=600)
    for number in range(4):
        opened(streams, address=f"192.0.2.{number}")
    with pytest.raises(TooManyListeners):
        opened(streams, address="192.0.2.1")
    for number in range(4):
        opened(streams, phone=f"phone {number}")

    assert streams.present() == (4, 4)


@pytest.mark.parametrize(("address", "other"), [("127.0.0.1", "127.0.0.2"), ("2001:db8::1", "2001:db8::2")])
def test_streams_leave_connections_for_requests(referee: Referee, address: str, other: str) -> None:
    """Those of one address never take all of its connections, and spectators leave some to players."""
    streams = EventStreams(referee, heartbeat=10, limit=1000, lifetime=600)

    def granted(**who: str) -> int:
        number = 0
        with suppress(TooManyListeners):
            while True:
                opened(streams, **who)
                number += 1
        return number

    watching = granted(address=address)
    playing = granted(address=other, phone="many pages")
    most = connection_limit(group_of(address))

    assert 0 < watching < watching + playing < most
    assert opened(streams, address="192.0.2.1")


def test_a_newcomer_gets_a_place_of_whoever_has_the_most(referee: Referee) -> None:
    """One address, or one phone with many pages, cannot keep others out; its oldest connection is dropped."""
    streams = EventStreams(referee, heartbeat=10, limit=8, lifetime=600)
    flood = [opened(streams, address="192.0.2.1") for _ in range(3)]
    opened(streams, address="192.0.2.2")
    opened(streams, address="192.0.2.3")
    crowd = [opened(streams, phone="many pages") for _ in range(4)]
    opened(streams, phone="one page")

    assert [streams.is_open(one) for one in flood] == [False, True, True]
    assert [streams.is_open(one) for one in crowd] == [False, True, True, True]


def test_a_phone_with_many_pages_leaves_places_to_others_behind_its_router(referee: Referee) -> None:
    """If all streams of an address are taken, each newcomer there gets one of the phone with the most, once."""
    streams = EventStreams(referee, heartbeat=10, limit=1000, lifetime=600)
    crowd = [opened(streams, phone="many pages") for _ in range(int(PER_ADDRESS * STREAMED))]
    elsewhere = [opened(streams, phone="elsewhere", address="127.0.0.1") for _ in range(2 * len(crowd))]
    others = [opened(streams, phone=f"phone {number}") for number in range(3)]
    with pytest.raises(TooManyListeners):
        opened(streams, phone="many pages")

    assert [streams.is_open(one) for one in crowd] == [False] * 3 + [True] * (len(crowd) - 3)
    assert all(streams.is_open(one) for one in (*others, *elsewhere))


def test_a_phone_whose_stream_was_lost_is_still_present(referee: Referee, clock: Clock) -> None:
    """It stays present for a minute, so that nobody becomes host because the host's phone is out of reach."""
    streams = EventStreams(referee, heartbeat=10, limit=8, lifetime=600, clock=clock)
    pages = [opened(streams, phone="host") for _ in range(2)]
    for page in pages:
        page.close()
        page.close()
    clock.now += ABSENCE_S - 1
    before = streams.is_present("host"), streams.is_present("somebody")
    clock.now += 2

    assert before == (True, False)
    assert not streams.is_present("host")


def test_a_quiet_table_gives_signs_of_life(referee: Referee) -> None:
    """A comment is sent every heartbeat."""
    with listening(create_app(referee, code=None, heartbeat=0.01)) as (phone,):
        phone.event()

        assert phone.event() == phone.event() == {"": "still here"}


def test_a_stream_ends_after_its_lifetime(referee: Referee) -> None:
    """The server ends an old stream without an error; the phone opens a new one."""
    with listening(create_app(referee, code=None, heartbeat=0.01, lifetime=0.05)) as (phone,):
        phone.answer.read()

        assert phone.answer.isclosed()


def test_a_page_that_comes_back_while_the_server_closes_is_not_waited_for(referee: Referee) -> None:
    """Its stream ends at once, where closing would otherwise take until the page hangs up."""

    async def listen(streams: EventStreams) -> list[bytes]:
        sent: list[bytes] = []
        streams.close()

        async def send(piece: bytes) -> None:
            sent.append(piece)

        async with asyncio.timeout(5):
            await Listener(streams, "back", "back").run(send)
        return sent

    assert asyncio.run(listen(EventStreams(referee, heartbeat=9, limit=1, lifetime=9))) == []


def test_phones_that_may_no_longer_play_have_to_come_back(referee: Referee) -> None:
    """Streams of players end when the host makes a new code; the host and those who watch go on."""

    async def listen() -> set[str | None]:
        streams = EventStreams(referee, heartbeat=9, limit=8, lifetime=9)
        streams.open_on(asyncio.get_running_loop())
        pages = [opened(streams, phone=phone) for phone in ("host", "other", None)]

        async def send(_piece: bytes) -> None: ...

        running = {asyncio.create_task(page.run(send)): page.phone for page in pages}
        await asyncio.sleep(0)
        streams.end_players(but="host")
        ended, _ = await asyncio.wait(running, timeout=5, return_when=asyncio.FIRST_COMPLETED)
        streams.close()
        await asyncio.wait(running, timeout=5)
        return {running[one] for one in ended}

    assert asyncio.run(listen()) == {"other"}


def test_a_place_is_free_again_once_a_phone_has_gone(referee: Referee) -> None:
    """If all places are taken the next phone is told to retry later; when one leaves, it gets the place."""
    with served(create_app(referee, code=None, streams=2)) as server:
        phones = [StreamClient(server.port) for _ in range(2)]
        for phone in phones:
            # The head of the answer comes before the place is taken; what happens at the table, after it.
            while "data" not in phone.event():
                pass
        refused = StreamClient(server.port)

        assert refused.answer.status == 503
        assert refused.answer.headers["Retry-After"] == "2"
        assert "problem" in json.loads(refused.answer.read())

        phones.pop().hang_up()
        began = monotonic()
        while (late := StreamClient(server.port)).answer.status != 200:
            late.hang_up()
            assert monotonic() - began < 30, "the place was not freed"
        for phone in (*phones, late, refused):
            phone.hang_up()


def test_a_server_that_keeps_nothing_open_tells_the_present(watcher: FlaskClient) -> None:
    """If streams cannot stay open, each ends after the present table, and the page reconnects."""
    for _ in range(3):
        answer = watcher.get("/api/events")

        assert answer.text.startswith("retry: 2000\n\nid: 1\ndata: {")


def test_spectators_on_this_computer_do_not_keep_out_the_health_check(app: Flask) -> None:
    """However many streams are opened, a new connection is answered, because the service ends where it is not."""
    with served(app) as server:
        pages = [StreamClient(server.port) for _ in range(PER_LOOPBACK)]
        request_health("127.0.0.1", server.port, server.expect)
        statuses = Counter(page.answer.status for page in pages)
        for page in pages:
            page.hang_up()

    assert statuses[200] > 50
    assert statuses[503] > 0


def test_a_head_takes_no_place(referee: Referee) -> None:
    """A HEAD request ends with the headers, and the connection serves the next request."""
    with served(create_app(referee, code=None, streams=1)) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
        for _ in range(3):
            connection.request("HEAD", "/api/events")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
        connection.close()


def test_what_a_listener_sends_is_not_served(app: Flask, referee: Referee) -> None:
    """Further requests on a stream's connection are not answered."""
    with listening(app) as (phone,):
        phone.event()
        phone.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(3):
            referee.submit(ThrowEntered(3))
            assert set(phone.event()) == {"id", "data"}
            referee.submit(Undone())
            assert set(phone.event()) == {"id", "data"}

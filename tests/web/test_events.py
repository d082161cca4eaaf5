"""The live table over a real connection."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic
from typing import Any

from flask import Flask

from companion.advice.adviser import Estimate, Source
from companion.referee.counsel import Advice, asked
from companion.referee.events import ThrowEntered, Undone
from companion.referee.referee import Referee
from tests.web.conftest import Listener, served
from web.app import create_app
from web.events import Streams


@contextmanager
def listening(app: Flask, phones: int = 1) -> Iterator[tuple[Listener, ...]]:
    """So many phones, each of which has heard how often to come back and the present table."""
    with served(app) as server:
        heard = tuple(Listener(server.port) for _ in range(phones))
        try:
            for phone in heard:
                assert phone.event() == {"retry": "2000"}
            yield heard
        finally:
            for phone in heard:
                phone.hang_up()


def test_the_first_event_is_the_table(app: Flask, referee: Referee) -> None:
    """A listener is told at once what is so, numbered and on one line, in a stream that nobody keeps."""
    with listening(app) as (phone,):
        event = phone.event()

    assert event == {
        "id": str(referee.snapshot().number),
        "data": referee.snapshot().model_dump_json(by_alias=True),
    }
    assert phone.answer.headers["Content-Type"].startswith("text/event-stream")
    assert phone.answer.headers["Cache-Control"] == "no-store"
    assert phone.answer.headers["X-Accel-Buffering"] == "no"


def test_two_phones_hear_a_change_within_a_second(app: Flask, referee: Referee) -> None:
    """What happens at the table is told to all who listen, at once."""
    with listening(app, phones=2) as phones:
        for phone in phones:
            phone.event()
        began = monotonic()
        referee.submit(ThrowEntered(3))
        told = [json.loads(phone.event()["data"]) for phone in phones]

        assert monotonic() - began < 1
    assert [table["number"] for table in told] == [referee.snapshot().number] * 2


def test_numbers_only_rise_and_the_last_is_the_newest(app: Flask, referee: Referee) -> None:
    """However fast the table changes, a listener ends with its newest state, and never goes back."""
    with listening(app) as (phone,):
        for _ in range(50):
            referee.submit(ThrowEntered(3))
            referee.submit(Undone())
        newest = referee.snapshot().number
        numbers = [0]
        while numbers[-1] != newest:
            numbers.append(int(phone.event()["id"]))

    assert numbers == sorted(set(numbers))


def test_fifty_phones_hear_what_became_known(referee: Referee) -> None:
    """Advice comes as a further revision under the same number, to everyone, after the table it is about."""
    for marked in (3, 1):
        referee.submit(ThrowEntered(marked))
    question = asked(referee.table())
    assert question is not None
    streams = Streams(referee, heartbeat=10, limit=50, lifetime=60)
    phones = [streams.open(lambda: False) for _ in range(50)]
    told = [iter(phone.response) for phone in phones]
    before = [read(next(lines)) for lines in told if next(lines)]
    hearing = [Thread(target=lambda lines=lines: after.append(read(next(lines)))) for lines in told]
    after: list[Any] = []
    for phone in hearing:
        phone.start()
    referee.advise(Advice(question, Estimate(0.625, Source.SEARCH)))
    for phone in hearing:
        phone.join(30)
    for answer in phones:
        answer.close()

    assert {(table["number"], table["revision"], table["advice"]["win"]) for table in before} == {(3, 0, None)}
    assert [(table["number"], table["revision"], table["advice"]["win"]) for table in after] == [(3, 1, 0.625)] * 50


def read(event: object) -> Any:
    """The table in an event, whose id must be its number."""
    number, _, data = str(event).strip().partition("\n")
    table = json.loads(data.removeprefix("data: "))
    assert number == f"id: {table['number']}"
    return table


def test_a_quiet_table_gives_signs_of_life(referee: Referee) -> None:
    """Between changes a comment comes every heartbeat."""
    with listening(create_app(referee, code=None, heartbeat=0.05)) as (phone,):
        phone.event()

        assert phone.event() == phone.event() == {"": "still here"}


def test_a_stream_ends_after_its_lifetime(referee: Referee) -> None:
    """The server closes an old stream; the phone opens a new one."""
    with listening(create_app(referee, code=None, heartbeat=0.05, lifetime=0.2)) as (phone,):
        phone.event()
        began = monotonic()
        while phone.answer.readline():
            assert monotonic() - began < 3, "the stream does not end"


def test_a_place_is_free_again_once_a_phone_has_gone(referee: Referee) -> None:
    """With all places taken the next phone is told to come back later; when one leaves, it gets the place."""
    with served(create_app(referee, code=None, streams=2)) as server:
        phones = [Listener(server.port) for _ in range(2)]
        refused = Listener(server.port)

        assert refused.answer.status == 503
        assert refused.answer.headers["Retry-After"] == "2"
        assert "problem" in json.loads(refused.answer.read())

        phones.pop().hang_up()
        began = monotonic()
        while (late := Listener(server.port)).answer.status != 200:
            late.hang_up()
            assert monotonic() - began < 3, "the place was not freed"
        for phone in (*phones, late, refused):
            phone.hang_up()


def test_a_stream_that_is_never_read_frees_its_place(referee: Referee) -> None:
    """An answer closed before its first line, as for HEAD, takes no place for good."""
    client = create_app(referee, code=None, streams=1).test_client()
    for _ in range(3):
        with client.head("/api/events") as answer:
            assert answer.status_code == 200

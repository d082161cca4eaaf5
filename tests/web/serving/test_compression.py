"""Which responses are compressed, and that their content is unchanged."""

import gzip
from http.client import HTTPConnection

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web.conftest import served

ZIPPED = {"Accept-Encoding": "gzip, deflate"}


@pytest.mark.parametrize("address", ["/", "/rules", "/static/table/table.js", "/static/styles/base.css", "/api/table"])
def test_text_is_sent_small_where_the_phone_takes_it(watcher: FlaskClient, address: str) -> None:
    """Page, screens, files and JSON are the same once unpacked, and vary by Accept-Encoding."""
    plain, small = (watcher.get(address, headers=headers, buffered=True) for headers in ({}, ZIPPED))

    assert "Content-Encoding" not in plain.headers
    assert small.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(small.data) == plain.data
    assert len(small.data) < 0.6 * len(plain.data)
    assert small.headers["Content-Length"] == str(len(small.data))
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Accept-Encoding" in small.headers["Vary"]


@pytest.mark.parametrize("accepted", ["", "identity", "gzip;q=0", "br"])
def test_it_is_sent_as_it_is_where_it_is_not_taken(watcher: FlaskClient, accepted: str) -> None:
    """A program that does not accept gzip gets none."""
    answer = watcher.get("/static/table/table.js", headers={"Accept-Encoding": accepted}, buffered=True)

    assert "Content-Encoding" not in answer.headers
    assert b"import" in answer.data


def test_a_file_known_already_is_not_sent_again(watcher: FlaskClient) -> None:
    """The ETag of the compressed file gets 304 without a body."""
    first = watcher.get("/static/table/table.js", headers=ZIPPED, buffered=True)
    known = {**ZIPPED, "If-None-Match": first.headers["ETag"]}
    again = watcher.get("/static/table/table.js", headers=known, buffered=True)

    assert first.headers["ETag"].startswith('W/"')
    assert (again.status_code, again.data) == (304, b"")


def test_little_answers_and_heads_stay_as_they_are(watcher: FlaskClient) -> None:
    """They fit into one packet anyway, or have no body."""
    head = watcher.head("/static/table/table.js", headers=ZIPPED, buffered=True)

    assert "Content-Encoding" not in watcher.get("/healthz", headers=ZIPPED).headers
    assert "Content-Encoding" not in head.headers
    assert head.data == b""


def test_the_live_stream_is_not_held_back(app: Flask) -> None:
    """The first event comes at once and uncompressed, although the phone accepts gzip."""
    with served(app) as server:
        connection = HTTPConnection("127.0.0.1", server.port, timeout=30)
        connection.request("GET", "/api/events", headers=ZIPPED)
        answer = connection.getresponse()

        assert answer.getheader("Content-Encoding") is None
        assert answer.readline() == b"retry: 2000\n"
        answer.close()
        connection.close()

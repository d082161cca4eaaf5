"""Tables publish their state to a real Mosquitto, and a page shows all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from time import monotonic, sleep
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from companion.club import publisher as publisher_module
from companion.club.broker import Broker, BrokerAddress
from companion.club.publisher import Publisher
from companion.club.table_registry import MAX_TABLES, NEEDED, TableRegistry
from companion.club.topics import ALL_TABLES, TableName, discovery_message
from companion.errors import SettingsUnusable
from companion.referee.events import GameStarted, ThrowEntered
from companion.referee.referee import Referee
from companion.storage.store import Store
from tests.club.mosquitto import Mosquitto, mosquitto
from tests.service.companion_process import running_companion
from web.club_app import create_club_app

SECONDS = 30
"""Time limit for every wait; only a stalled machine reaches it."""


def until(wanted: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait until the condition is true."""
    end = monotonic() + seconds
    while not wanted():
        assert monotonic() < end
        sleep(0.02)


class Club:
    """An independent client of the broker; it keeps the last message of each topic."""

    def __init__(self, port: int, topics: str = "#", user: str | None = None, password: str | None = None) -> None:
        self.messages: dict[str, str] = {}
        self.client = Client(CallbackAPIVersion.VERSION2)
        if user:
            self.client.username_pw_set(user, password)
        self.client.on_message = self._hear
        self.client.on_connect = lambda client, *_: client.subscribe(topics)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def _hear(self, _client: Client, _data: Any, message: MQTTMessage) -> None:
        self.messages[message.topic] = bytes(message.payload).decode()

    def table(self, word: str) -> dict[str, Any]:
        return dict(json.loads(self.messages.get(f"puluc/{word}/table", "{}")))

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as broker:
        yield broker


@pytest.fixture
def club(broker: Mosquitto) -> Iterator[Club]:
    club = Club(broker.port)
    yield club
    club.close()


@pytest.fixture
def referee(tmp_path: Path) -> Iterator[Referee]:
    first = GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=7)
    referee = Referee(Store(tmp_path / "data"), first=first)
    yield referee
    referee.close()


@pytest.fixture
def publishing(broker: Mosquitto, referee: Referee) -> Iterator[Publisher]:
    """A table that publishes its state from a thread, as in the companion."""
    stop = Event()
    table = TableName("By the door")
    publisher = Publisher(
        referee, BrokerAddress(host="127.0.0.1", port=broker.port), table, version="1", pause=stop.wait
    )

    def work() -> None:
        while not stop.is_set():
            publisher.step()

    thread = Thread(target=work)
    thread.start()
    yield publisher
    stop.set()
    thread.join()
    publisher.close()


def test_the_newest_state_is_published_and_retained(
    club: Club, publishing: Publisher, referee: Referee, broker: Mosquitto
) -> None:
    """The state equals /api/table and is retained for later subscribers; Home Assistant discovers it."""
    assert publishing
    until(lambda: club.table("by-the-door"))
    for marked in (4, 1, 2):
        referee.submit(ThrowEntered(marked))
    until(lambda: club.table("by-the-door")["number"] == referee.snapshot().number)
    late = Club(broker.port)
    until(lambda: len(late.messages) == 4)
    late.close()
    found = json.loads(late.messages["homeassistant/device/puluc_by-the-door/config"])

    assert late.table("by-the-door") == json.loads(referee.snapshot().model_dump_json(by_alias=True))
    assert late.messages["puluc/by-the-door/online"] == "online"
    assert late.messages["puluc/by-the-door/about"] == "By the door"
    assert found["state_topic"] == "puluc/by-the-door/table"
    assert found["availability"][0]["topic"] == "puluc/by-the-door/online"


def test_a_restarted_broker_gets_all_messages_again(
    club: Club, publishing: Publisher, referee: Referee, broker: Mosquitto
) -> None:
    """Without the broker the game keeps its speed; afterwards the state and all retained messages are sent again."""
    assert publishing
    until(lambda: club.table("by-the-door"))
    broker.kill()
    club.messages.clear()
    began = monotonic()
    for marked in (4, 1, 2):
        referee.submit(ThrowEntered(marked))
    assert monotonic() - began < SECONDS / 2
    broker.start()
    until(lambda: len(club.messages) == 4)
    until(lambda: club.table("by-the-door")["number"] == referee.snapshot().number)


def test_a_frozen_broker_delays_nothing(
    publishing: Publisher, referee: Referee, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen broker with an open connection neither slows the table, nor fills a queue, nor blocks the exit."""
    published = 0
    until(lambda: publishing._broker.is_linked)
    monkeypatch.setattr(publisher_module, "PACE_S", 0.0)
    broker.freeze()
    for _ in range(300):
        referee.submit(ThrowEntered(1))
        referee.submit(ThrowEntered(2))
        published += 2
    waiting = publishing._broker._client._out_packet

    assert published == 600
    assert len(waiting) < 10


def test_a_killed_table_is_reported_offline(club: Club, broker: Mosquitto, tmp_path: Path) -> None:
    """The broker sends the last will; a table that exits normally sends the message itself."""
    options = ("--open", "--camera", "none", "--mqtt", f"mqtt://127.0.0.1:{broker.port}", "--table", "Búho 2")
    with running_companion(tmp_path / "table", *options) as companion:
        companion.ask("POST", "/api/throw", {"marked": 3})
        until(lambda: club.table("buho-2").get("number") == 2)
        assert club.messages["puluc/buho-2/online"] == "online"
    until(lambda: club.messages["puluc/buho-2/online"] == "offline")
    with running_companion(tmp_path / "table", *options) as companion:
        until(lambda: club.messages["puluc/buho-2/online"] == "online")
        companion.process.terminate()
        assert companion.process.wait(15) == 0
    until(lambda: club.messages["puluc/buho-2/online"] == "offline")


def test_nothing_is_published_by_default(club: Club, tmp_path: Path) -> None:
    """Publishing is off by default."""
    with running_companion(tmp_path / "table", "--open", "--camera", "none") as companion:
        companion.ask("POST", "/api/throw", {"marked": 3})

    assert club.messages == {}


def test_a_broker_with_a_password(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The right password is accepted; a wrong one is reported without showing it."""
    with mosquitto(tmp_path, "ana", "sec:ret") as broker:
        right = Broker(BrokerAddress.parse(f"mqtt://ana:sec%3Aret@127.0.0.1:{broker.port}"), name="right")
        wrong = Broker(BrokerAddress.parse(f"mqtt://ana:guess@127.0.0.1:{broker.port}"), name="wrong")
        until(lambda: right.is_linked and "refused the connection" in caplog.text)
        assert not wrong.is_linked
        right.close()
        wrong.close()

    assert "guess" not in caplog.text


@pytest.mark.parametrize(
    "text", ["", "broker", "http://broker", "mqtt://", "mqtt://broker:x", "mqtt://a:pw@broker/topic", "mqtt://[broker"]
)
def test_an_invalid_address_is_refused(text: str) -> None:
    """The error does not show the password in the address."""
    with pytest.raises(SettingsUnusable, match="mqtt://HOST") as refused:
        BrokerAddress.parse(text)

    assert "pw" not in str(refused.value)
    assert "secret" not in repr(BrokerAddress.parse("mqtts://ana:secret@broker"))


@pytest.mark.parametrize("name", ["", " ", "a" * 41, "a\nb"])
def test_an_invalid_name_is_refused(name: str) -> None:
    """An empty, blank, too long or unprintable table name is refused."""
    with pytest.raises(SettingsUnusable, match="--table takes a name"):
        TableName(name)


def test_every_name_gives_a_safe_topic() -> None:
    """A name without a single Latin letter still has a topic; slashes and MQTT wildcards are removed."""
    assert TableName("Søren").topic("table") == "puluc/s-ren/table"
    assert TableName("Окно 2").topic("table") != TableName("Стол 2").topic("table")
    assert TableName("桌").topic("table") == "puluc/684c/table"
    assert TableName("a/+/#").topic("table") == "puluc/a/table"


def test_home_assistant_sensors_match_the_table(referee: Referee) -> None:
    """Each sensor has its own name, and its template reads a field of the table."""
    message = json.loads(discovery_message(TableName("By the door"), "0.1.0"))
    snapshot = json.loads(referee.snapshot().model_dump_json(by_alias=True))
    sensors = message["components"].values()

    assert {"device", "origin", "components"} <= message.keys()
    assert len({one["unique_id"] for one in sensors}) == len(sensors)
    for one in sensors:
        at: Any = snapshot
        for key in one["value_template"].split("value_json.")[1].split(" ")[0].split("[")[0].rstrip("}").split("."):
            assert key in at, one
            at = at[key]


def test_the_wall_accepts_only_messages_of_tables() -> None:
    """Other clients' messages are ignored, and nobody can fill the wall."""
    registry, table = TableRegistry(), json.dumps(dict.fromkeys(NEEDED, 1)).encode()
    for topic, payload in (
        ("zigbee/lamp", b"{}"),
        ("puluc/a/table", b"{}"),
        ("puluc/a/table", b"[" * 100_000),
        ("puluc/a/table", b"\xff"),
        ("puluc/a/table", table.replace(b"1", b"NaN")),
        ("puluc/a/table", table.replace(b"1", b"1e999")),
        ("puluc/a/table", b" " * 300_000),
        ("puluc", b""),
        ("puluc/a/about", b"x" * 99),
        ("puluc/a/online", b"online"),
    ):
        registry.hear(topic, payload)
    assert registry.tables()[1] == []
    registry.hear("puluc/a/table", table)
    assert [(seen.word, seen.name, seen.here) for seen in registry.tables()[1]] == [("a", "a", True)]
    for number in range(100):
        registry.hear(f"puluc/t{number}/table", table)

    assert len(registry.tables()[1]) == MAX_TABLES


def test_tables_that_are_gone_make_room_on_the_wall() -> None:
    """The broker remembers a table that was given another name; one that is online is never left out for it."""
    registry, table = TableRegistry(), json.dumps(dict.fromkeys(NEEDED, 1)).encode()
    registry.hear("puluc/first/online", b"online")
    for number in range(MAX_TABLES):
        registry.hear(f"puluc/old{number}/about", b"Old")
    for word in ("first", "new"):
        registry.hear(f"puluc/{word}/table", table)

    assert [seen.word for seen in registry.tables()[1]] == ["first", "new"]


def test_one_page_shows_all_tables(broker: Mosquitto, publishing: Publisher, referee: Referee) -> None:
    """By name, updated at once when something changes; it also reports a lost broker."""
    assert publishing
    registry = TableRegistry()
    link = Broker(
        BrokerAddress(host="127.0.0.1", port=broker.port), name="boards", follow=(ALL_TABLES,), on_message=registry.hear
    )
    client = create_club_app(registry, linked=lambda: link.is_linked).test_client()
    until(lambda: [(one.name, one.here) for one in registry.tables()[1]] == [("By the door", True)])
    page = client.get("/").text
    before = client.get("/api/boards").json
    assert before is not None
    assert client.get(f"/api/boards?since={before['state']}").status_code == 204
    referee.submit(ThrowEntered(3))
    until(lambda: client.get(f"/api/boards?since={before['state']}").status_code == 200)
    broker.kill()
    until(lambda: not link.is_linked)
    after = client.get(f"/api/boards?since={before['state']}").json
    link.close()

    assert "By the door" in page
    assert before["tables"][0]["table"]["prompt"] in page.replace("&#39;", "'")
    assert after is not None
    assert (before["linked"], after["linked"]) == (True, False)
    assert "unsafe" not in client.get("/").headers["Content-Security-Policy"]

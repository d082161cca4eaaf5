"""The panel on the page: its state, who may press, and what counts as a press."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from threading import Event

import pytest
from flask.testing import FlaskClient

from companion.access.start_command import StartCommand
from companion.panel import Button, PanelKind
from companion.referee.referee import Referee
from companion.service.shutdown import Shutdown
from hardware.panel.configuration import PanelConfiguration
from hardware.panel.lamp import SIGNALS, Mood
from hardware.panel.lamp_text import all_signals
from hardware.panel.panel_worker import PanelWorker
from tests.web.conftest import CODE, without_tags
from web.app import create_app
from web.routes.devices.panel import STRIP_S, strip


class Bench:
    """A table with a mock panel and a fake clock."""

    def __init__(self, referee: Referee) -> None:
        self.now, self.stopping = 100.0, Event()
        self.stopping.set()
        shutdown = Shutdown(Event(), None, clock=lambda: self.now)
        self.panel = PanelWorker(
            PanelKind.MOCK, PanelConfiguration(), referee, shutdown, stopping=self.stopping, clock=lambda: self.now
        )
        self.app = create_app(referee, code=CODE, panel=self.panel)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / 0.02)):
            self.now += 0.02
            self.panel.step()


@pytest.fixture
def bench(referee: Referee) -> Iterator[Bench]:
    bench = Bench(referee)
    yield bench
    bench.panel.close()


@pytest.fixture
def phone(bench: Bench) -> FlaskClient:
    client = bench.app.test_client()
    client.get(f"/?code={CODE}")
    return client


def finger(phone: FlaskClient, button: str, down: bool) -> int:
    return phone.post("/api/panel", json={"button": button, "down": down}).status_code


def test_a_press_on_the_page_is_one_on_the_pins(bench: Bench, phone: FlaskClient, referee: Referee) -> None:
    """Next counts up, confirm accepts, and the lamp follows."""
    bench.wait(1.0)
    for button in ("next", "next", "confirm"):
        finger(phone, button, True)
        bench.wait(0.2)
        shown = phone.get("/api/panel").json
        finger(phone, button, False)
        bench.wait(0.6)

        assert shown is not None
        assert [key["button"] for key in shown["keys"] if key["down"]] == [button]
    assert referee.snapshot().throw_off.jade == 2
    panel = phone.get("/api/panel").json
    assert panel is not None
    assert (panel["light"]["mood"], panel["kind"]) == ("waiting", "mock")
    assert panel["prompt"] == referee.snapshot().prompt


def test_only_players_press(bench: Bench) -> None:
    """Without the code a phone sees the panel's state but cannot press."""
    watcher = bench.app.test_client()

    assert finger(watcher, "confirm", True) == 401
    assert watcher.get("/api/panel").status_code == 200
    page = watcher.get("/panel").text
    assert "You are watching." in page
    assert page.count("disabled>") == len(Button)


@pytest.mark.parametrize("body", [{"button": "up", "down": True}, {"button": "next"}, {"button": "next", "down": 1}])
def test_what_is_no_press_is_refused(phone: FlaskClient, body: dict[str, object]) -> None:
    """The message lists the accepted presses."""
    answer = phone.post("/api/panel", json=body)

    assert answer.status_code == 422
    assert answer.json is not None
    assert "takes" in answer.json["problem"]


def test_a_table_without_a_panel_says_so(player: FlaskClient) -> None:
    """Both the page and the API do."""
    refused = player.post("/api/panel", json={"button": "next", "down": True})
    panel = player.get("/api/panel").json

    assert refused.status_code == 409
    assert panel is not None
    assert (panel["kind"], panel["light"], panel["keys"]) == ("none", None, [])
    assert "--buttons mock" in player.get("/panel").text


def test_a_table_that_is_a_service_is_started_through_systemd(referee: Referee) -> None:
    """The page has the lines for the service's settings; who only watches sees that there is no panel."""
    command = StartCommand(program="/opt/puluc play", options=("--data", "/var/lib", "--stay"), is_service=True)
    app = create_app(referee, code=CODE, start_command=command)
    player, watcher = app.test_client(), app.test_client()
    player.get(f"/?code={CODE}")
    shown, kept = (without_tags(one.get("/panel").text) for one in (player, watcher))

    assert "sudo systemctl edit puluc" in shown
    assert "[Service]ExecStart=ExecStart=/opt/puluc play --data /var/lib --stay --buttons mock" in shown
    assert "This table has no panel." in kept
    assert "systemctl" not in kept


def test_the_page_tells_the_lamps_whole_language(phone: FlaskClient) -> None:
    """The HTML lists each mood with its rhythm in words and as a strip, and the present one."""
    page = unescape(phone.get("/panel").text)

    for light in all_signals():
        assert light.says in page
        assert light.rhythm in page
    assert page.count('class="strip"') == len(Mood)


@pytest.mark.parametrize("mood", Mood)
def test_a_strip_is_lit_when_the_lamp_is(mood: Mood) -> None:
    """It starts at zero, and its flashes are as long as the beats."""
    beats = SIGNALS[mood].beats
    light = next(light for light in all_signals() if light.mood == mood.value)
    lit = strip(light)

    assert lit[0][0] == 0
    assert lit[-1][0] < STRIP_S
    if beats[-1][1]:
        assert [long for _, long in lit[: len(beats)]] == pytest.approx([long for long, _ in beats])


def test_no_two_rhythms_are_told_in_the_same_words() -> None:
    """The descriptions are for people who do not see the colours."""
    lights = all_signals()

    assert len({light.rhythm.split(",", 1)[-1] for light in lights}) == len(lights)
    assert len({light.says for light in lights}) == len(lights)

"""Your sticks: counts of throws for everyone to see, and a button to use them in advice."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

from flask.testing import FlaskClient

from companion.advice.stick_statistics import stick_statistics
from companion.referee.events import Confirmed, Options, OptionsSet, ThrowEntered
from companion.referee.referee import Referee
from companion.referee.snapshots.stick_view import stick_sets
from companion.referee.throw_tally import SIMULATED, CountSource, ThrowTally
from web.routes.game.sticks import chart


def tally(
    counts: tuple[int, int, int, int, int], name: str | None = "Beans", teller: CountSource = CountSource.CAMERA
) -> ThrowTally:
    return ThrowTally(sticks=name, teller=teller, counts=counts, first="2026-01-01", last="2026-01-02", newest=9)


def test_nothing_is_claimed_before_a_throw(watcher: FlaskClient) -> None:
    """There are only a sentence and an empty list."""
    assert watcher.get("/api/sticks").get_json() == {"sets": []}
    assert "No throws with real sticks yet" in watcher.get("/sticks").text


def test_throws_told_by_hand_stand_apart(referee: Referee, watcher: FlaskClient) -> None:
    """They are counted as accepted, under their own name."""
    for marked in (3, 1):
        referee.submit(ThrowEntered(marked))
        if referee.state().throw:
            referee.submit(Confirmed())
    (one,) = watcher.get("/api/sticks").get_json()["sets"]

    assert (one["name"], one["counts"], one["throws"]) == ("Counts entered by hand", [0, 1, 0, 1, 0], 2)
    assert one["verdict"] == "open"
    assert "<h2>Counts entered by hand</h2>" in watcher.get("/sticks").text


def test_figures_are_those_of_the_statistics() -> None:
    """The expected figures of even sticks are beside them."""
    counts = (4, 20, 30, 40, 26)
    (one,) = stick_sets([tally(counts), tally((1, 1, 1, 1, 1), None, CountSource.DRAWN)])
    statistics = stick_statistics(counts)

    assert (one.marked, one.low, one.high, one.verdict) == (
        statistics.marked,
        statistics.low,
        statistics.high,
        statistics.verdict,
    )
    assert one.fair == [7.5, 30, 45, 30, 7.5]
    assert one.advised == f"{round(statistics.marked, 2):.2f}"
    assert "almost certainly not even" in " ".join(one.sentences)


def test_each_kind_of_set_has_a_name() -> None:
    """There are named sets, unnamed ones, the simulated camera's, and older ones."""
    names = ["Beans", "#3fa2c1d0", SIMULATED, ""]
    shown = [one.name for one in stick_sets(tally((1, 0, 0, 0, 0), name) for name in names)]

    assert shown[:2] == ["Beans", "Sticks #3fa2c1d0"]
    assert "simulated" in shown[2]
    assert "before" in shown[3]


def test_the_chart_draws_every_count() -> None:
    """There are five bars with the heights of the counts, and a line each for even sticks."""
    counts = (0, 5, 10, 5, 0)
    drawn = ET.fromstring(chart(stick_sets([tally(counts)])[0]))  # noqa: S314 - our own drawing
    heights = [float(bar.attrib["height"]) for bar in drawn.iter("rect")]

    assert heights == [height * heights[2] / 10 for height in counts]
    assert len([*drawn.iter("path")]) == 5


def test_a_tap_has_advice_reckon_with_it(referee: Referee, player: FlaskClient, watcher: FlaskClient) -> None:
    """Only players see the button, and the one to go back once it is used."""
    for _ in range(2):
        referee.submit(ThrowEntered(4))
    offered = player.get("/sticks").text
    body = offered.split("data-body='")[1].split("'")[0]
    assert "data-body" not in watcher.get("/sticks").text

    assert json.loads(body) == {"marked": "0.90"}
    answer = player.post("/api/options", json=json.loads(body))
    used = player.get("/sticks").text

    assert answer.status_code == 200
    assert answer.get_json()["options"]["marked"] == "0.9"
    assert "Used for advice" in used
    assert "Back to even sticks" in used
    referee.submit(OptionsSet(Options()))
    assert "Back to even sticks" not in player.get("/sticks").text

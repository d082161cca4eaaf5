"""Errors in the dialog for a new game."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient


@pytest.mark.parametrize(
    ("changes", "problem", "rules"),
    [
        ({"spaces": 900}, "“Spaces of the highway”: a highway has 5 to 60 spaces.", ["spaces"]),
        ({"pieces": "many"}, "“Pieces a side, or a player who has their own”: it takes a whole number.", ["pieces"]),
        (
            {"liberation": True, "far_end": "bounce"},
            "These rules can't be combined: “Reaching the enemy base frees the captured”,"
            " “At the enemy base, a unit without captives”.",
            ["liberation", "far_end"],
        ),
        ({"teams": "owned", "players": 9}, "“Players per side”: a side of this game has 1 to 8 players.", ["players"]),
        ({"players": 3}, "These rules can't be combined: “Players per side”, “Teams”.", ["players", "teams"]),
    ],
)
def test_rules_that_do_not_fit_are_called_as_in_the_dialog(
    player: FlaskClient, changes: dict[str, Any], problem: str, rules: list[str]
) -> None:
    """The message has no identifier; the fields to mark are separate."""
    answer = player.post("/api/games", json={"variant": "puluc", "set": changes})

    assert answer.status_code == 422
    assert answer.get_json() == {"problem": problem, "rules": rules}


def test_a_tile_says_what_its_game_starts_with(watcher: FlaskClient) -> None:
    """In Bul with teams each player has one piece; other team games have their own numbers."""
    text = watcher.get("/api/new-game").text

    assert "9 spaces, one piece per player, teams" in text
    assert "9 spaces, 5 pieces, teams" not in text

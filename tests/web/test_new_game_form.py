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
            " “At the enemy base, a unit without captives”."
            " The captured are freed when a unit returns from the enemy base to its own.",
            ["liberation", "far_end"],
        ),
        ({"teams": "owned", "players": 9}, "“Players per side”: a side of this game has 1 to 8 players.", ["players"]),
        (
            {"players": 3},
            "These rules can't be combined: “Players per side”, “Teams”."
            " Without teams there is one player on each side.",
            ["players", "teams"],
        ),
    ],
)
def test_rules_that_do_not_fit_are_called_as_in_the_dialog(
    player: FlaskClient, changes: dict[str, Any], problem: str, rules: list[str]
) -> None:
    """The message has no identifier; the fields to mark are separate."""
    answer = player.post("/api/games", json={"variant": "puluc", "set": changes})

    assert answer.status_code == 422
    assert answer.get_json() == {"problem": problem, "rules": rules}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"captor_retires": True}, "Only a captor that leaves the highway at once can be out for good."),
        (
            {"liberation": True, "captor": "leaves"},
            "Where captors leave the highway at once, there are no captives on it to free.",
        ),
        (
            {"rescued": "slain", "captor": "leaves"},
            "Where captors leave the highway at once, no piece is ever rescued.",
        ),
        (
            {"exact_home": True, "far_end": "loop"},
            "Where units go round again, there is no last space to count to.",
        ),
        (
            {"exact_home": True, "captor": "leaves"},
            "Like this no unit ever heads home, so none can need the exact throw.",
        ),
    ],
)
def test_rules_that_cannot_be_combined_are_explained(player: FlaskClient, changes: dict[str, Any], why: str) -> None:
    """The message ends with a reason in the dialog's words."""
    answer = player.post("/api/games", json={"variant": "puluc", "set": changes})

    assert answer.status_code == 422
    assert answer.get_json()["problem"].endswith(f"”. {why}")


def test_a_tile_says_what_its_game_starts_with(watcher: FlaskClient) -> None:
    """In Bul with teams each player has one piece; other team games have their own numbers."""
    text = watcher.get("/api/new-game").text

    assert "9 spaces, one piece per player, teams" in text
    assert "9 spaces, 5 pieces, teams" not in text

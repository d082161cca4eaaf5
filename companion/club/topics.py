"""MQTT topics of the tables of a club, and discovery by Home Assistant."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from companion.errors import SettingsUnusable

ROOT = "puluc"
TABLE, ONLINE, ABOUT = "table", "online", "about"
"""Topics of each table: its snapshot, whether it is online, and its name."""
HERE, GONE = "online", "offline"
ALL_TABLES = f"{ROOT}/+/+"
LONGEST_NAME = 40
LONGEST_STATE = 250
"""Longest state in characters; Home Assistant takes 255."""


@dataclass(frozen=True, slots=True)
class TableName:
    """The name of a table, and its word in topics: lower-case letters, digits and dashes."""

    name: str

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.strip()) <= LONGEST_NAME or not self.name.isprintable() or not self.word:
            raise SettingsUnusable(f"--table takes a name of 1 to {LONGEST_NAME} letters, such as 'By the door'.")

    @property
    def word(self) -> str:
        """The name in topics. Of a word without a single plain letter the numbers of its letters stand there.

        >>> TableName("Mesa del Búho 2").word, TableName("Окно 2").word
        ('mesa-del-buho-2', '43e-43a-43d-43e-2')
        """
        plain = unicodedata.normalize("NFKD", self.name.casefold())
        letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
        known = re.sub(r"\b[^\W_a-z0-9]+\b", lambda word: _numbers(word[0]), letters)
        return re.sub(r"[^a-z0-9]+", "-", known).strip("-") or _numbers(plain.strip())

    def topic(self, of: str) -> str:
        """The full topic of this table for ``of``."""
        return f"{ROOT}/{self.word}/{of}"

    @property
    def discovery(self) -> str:
        """The topic for Home Assistant's discovery."""
        return f"homeassistant/device/{ROOT}_{self.word}/config"


def _numbers(letters: str) -> str:
    return "-".join(f"{ord(letter):x}" for letter in letters)


def discovery_message(table: TableName, version: str) -> str:
    """The discovery message for Home Assistant: a device with a sensor for each value worth showing."""

    def sensor(key: str, name: str, template: str, icon: str, **more: str) -> dict[str, Any]:
        unique = f"{ROOT}_{table.word}_{key}".replace("-", "_")
        about = {"unique_id": unique, "name": name, "value_template": template, "icon": icon}
        return {"platform": "sensor", **about, **more}

    def player(side: str) -> str:
        return f"{{{{ value_json.players.{side}.name }}}}"

    chance = "{{ (value_json.advice.jade * 100) | round(1) if value_json.advice.jade is number else None }}"
    return json.dumps(
        {
            "device": {
                "identifiers": [f"{ROOT}_{table.word}"],
                "name": table.name,
                "model": "Puluc Companion",
                "manufacturer": "Puluc Companion",
                "sw_version": version or "0",
            },
            "origin": {"name": "Puluc Companion", "sw_version": version or "0"},
            "state_topic": table.topic(TABLE),
            "availability": [{"topic": table.topic(ONLINE), "payload_available": HERE, "payload_not_available": GONE}],
            "components": {
                "prompt": sensor("prompt", "Now", f"{{{{ value_json.prompt[:{LONGEST_STATE}] }}}}", "mdi:message-text"),
                "phase": sensor("phase", "Phase", "{{ value_json.phase }}", "mdi:progress-clock"),
                "turn": sensor("turn", "Turn", "{{ value_json.turn }}", "mdi:account-arrow-right"),
                "game": sensor("game", "Game", "{{ value_json.rules.name }}", "mdi:dice-multiple"),
                "jade": sensor("jade", "Jade", player("jade"), "mdi:circle"),
                "obsidian": sensor("obsidian", "Obsidian", player("obsidian"), "mdi:square-rounded"),
                "winner": sensor("winner", "Winner", "{{ value_json.winner or 'none' }}", "mdi:trophy"),
                "camera": sensor("camera", "Camera", "{{ value_json.camera.state }}", "mdi:camera"),
                "chance": sensor("chance", "Jade's chance", chance, "mdi:scale-balance", unit_of_measurement="%"),
            },
        }
    )

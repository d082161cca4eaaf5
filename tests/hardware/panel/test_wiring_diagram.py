"""The wiring diagram shows the configuration, and the committed one is up to date."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.panel.configuration import ButtonSection, BuzzerSection, LampSection, PanelConfiguration
from hardware.panel.wiring_diagram import GROUND, HEADER_PIN, POWER, draw_wiring, parts_list

COMMITTED = Path(__file__).parents[3] / "docs" / "wiring.svg"
SVG = "{http://www.w3.org/2000/svg}"
FULL = PanelConfiguration(
    buttons=ButtonSection(confirm=26, next=2, back=14),
    lamp=LampSection(red=16, green=20, blue=21, common_anode=True),
    buzzer=BuzzerSection(fitted=True),
)


def words(pins: PanelConfiguration) -> list[str]:
    """Return all texts of the drawing."""
    return [text.text or "" for text in ET.fromstring(draw_wiring(pins)).iter(f"{SVG}text")]  # noqa: S314 - our own


def filled(pins: PanelConfiguration) -> set[str]:
    """Return the numbers of the header's pins that are drawn as used: white on black."""
    drawing = ET.fromstring(draw_wiring(pins))  # noqa: S314 - our own
    return {text.text or "" for text in drawing.iter(f"{SVG}text") if text.get("fill") == "#ffffff"}


def test_committed_drawing_is_up_to_date() -> None:
    """It is made by ``puluc config --fresh --wiring docs/wiring.svg``."""
    assert COMMITTED.read_text(encoding="utf-8") == draw_wiring(PanelConfiguration())


def test_header_is_the_raspberry_pis() -> None:
    """Each GPIO from 2 to 27 has its own position, and none has that of power, ground or the add-on boards' EEPROM."""
    others = {1, 2, 4, 6, 9, 14, 17, 20, 25, 27, 28, 30, 34, 39}

    assert set(HEADER_PIN) == set(range(2, 28))
    assert set(HEADER_PIN.values()) == set(range(1, 41)) - others
    # Well known: the serial port and the two ends.
    assert (HEADER_PIN[14], HEADER_PIN[15], HEADER_PIN[2], HEADER_PIN[21]) == (8, 10, 3, 40)


@pytest.mark.parametrize("pins", [PanelConfiguration(), FULL])
def test_every_wire_is_named_by_pin_and_number(pins: PanelConfiguration) -> None:
    """Exactly the used pins of the header are filled."""
    used = {HEADER_PIN[pin] for _, pin in pins.wires()}
    power = {POWER} if pins.lamp.common_anode or pins.buzzer.fitted else set()

    for _, pin in pins.wires():
        assert f"pin {HEADER_PIN[pin]} (GPIO {pin})" in words(pins)
    assert filled(pins) == {str(number) for number in used | power | {GROUND}}


def test_lamp_is_drawn_as_configured() -> None:
    """Its common leg is wired to ground or to 3.3 V; each colour has its resistor."""
    cathode, anode = words(PanelConfiguration()), words(PanelConfiguration(lamp=LampSection(common_anode=True)))

    assert "common cathode" in cathode
    assert "common anode" in anode
    assert "3.3 V: pin 1" in anode
    assert "3.3 V: pin 1" not in cathode
    assert (cathode.count("220 Ω"), cathode.count("100 Ω")) == (1, 2)


def test_buzzer_has_a_transistor() -> None:
    """Both are in the drawing and in the list of parts only if there is a buzzer."""
    assert "buzzer" in words(FULL)
    assert "buzzer" not in words(PanelConfiguration())
    assert any("transistor" in part for part in parts_list(FULL))
    assert not any("transistor" in part for part in parts_list(PanelConfiguration()))


@pytest.mark.parametrize("pins", [PanelConfiguration(), FULL])
def test_wires_do_not_overlap(pins: PanelConfiguration) -> None:
    """Vertical segments of different wires never share a line."""
    drawing = ET.fromstring(draw_wiring(pins))  # noqa: S314 - our own
    upright: dict[float, list[tuple[float, float]]] = {}
    for line in drawing.iter(f"{SVG}polyline"):
        if line.get("stroke") == "#ffffff":
            continue
        points = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
        for (x1, y1), (x2, y2) in pairwise(points):
            if x1 == x2 and y1 != y2:
                upright.setdefault(x1, []).append((min(y1, y2), max(y1, y2)))

    assert sum(map(len, upright.values())) >= 6
    for spans in upright.values():
        ordered = sorted(spans)
        assert all(before[1] <= after[0] for before, after in pairwise(ordered))

"""The wiring drawing shows what the settings say, and the committed one is that of today."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from hardware.pins import Buttons, Buzzer, Lamp, Pins
from hardware.wiring import GROUND, PHYSICAL, POWER, draw_wiring, parts_list

COMMITTED = Path(__file__).parents[2] / "docs" / "wiring.svg"
SVG = "{http://www.w3.org/2000/svg}"
FULL = Pins(
    buttons=Buttons(confirm=26, next=2, back=14),
    lamp=Lamp(red=16, green=20, blue=21, common_anode=True),
    buzzer=Buzzer(fitted=True),
)


def words(pins: Pins) -> list[str]:
    """Everything that is written on the drawing."""
    return [text.text or "" for text in ET.fromstring(draw_wiring(pins)).iter(f"{SVG}text")]  # noqa: S314 - our own


def filled(pins: Pins) -> set[str]:
    """The numbers of the header's pins that are drawn as used: white on black."""
    drawing = ET.fromstring(draw_wiring(pins))  # noqa: S314 - our own
    return {text.text or "" for text in drawing.iter(f"{SVG}text") if text.get("fill") == "#ffffff"}


def test_the_committed_drawing_is_todays() -> None:
    """Made by ``puluc config --fresh --wiring docs/wiring.svg``."""
    assert COMMITTED.read_text(encoding="utf-8") == draw_wiring(Pins())


def test_the_header_is_the_raspberry_pis() -> None:
    """Every GPIO from 2 to 27 has a place of its own; power, ground and the two of the add-on boards have none."""
    others = {1, 2, 4, 6, 9, 14, 17, 20, 25, 27, 28, 30, 34, 39}

    assert set(PHYSICAL) == set(range(2, 28))
    assert set(PHYSICAL.values()) == set(range(1, 41)) - others
    # As anybody can look up: the serial line and the two ends.
    assert (PHYSICAL[14], PHYSICAL[15], PHYSICAL[2], PHYSICAL[21]) == (8, 10, 3, 40)


@pytest.mark.parametrize("pins", [Pins(), FULL])
def test_every_wire_is_named_by_pin_and_number(pins: Pins) -> None:
    """The used pins of the header are filled, and nothing else is."""
    used = {PHYSICAL[pin] for _, pin in pins.wires()}
    power = {POWER} if pins.lamp.common_anode or pins.buzzer.fitted else set()

    for _, pin in pins.wires():
        assert f"pin {PHYSICAL[pin]} (GPIO {pin})" in words(pins)
    assert filled(pins) == {str(number) for number in used | power | {GROUND}}


def test_the_lamp_is_drawn_as_it_is_configured() -> None:
    """Its common leg goes to ground, or to 3.3 V; each colour has its resistor."""
    cathode, anode = words(Pins()), words(Pins(lamp=Lamp(common_anode=True)))

    assert "common cathode" in cathode
    assert "common anode" in anode
    assert "3.3 V: pin 1" in anode
    assert "3.3 V: pin 1" not in cathode
    assert (cathode.count("220 Ω"), cathode.count("100 Ω")) == (1, 2)


def test_a_buzzer_comes_with_its_transistor() -> None:
    """Only where there is one, on the drawing and in the list of parts."""
    assert "buzzer" in words(FULL)
    assert "buzzer" not in words(Pins())
    assert any("transistor" in part for part in parts_list(FULL))
    assert not any("transistor" in part for part in parts_list(Pins()))


@pytest.mark.parametrize("pins", [Pins(), FULL])
def test_no_two_wires_lie_on_each_other(pins: Pins) -> None:
    """Upright stretches of different wires never share a line, nor do level ones at the header."""
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

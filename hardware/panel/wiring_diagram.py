"""Draw how a panel configuration is wired: header, wires, buttons, lamp and buzzer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from companion.panel import Button
from hardware.panel.configuration import PanelConfiguration
from hardware.panel.svg_drawing import INK, PAPER, SOFT, Point, SvgDrawing

HEADER_PIN = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10, 16: 36, 17: 11,
    18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""Position on the 40-pin header of each GPIO number, the same on every Raspberry Pi that has this header."""

POWER, GROUND = 1, 39
"""The header pins used for 3.3 V and ground. They are at its ends, so that their wires cross no others."""

RED_OHM, OTHER_OHM, BASE_OHM = 220, 100, 1000
"""Resistors of the red LED, of the other two, and before the transistor. At 3.3 V, typical LEDs draw 4 to 6 mA through
them and any LED at most 13 mA, where a pin allows 16. Smaller resistors are brighter. The transistor draws 3 mA."""

PITCH, TOP, LEFT = 26.0, 96.0, 150.0
"""Distance between two rows of the header, and the position of its first pin."""

LANES, PARTS, GROUND_RAIL, POWER_RAIL, WIDTH = 240.0, 480.0, 752.0, 778.0, 800.0
"""x at which the wires turn up or down, the parts begin, the two rails run, and the drawing ends."""


@dataclass(frozen=True, slots=True)
class WiredPart:
    """An electronic part. pins: GPIO numbers, top to bottom. height: its space. draw: draws it below that y."""

    pins: tuple[int, ...]
    height: float
    draw: Callable[[float], list[Point]]


def parts_list(pins: PanelConfiguration) -> list[str]:
    """List the parts that a configuration needs."""
    listed = [
        "3 push buttons that close a contact while pressed",
        f"1 RGB lamp, 5 mm, common {'anode' if pins.lamp.common_anode else 'cathode'}",
        f"1 resistor {RED_OHM} Ω, 2 resistors {OTHER_OHM} Ω",
    ]
    if pins.buzzer.fitted:
        listed += ["1 active piezo buzzer for 3 V", "1 transistor BC547 or 2N3904", "1 resistor 1 kΩ"]
    return [*listed, "jumper wires with sockets for the header"]


def draw_wiring(pins: PanelConfiguration) -> str:
    """Draw a configuration's wiring as an SVG file. Equal configurations give equal files."""
    drawing = SvgDrawing()
    board = _Board(drawing, pins)
    parts = sorted(board.parts(), key=lambda part: min(_row(HEADER_PIN[pin]) for pin in part.pins))
    height = max(TOP + 20 * PITCH, TOP + sum(part.height for part in parts)) + 76
    drawing.begin(WIDTH, height, "How to wire the panel to the 40-pin header")
    board.header()
    ends = []
    y = TOP - 10
    for part in parts:
        ends += list(zip(part.pins, part.draw(y), strict=True))
        y += part.height
    board.wires(ends)
    board.rails(height - 52)
    board.pins()
    listed = parts_list(pins)
    for line, some in enumerate((listed[:3], listed[3:])):
        drawing.text(24, height - 26 + 16 * line, " · ".join(some), 11, fill=SOFT)
    return drawing.to_svg()


def _row(physical: int) -> int:
    return (physical - 1) // 2


class _Board:
    """Draws the parts and the wires between them."""

    def __init__(self, drawing: SvgDrawing, pins: PanelConfiguration) -> None:
        self._drawing, self._pins = drawing, pins
        self._grounded: list[Point] = []
        self._powered: list[Point] = []

    def parts(self) -> Iterable[WiredPart]:
        """Yield the parts to be wired."""
        for button in Button:
            yield WiredPart((getattr(self._pins.buttons, button.value),), 74, partial(self._button, button.value))
        lamp = self._pins.lamp
        yield WiredPart((lamp.red, lamp.green, lamp.blue), 176, self._lamp)
        if self._pins.buzzer.fitted:
            yield WiredPart((self._pins.buzzer.pin,), 120, self._buzzer)

    def header(self) -> None:
        """Draw the header with the USB sockets below it."""
        drawing = self._drawing
        drawing.text(24, 30, "Raspberry Pi, 40-pin header", 17, weight="bold")
        drawing.text(24, 50, "Pull the plug before you wire.", 12)
        drawing.text(LEFT - 28, TOP + 5, "pin 1 ▸", 11, "end")
        drawing.text(LEFT - 28, TOP + 19 * PITCH - 3, "USB and network", 11, "end")
        drawing.text(LEFT - 28, TOP + 19 * PITCH + 11, "sockets this side ▾", 11, "end")
        drawing.box(LEFT - 18, TOP - 18, 66, 19 * PITCH + 36, "#f2efe8", 6)

    def pins(self) -> None:
        """Draw the header's pins with their numbers, over the wires that end at their centres. Used ones are filled."""
        drawing = self._drawing
        used = {HEADER_PIN[pin] for _, pin in self._pins.wires()} | {GROUND} | ({POWER} if self._needs_power else set())
        for physical in range(1, 41):
            x, y = self._at(physical)
            if physical == 1:
                drawing.box(x - 10, y - 10, 20, 20, INK if 1 in used else PAPER, 1)
            else:
                drawing.dot(x, y, 10, INK if physical in used else PAPER)
            drawing.text(x, y + 4, str(physical), 10, "middle", PAPER if physical in used else INK)

    def wires(self, ends: list[tuple[int, Point]]) -> None:
        """Draw the wire from each pin to its part, each in its own lane so that few of them cross."""
        starts = {pin: self._leaves(HEADER_PIN[pin]) for pin, _ in ends}
        ends = sorted(ends, key=lambda end: starts[end[0]])
        falling = [pin for pin, (_, y) in ends if y >= starts[pin]]
        rising = [pin for pin, (_, y) in ends if y < starts[pin]]
        # Falling wires turn the later the higher they start, rising ones the earlier: so they never cross each other.
        order = {pin: lane for lane, pin in enumerate([*rising, *reversed(falling)])}
        names = {pin: name for name, pin in self._pins.wires()}
        colours = {"lamp.red": "#c0271d", "lamp.green": "#1e8a3c", "lamp.blue": "#1f57c3", "buzzer.pin": "#7a4fb0"}
        for pin, (x, y) in ends:
            (from_x, from_y), lane = self._at(HEADER_PIN[pin]), LANES + 20 * order[pin]
            out = starts[pin]
            way = [(from_x, from_y), (from_x + (0 if out == from_y else 11), out), (lane, out), (lane, y), (x, y)]
            self._drawing.wire(way, colours.get(names[pin], "#8a6a1c"))
            self._drawing.text(x - 6, y - 5, f"pin {HEADER_PIN[pin]} (GPIO {pin})", 11, "end")

    def rails(self, low: float) -> None:
        """Draw ground along the bottom and 3.3 V along the top."""
        x, y = self._at(GROUND)
        top = min(at for _, at in self._grounded)
        self._drawing.wire([(x, y), (x, low), (GROUND_RAIL, low), (GROUND_RAIL, top)], INK)
        self._drawing.text(LANES, low - 6, f"ground: pin {GROUND}", 11)
        for part_x, part_y in self._grounded:
            self._drawing.wire([(part_x, part_y), (GROUND_RAIL, part_y)], INK)
            self._drawing.dot(GROUND_RAIL, part_y, 3.5, INK)
        if self._powered:
            x, y = self._at(POWER)
            high = TOP - 32
            low_power = max(at for _, at in self._powered)
            self._drawing.wire([(x, y), (x, high), (POWER_RAIL, high), (POWER_RAIL, low_power)], "#c2410c")
            self._drawing.text(LANES, high - 6, f"3.3 V: pin {POWER}", 11)
            for part_x, part_y in self._powered:
                self._drawing.wire([(part_x, part_y), (POWER_RAIL, part_y)], "#c2410c")
                self._drawing.dot(POWER_RAIL, part_y, 3.5, "#c2410c")

    @property
    def _needs_power(self) -> bool:
        return self._pins.lamp.common_anode or self._pins.buzzer.fitted

    def _at(self, physical: int) -> Point:
        return (LEFT + (0 if physical % 2 else 30), TOP + PITCH * _row(physical))

    def _leaves(self, physical: int) -> float:
        """Return the y at which a wire leaves the header. Wires of the left column pass between two rows."""
        return self._at(physical)[1] + (PITCH / 2 if physical % 2 else 0)

    def _button(self, name: str, top: float) -> list[Point]:
        drawing, y = self._drawing, top + 40
        drawing.wire([(PARTS, y), (620, y)], INK)
        drawing.box(598, y - 22, 44, 44, "#f2efe8", 7)
        drawing.dot(620, y, 14, PAPER)
        drawing.text(620, y - 28, name, 14, "middle", weight="bold")
        self._grounded.append((642, y))
        return [(PARTS, y)]

    def _lamp(self, top: float) -> list[Point]:
        drawing, anode = self._drawing, self._pins.lamp.common_anode
        middle = top + 92
        ends: list[Point] = []
        for place, (letter, ohm) in enumerate((("R", RED_OHM), ("G", OTHER_OHM), ("B", OTHER_OHM))):
            y = middle + (place - 1) * 40
            ends.append((PARTS, y))
            drawing.wire([(PARTS, y), (620, y)], INK)
            drawing.box(PARTS + 16, y - 9, 56, 18, PAPER, 2)
            drawing.text(PARTS + 44, y + 4, f"{ohm} Ω", 11, "middle")
            drawing.text(PARTS + 88, y - 5, letter, 12, "middle")
        drawing.dot(634, middle, 48, PAPER)
        drawing.dot(634, middle, 36, "#f2efe8")
        drawing.text(634, middle - 1, "RGB", 13, "middle", weight="bold")
        drawing.text(634, middle + 14, "lamp", 12, "middle")
        drawing.text(634, top + 34, "common anode" if anode else "common cathode", 12, "middle", weight="bold")
        drawing.text(688, middle - 6, "longest", 10)
        drawing.text(688, middle + 14, "leg", 10)
        (self._powered if anode else self._grounded).append((682, middle))
        return ends

    def _buzzer(self, top: float) -> list[Point]:
        drawing, y, x = self._drawing, top + 78, 600.0
        drawing.box(PARTS + 16, y - 9, 56, 18, PAPER, 2)
        drawing.wire([(PARTS, y), (PARTS + 16, y)], INK)
        drawing.wire([(PARTS + 72, y), (x - 22, y)], INK)
        drawing.text(PARTS + 44, y + 4, "1 kΩ", 11, "middle")
        drawing.dot(x, y, 22, PAPER)
        for way in (
            [(x - 22, y), (x - 8, y)],
            [(x - 8, y - 12), (x - 8, y + 12)],
            [(x - 8, y - 4), (x + 8, y - 14), (x + 8, y - 40), (x + 30, y - 40)],
            [(x - 8, y + 4), (x + 8, y + 14), (x + 8, y + 34)],
        ):
            drawing.line(way)
        for letter, down in (("B", -5.0), ("C", -28.0), ("E", 32.0)):
            drawing.text(x - 28 if letter == "B" else x, y + down, letter, 11, "end")
        drawing.text(x + 28, y + 5, "BC547 or 2N3904", 11)
        drawing.dot(x + 52, y - 40, 22, "#f2efe8")
        drawing.text(x + 52, y - 36, "buzzer", 10, "middle")
        drawing.text(x + 80, y - 46, "+", 14)
        self._grounded.append((x + 8, y + 34))
        self._powered.append((x + 74, y - 40))
        return [(PARTS, y)]

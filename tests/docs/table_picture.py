"""``python -m tests.docs.table_picture [FILE]``: draw the picture of the table, the tray and a phone for README.

Everything in it comes from the program: the board that ``puluc print`` draws, the simulated camera's tray, and the page
of the same game in Chromium. The picture is written to ``docs/table.jpg`` unless another file is named.
"""

from __future__ import annotations

import argparse
import base64
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import pypdfium2
from playwright.sync_api import Browser, ViewportSize, sync_playwright

from companion.printing.board_plan import BoardPlan, lay_out
from companion.printing.board_sheet import BoardLabels, draw_board
from companion.printing.tray_plan import PAPERS
from companion.referee.events import Confirmed, Picture, ThrowSeen
from companion.rules.position import Position
from companion.rules.unit import Side, Unit
from hardware.cameras.camera import Pixels
from hardware.cameras.simulated_camera import SimulatedCamera
from hardware.reader.throw_reader import ThrowReader
from hardware.registration.board_markers import board_patterns
from tests.browser.chromium import LAUNCH_OPTIONS, chromium_path
from tests.browser.conftest import House
from tests.referee.random_games import random_game

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "table.jpg"
PIECES = ROOT / "web" / "static" / "images" / "pieces"
VARIANT, TURNS, GAME_SEED, THROW_SEED = "puluc", 13, 18, 6
SIZE = ViewportSize(width=1200, height=836)
PHONE = ViewportSize(width=390, height=800)
PIECE_MM = 15.0


def draw(path: Path, browser: Browser) -> None:
    """Play some turns, throw once more, and draw the table and the phone."""
    with TemporaryDirectory() as folder:
        house = House(Path(folder))
        try:
            for event in random_game(VARIANT, seed=GAME_SEED, turns=TURNS, jade=("Ana",), obsidian=("Ben",)):
                house.referee.submit(event)
            tray = throw(house)
            phone = browser.new_page(viewport=PHONE, device_scale_factor=2, is_mobile=True)
            phone.goto(house.address)
            phone.locator("[data-touch]:not([aria-disabled])").wait_for()
            page = phone.screenshot()
            table = browser.new_page(viewport=SIZE)
            table.set_content(scene(house.referee.state().position, tray, page))
            path.write_bytes(table.screenshot(type="jpeg", quality=86))
        finally:
            house.stop()


def throw(house: House) -> Pixels:
    """Throw the simulated sticks, read them, and confirm the reading. Returns the camera's picture."""
    seconds = count()
    camera = SimulatedCamera(THROW_SEED, clock=lambda: float(next(seconds)), sleep=lambda _: None)
    reader = ThrowReader.calibrate(*camera.calibration())
    camera.throw()
    pixels = camera.still().pixels
    reading = reader.read(pixels)
    assert isinstance(reading, ThrowSeen), reading
    picture = Picture(jpeg=encoded(".jpg", pixels), width=camera.width, height=camera.height)
    house.referee.submit(replace(reading, picture=picture))
    house.referee.submit(Confirmed())
    house.advise()
    return pixels


def scene(position: Position, tray: Pixels, page: bytes) -> str:
    """The table as an HTML page, with the board's lengths in millimetres."""
    rules = position.rules
    plan = lay_out(rules.spaces)
    labels = BoardLabels(name=rules.name, pieces=rules.pieces, values=rules.values)
    pdf = pypdfium2.PdfDocument(draw_board(PAPERS["a4"], plan, labels, board_patterns()))
    board = pdf[0].render(scale=4).to_numpy()
    drawn = {side.value: uri("svg+xml", (PIECES / f"{side.value}.svg").read_bytes()) for side in Side}
    pieces = "".join(
        f'<img class="piece" src="{drawn[name]}" style="left:{x}mm;top:{y}mm">' for name, x, y in laid(position, plan)
    )
    return STYLE + (
        f'<div class="tray"><img src="{uri("jpeg", encoded(".jpg", tray))}"></div>'
        f'<div class="board"><img src="{uri("png", encoded(".png", board))}">{pieces}</div>'
        f'<div class="phone"><img src="{uri("png", page)}"></div>'
    )


def laid(position: Position, plan: BoardPlan) -> Iterator[tuple[str, float, float]]:
    """The name of each piece's picture, and the position of its centre in millimetres from the sheet's corner."""
    part = plan.parts(PAPERS["a4"])[0]
    for side, base in zip(Side, plan.bases, strict=True):
        for number in range(position.in_base(side)):
            rings, room = position.rules.pieces, base.bottom - base.top - 22
            y = base.top + 17.5 + room * (number + 0.5) / rings
            yield side.value, part.left + (base.left + base.right) / 2, part.top + y
    for space, units in zip(plan.spaces, position.spaces, strict=True):
        for unit in units:
            for number, name in enumerate(stack(unit)):
                middle = (space.box.top + space.box.bottom) / 2
                yield name, part.left + (space.box.left + space.box.right) / 2, part.top + middle - 7.0 * number


def stack(unit: Unit) -> list[str]:
    """The pictures of the unit's pieces, bottom to top."""
    return [unit.owner.other.value] * unit.captives + [unit.owner.value] * unit.own


def encoded(kind: str, pixels: Pixels) -> bytes:
    return cv2.imencode(kind, pixels)[1].tobytes()


def uri(kind: str, content: bytes) -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


STYLE = f"""<style>
body {{ margin: 0; overflow: hidden; background: #b9a688 radial-gradient(at 25% 15%, #d9c9ad, #a38d6c 85%); }}
.tray, .board, .phone {{ position: absolute; box-shadow: 6px 10px 22px #0006; }}
.tray {{ left: 236px; top: 26px; width: 340px; height: 250px; overflow: hidden; border-radius: 10px; }}
.tray img {{ width: 440px; margin: -38px 0 0 -50px; }}
.board {{ left: 34px; top: 306px; width: 297mm; height: 210mm; }}
.board {{ transform-origin: 0 0; transform: scale(.65) rotate(-.6deg); }}
.board > img:first-child {{ width: 100%; height: 100%; }}
.piece {{ position: absolute; width: {PIECE_MM}mm; margin: -{PIECE_MM / 2}mm; filter: drop-shadow(2px 3px 3px #0008); }}
.phone {{ right: 46px; top: 36px; width: 352px; padding: 18px 11px; background: #17191c; border-radius: 38px; }}
.phone img {{ width: 100%; border-radius: 26px; display: block; }}
</style>"""


def main(words: Sequence[str] | None = None) -> None:
    """Draw the picture into the file that is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=PICTURE)
    file = parser.parse_args(words).file
    with sync_playwright() as playwright:
        draw(file, playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_OPTIONS))


if __name__ == "__main__":
    main()

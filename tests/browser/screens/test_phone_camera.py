"""A browser with a played clip for its camera lets itself in over HTTPS, and the table reads what the clip shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from shutil import copytree, ignore_patterns
from threading import Event, Thread
from typing import NamedTuple

import pytest
from playwright.sync_api import Browser, Error, Page, expect

from companion.access.certificate import own_certificate
from companion.phone_camera.mailbox import PhoneMailbox
from companion.phone_camera.pairing import PhonePairing
from companion.referee.events import Confirmed, GameStarted, MoveChosen, ThrowEntered, ThrowSeen
from companion.referee.events import Event as TableEvent
from companion.referee.game_state import Phase
from companion.referee.referee import Referee
from companion.storage.atomic_file import replacing
from companion.storage.store import Store
from hardware.cameras.camera import Camera, Frame, Pixels
from hardware.cameras.phone_camera import PhoneCamera
from hardware.cameras.picture_files import load_picture
from hardware.reader.throw_reader import ThrowReader
from hardware.tracking.consensus import READINGS_NEEDED, Reading
from hardware.tracking.settling import SettlingDetector
from hardware.tracking.throw_watcher import ThrowWatcher
from tests.browser.chromium import LAUNCH_OPTIONS
from tests.hardware.reader.drawing import calibration, four, tray
from tests.phone_camera.answering_phone import jpeg_of
from web.app import create_app
from web.routes.devices.phone_link import PhoneLink, SecurePage
from web.serving.server import SecurePort, Server

pytestmark = pytest.mark.browser

CLIPS = Path(__file__).parents[4] / "shared" / "throws" / "video"
EMPTY, RESTING = 45, 360
"""Pictures of the empty tray before a throw, and at rest after it. Chromium plays 30 a second, and begins anew at the
end, so that a page which was late sees the throw all the same."""


class PlayedClip(NamedTuple):
    """A throw as a file for Chromium's camera. marked: how many marked faces it shows."""

    file: Path
    reader: ThrowReader
    marked: int


def drawn_clip(folder: Path) -> PlayedClip:
    """A hand over the empty tray, then four sticks."""
    empty = jpeg_of(tray([]))
    moving = [jpeg_of(tray([], hand=(300 + 9 * number, 200), noise=number)) for number in range(20)]
    resting = [jpeg_of(tray(four(3), noise=100 + number)) for number in range(4)]
    file = write_film(folder, [empty] * EMPTY + moving + resting * (RESTING // 4))
    return PlayedClip(file, ThrowReader.calibrate(*calibration()), 3)


def rendered_clip(folder: Path, name: str) -> PlayedClip:
    """A rendered throw. Its count is what the reader reads from the last picture of the clip's folder."""
    frames = sorted((CLIPS / name).glob("f*.jpg"))
    film = [one.read_bytes() for one in frames]
    empty = (CLIPS / name / "empty.jpg").read_bytes()
    file = write_film(folder, [empty] * EMPTY + film + film[-4:] * (RESTING // 4))
    reader = ThrowReader.calibrate(
        *(load_picture(CLIPS / name / f"{one}.jpg") for one in ("empty", "cal_marked", "cal_plain"))
    )
    read = reader.read(load_picture(frames[-1]))
    return PlayedClip(file, reader, read.marked if isinstance(read, ThrowSeen) else -1)


def write_film(folder: Path, pictures: list[bytes]) -> Path:
    """Write JPEG pictures one after the other, which is what MJPEG is. A camera that starts after this plays them."""
    with replacing(folder / "clip.mjpeg") as file:
        file.write_bytes(b"".join(pictures))
    return folder / "clip.mjpeg"


class PhoneTable:
    """A table over HTTPS whose camera is a phone, with a watcher on a thread of its own.

    ports: plain and secure. has_looked: is set once a throw has been read as often as needed, and counted or not.
    """

    def __init__(self, folder: Path, played: PlayedClip, ports: tuple[int, int] = (0, 0)) -> None:
        self._folder, self._played = folder, played
        self.referee = Referee(
            Store(folder), first=GameStarted(variant="puluc", jade=("Ana",), obsidian=("Beto",), seed=1)
        )
        if self.referee.state().phase is Phase.THROW_OFF:
            for marked in (4, 1):
                self.referee.submit(ThrowEntered(marked))
        self.pairing = PhonePairing(folder, clock=time.monotonic)
        mailbox = PhoneMailbox(clock=time.monotonic, has_phone=self.pairing.has_phone)
        files = own_certificate(folder)
        self.seen: list[tuple[float, ThrowSeen]] = []
        self.has_looked = Event()
        self._readings = self._frames = 0

        def secure() -> SecurePage:
            assert self.server.secure_port is not None
            return SecurePage(port=self.server.secure_port, fingerprint=files.fingerprint, is_own=True)

        link = PhoneLink(mailbox=mailbox, pairing=self.pairing, secure=secure)
        plain, secured = ports
        port = SecurePort(port=secured, certificate=files.certificate, key=files.key)
        self.server = Server(
            create_app(self.referee, code="maize-7", phones=(link,)), host="127.0.0.1", port=plain, secure=port
        )
        self._ended = ended = Event()

        def pause(seconds: float) -> None:
            ended.wait(seconds)

        watcher = ThrowWatcher(
            open_camera=lambda: PhoneCamera(mailbox),
            reader=self,
            detector=lambda: SettlingDetector(played.reader.profile.empty),
            table=self.referee.state,
            submit=self._submit,
            clock=time.monotonic,
            pause=pause,
            on_frame=self._count_frame,
            back_off_s=(0.1,),
        )

        def watch() -> None:
            while not ended.is_set():
                watcher.step()
            watcher.close()

        self._serving, self._watching = Thread(target=self.server.run), Thread(target=watch)
        self._serving.start()
        self._watching.start()

    def read(self, pixels: Pixels) -> Reading:
        """Read with the clip's reader."""
        reading = self._played.reader.read(pixels)
        self._readings, self._frames = self._readings + isinstance(reading, ThrowSeen), 0
        return reading

    def _count_frame(self, _camera: Camera, _frame: Frame) -> None:
        # What was read is reported in the step of the next frame.
        self._frames += 1
        if self._readings >= READINGS_NEEDED and self._frames > 1:
            self.has_looked.set()

    def _submit(self, event: TableEvent, *, seen: int | None = None) -> object:
        if isinstance(event, ThrowSeen):
            self.seen.append((time.monotonic(), event))
        return self.referee.submit(event, seen=seen)

    def close(self) -> None:
        self._stop_watching()
        self.server.close()
        self._serving.join(15)
        self.referee.close()

    def _stop_watching(self) -> None:
        self._ended.set()
        self._watching.join(15)

    def restarted(self, played: PlayedClip | None = None) -> PhoneTable:
        """Another table at the same address, with what was on the disk when this one's power was cut.

        played: what it is to read from now on, if not the same.
        """
        # A power cut stops all writing at once; a folder copied while the watcher writes to it is none that ever was.
        self._stop_watching()
        kept = copytree(self._folder, self._folder / "kept", ignore=ignore_patterns("*.mjpeg"))
        self.close()
        assert self.server.secure_port is not None
        return PhoneTable(kept, played or self._played, (self.server.port, self.server.secure_port))

    def play_on(self) -> None:
        """Accept the throw, and play the first move, until another throw is due."""
        self.referee.submit(Confirmed())
        while self.referee.state().phase is Phase.MOVE:
            move = self.referee.state().steps()[0].move
            assert move is not None
            self.referee.submit(MoveChosen(move.start, move.to))

    def invitation(self) -> str:
        return f"http://127.0.0.1:{self.server.port}/camera/phone?ticket={self.pairing.ticket()}"


def playing(film: Path) -> list[str]:
    """Options that have a browser play that file for its camera, and let every page have it."""
    camera = ["--use-fake-ui-for-media-stream", "--use-fake-device-for-media-stream"]
    return [*LAUNCH_OPTIONS, *camera, f"--use-file-for-fake-video-capture={film}"]


@pytest.fixture
def phone_with(launch_browser: Callable[..., Browser]) -> Iterator[Callable[[Path], Page]]:
    """A browser on a phone whose camera plays that file, and that lets every page have it."""
    opened: list[Browser] = []

    def open_page(film: Path) -> Page:
        opened.append(launch_browser(args=playing(film)))
        context = opened[0].new_context(ignore_https_errors=True, viewport={"width": 390, "height": 844})
        return context.new_page()

    yield open_page
    for browser in opened:
        browser.close()


def be_the_camera(page: Page, table: PhoneTable) -> None:
    """Follow the steps that a phone shows which has scanned the code."""
    page.goto(table.invitation())
    page.get_by_role("link", name="Continue").click()
    page.get_by_role("button", name="Use this phone").click()
    start(page)


def start(page: Page) -> None:
    """Tap the button, unless the browser allows the camera already."""
    page.locator("[data-start]:visible, [data-adjust]:visible").wait_for()
    button = page.locator("[data-start]:visible")
    if button.count():
        button.click()


def after_a_crash(page: Page) -> Page:
    """Kill the page, which can say nothing any more, and open it again."""
    address = page.url
    with page.expect_event("crash"), suppress(Error):
        page.goto("chrome://crash")
    page.close()
    again = page.context.new_page()
    again.goto(address)
    return again


def lose_the_camera(page: Page) -> None:
    """End the camera's track when the table has answered, just before the page reads what."""
    page.evaluate(
        """() => {
            const read = Response.prototype.json;
            Response.prototype.json = async function () {
                const told = await read.call(this);
                if (this.url.includes("/picture?")) {
                    document.querySelector("video").srcObject.getVideoTracks()[0].dispatchEvent(new Event("ended"));
                    setTimeout(() => { document.body.dataset.answered = ""; });
                }
                return told;
            };
        }"""
    )
    expect(page.locator("body[data-answered]")).to_be_attached()


def test_a_throw_before_the_phone_is_counted(tmp_path: Path, phone_with: Callable[[Path], Page]) -> None:
    """Over HTTPS, from the code to the count, once, also after the page was killed and the table's power cut."""
    film = drawn_clip(tmp_path)
    table = PhoneTable(tmp_path, film)
    try:
        page = phone_with(film.file)
        be_the_camera(page, table)
        expect(page.locator("[data-table]")).to_contain_text(f"{film.marked} marked", timeout=60_000)
        page = after_a_crash(page)
        start(page)
        expect(page.locator("[data-table]")).not_to_be_empty()
        counts = [event.marked for _, event in table.seen]
        table = table.restarted()
        # The page comes back by itself, and the clip begins anew: the sticks that were counted come down again.
        assert table.has_looked.wait(60)
        counts += [event.marked for _, event in table.seen]
        page.set_viewport_size({"width": 844, "height": 390})
        expect(page.locator("[data-table]")).to_be_in_viewport(ratio=1)
        lose_the_camera(page)
        expect(page.locator("[data-title]")).to_have_text("The camera has stopped")
        expect(page.locator("[data-sentence]")).to_contain_text("A call or another app")
    finally:
        table.close()

    assert counts == [film.marked]


@pytest.mark.slow
@pytest.mark.skipif(not CLIPS.is_dir(), reason="the labelled clips are not beside the project")
def test_rendered_throws_are_counted_as_from_their_folder(tmp_path: Path, phone_with: Callable[[Path], Page]) -> None:
    """One after the other, at a table that comes back with the next sticks. Others are read without a browser."""
    film = rendered_clip(tmp_path, "v2")
    table, films, counts = PhoneTable(tmp_path, film), [film], []
    try:
        page = phone_with(film.file)
        be_the_camera(page, table)
        for following in ("v3", None):
            expect(page.locator("[data-table]")).to_contain_text(f"{films[-1].marked} marked", timeout=60_000)
            counts.append([event.marked for _, event in table.seen])
            if following:
                films.append(rendered_clip(tmp_path, following))
                table.play_on()
                table = table.restarted(films[-1])
                page.reload()
                start(page)
    finally:
        table.close()

    assert counts == [[one.marked] for one in films]

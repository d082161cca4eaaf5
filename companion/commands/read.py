"""``puluc calibrate`` and ``puluc read``: teach the reader a tray and its lots, and read pictures of throws."""

from __future__ import annotations

import json
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.calibration.forecast import Forecast
from companion.calibration.prompts import forecast_text, remedy_text
from companion.calibration.session import parse_set_name
from companion.camera_spec import CameraSpec
from companion.commands.data_option import work_as_owner
from companion.errors import FacesAlike, PictureUnusable, Unknown
from companion.referee.events import Face, ThrowSeen, ThrowUnreadable
from companion.referee.snapshots.prompts import unsure_text

if TYPE_CHECKING:
    from hardware.cameras.camera import Camera, Pixels
    from hardware.cameras.locked_controls import LockedControls
    from hardware.reader.profile import Profile
    from hardware.reader.throw_reader import ThrowReader

picture = click.Path(path_type=Path)


@click.command()
@click.option("--empty", type=picture, help="The empty tray.")
@click.option("--marked", type=picture, help="All four sticks, marked side up, apart from each other.")
@click.option("--plain", type=picture, help="All four sticks, plain side up, apart from each other.")
@click.option("--camera", help="Take the three pictures now with pi, usb:N or a stream's URL.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder for the profile.")
@click.option(
    "--sticks", default="", help="A name for these sticks; `puluc sticks` counts all throws of one name together."
)
@click.option(
    "--trials",
    type=click.IntRange(0, 1000),
    help="Throws composed from the three pictures, to say how often the reader will ask; takes up to a second each. "
    "By default 20 in a terminal, and none in a script.",
)
def calibrate(
    empty: Path | None,
    marked: Path | None,
    plain: Path | None,
    camera: str | None,
    out: Path,
    sticks: str,
    trials: int | None,
) -> None:
    """Teach the reader a tray and its four sticks from three pictures.

    If their sides are too alike, a picture of both is saved in the folder.
    """
    from hardware.cameras.locked_controls import LockedControls
    from hardware.cameras.opening import open_camera
    from hardware.cameras.picture_files import load_picture
    from hardware.reader.throw_reader import ThrowReader
    from hardware.registration.sheet_registration import sheet_summary

    try:
        name = parse_set_name(sticks)
    except Unknown as error:
        raise click.UsageError(str(error)) from error
    held = None
    if empty and marked and plain and not camera:
        pictures = [load_picture(path) for path in (empty, marked, plain)]
    elif camera and not (empty or marked or plain):
        opened = open_camera(CameraSpec.parse(camera))
        if opened is None:
            raise click.UsageError("--camera none takes no pictures; name pi, usb:N or a stream's URL.")
        try:
            pictures, held = take(opened, lambda wish: click.pause(f"{wish} Then press any key.", err=True))
        finally:
            opened.close()
    else:
        raise click.UsageError("Give the three pictures --empty, --marked and --plain, or a --camera to take them.")
    # Only the pictures may be root's: the profile belongs to the owner of its folder.
    work_as_owner(out)
    try:
        profile = replace(ThrowReader.calibrate(*pictures).profile, name=name)
    except FacesAlike as error:
        raise FacesAlike(f"{error} {_show_alike(pictures, out)}") from error
    profile.save(out)
    if held is None:
        LockedControls.delete(out)
    else:
        held.save(out)
    click.echo(f"The profile is in {out}. The sides differ by {profile.separation:.0f}; more is better.", err=True)
    if of_sheet := sheet_summary(profile.empty):
        click.echo(of_sheet, err=True)
    if trials or (trials is None and sys.stderr.isatty()):
        click.echo(_forecast(profile, trials), err=True)


def _show_alike(pictures: list[Pixels], out: Path) -> str:
    """Save a picture of both sides, and say where it is and what would help."""
    from hardware.cameras.picture_files import save_picture
    from hardware.composing.taught_faces import TaughtFaces

    faces = TaughtFaces.found(*pictures)
    path = out / "faces.jpg"
    save_picture(path, faces.side_by_side())
    return f"{remedy_text(faces.remedy())} {path} shows the marked sides on the left and the plain ones on the right."


def _forecast(profile: Profile, trials: int | None) -> str:
    """Say how often the reader will ask about these sticks."""
    from hardware.composing.taught_faces import TaughtFaces
    from hardware.composing.trial_throws import TRIALS, tried
    from hardware.reader.throw_reader import ThrowReader

    faces = TaughtFaces.found(profile.empty, profile.marked, profile.plain)
    found = tuple(tried(ThrowReader(profile).read, faces, trials or TRIALS))
    return forecast_text(Forecast(found, faces.is_long))


def take(camera: Camera, ask: Callable[[str], object]) -> tuple[list[Pixels], LockedControls | None]:
    """Ask for the empty tray and both sides and take a picture of each, with fixed exposure and focus if possible."""
    from hardware.cameras.camera import SupportsLock, SupportsPlacement

    wishes = (
        ("Empty the tray.", ()),
        ("Lay all four apart, marked side up.", (Face.MARKED,) * 4),
        ("Turn all four over, plain side up.", (Face.PLAIN,) * 4),
    )
    pictures: list[Pixels] = []
    held = None
    for wish, faces in wishes:
        ask(wish)
        if isinstance(camera, SupportsPlacement):
            camera.place(faces)
        if not pictures and isinstance(camera, SupportsLock):
            held = camera.lock()
        pictures.append(camera.still().pixels)
    return pictures, held


@click.command()
@click.option(
    "--profile", "directory", type=click.Path(path_type=Path), required=True, help="Made by `puluc calibrate`."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
@click.option("--video", type=picture, help="A folder with the numbered frames of one throw.")
@click.option(
    "--fps", type=click.FloatRange(1, 240), default=30.0, show_default=True, help="Frames a second of --video."
)
@click.argument("images", type=picture, nargs=-1)
def read(directory: Path, as_json: bool, video: Path | None, fps: float, images: tuple[Path, ...]) -> int:
    """Count the marked sides in pictures of throws, or say why the count is unsure.

    Exit status: 0 all read, 1 an answer is unsure, 2 a picture could not be used.
    """
    if (video is None) == (not images):
        raise click.UsageError("Name the pictures to read, or a folder of frames with --video, not both.")
    from hardware.reader.profile import Profile
    from hardware.reader.throw_reader import ThrowReader

    profile = Profile.load(directory)
    # Made when the first picture needs it: a file that is no picture is refused without waiting for that.
    reader = cache(lambda: ThrowReader(profile))
    answers = _pictures(reader, images) if video is None else _frames(reader, video, fps)
    status = 0
    for answer in answers:
        if "error" in answer:
            status = 2
            click.echo(answer["error"], err=True)
        elif answer.get("status") == "unsure":
            status = max(status, 1)
        if as_json:
            click.echo(json.dumps(answer))
        elif "error" not in answer:
            click.echo(_sentence(answer))
    return status


def _pictures(reader: Callable[[], ThrowReader], images: tuple[Path, ...]) -> Iterator[dict[str, Any]]:
    """One answer for each picture; for an unusable picture, an error."""
    from hardware.cameras.picture_files import load_picture

    for path in images:
        try:
            pixels = load_picture(path)
            yield _reading(reader(), path, pixels)
        except PictureUnusable as error:
            yield {"image": str(path), "error": str(error)}


def _frames(reader: Callable[[], ThrowReader], folder: Path, fps: float) -> Iterator[dict[str, Any]]:
    """One line for each frame, and at the end the reading of the last settled frames."""
    from hardware.cameras.camera import Frame
    from hardware.cameras.picture_files import load_picture
    from hardware.tracking.consensus import READINGS_NEEDED, Consensus
    from hardware.tracking.settling import SettlingDetector

    paths = _numbered(folder)
    settling = SettlingDetector(reader().profile.empty)
    resting: deque[Pixels] = deque(maxlen=READINGS_NEEDED)
    rested, at = False, paths[-1]
    before = None
    for number, path in enumerate(paths):
        pixels = load_picture(path)
        # An empty tray in which nothing has stirred yet is no throw.
        settled = settling.update(Frame(pixels, number / fps)) and not settling.is_untouched
        if settled:
            if not rested:
                # Settling is detected late: the frame before was settled too.
                resting.clear()
                resting.extend([] if before is None else [before])
            resting.append(pixels)
            at = path
        before, rested = pixels, settled
        yield {"image": str(path), "settled": settled}
    start = time.perf_counter()
    consensus = Consensus(reader())
    answer = next((said for said in map(consensus.add, resting) if said), None)
    if answer is None:
        answer = ThrowUnreadable(reason="covered" if settling.is_obstructed else "moving")
    yield _answer(at, answer, (time.perf_counter() - start) * 1000)


def _numbered(folder: Path) -> list[Path]:
    """The pictures of a folder whose names end in a number, in numerical order."""
    if not folder.is_dir():
        raise PictureUnusable(f"{folder} is not a folder of frames.")
    numbered = []
    for path in folder.iterdir():
        number = re.search(r"(\d+)$", path.stem)
        if number and path.suffix.lower() in {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}:
            numbered.append((int(number[1]), path.name, path))
    if not numbered:
        raise PictureUnusable(f"There are no numbered pictures such as f000.jpg in {folder}.")
    return [path for _, _, path in sorted(numbered)]


def _reading(reader: ThrowReader, path: Path, pixels: Pixels) -> dict[str, Any]:
    from hardware.cameras.picture_files import naming

    start = time.perf_counter()
    with naming(path):
        seen = reader.read(pixels)
    return _answer(path, seen, (time.perf_counter() - start) * 1000)


def _answer(path: Path, seen: ThrowSeen | ThrowUnreadable, ms: float) -> dict[str, Any]:
    sure = isinstance(seen, ThrowSeen)
    return {
        "image": str(path),
        "status": "read" if sure else "unsure",
        "marked": seen.marked if isinstance(seen, ThrowSeen) else None,
        "confidence": round(seen.confidence, 4) if isinstance(seen, ThrowSeen) else 0.0,
        "reason": seen.reason if isinstance(seen, ThrowUnreadable) else None,
        "lots": [
            {
                "x": round(lot.x, 1),
                "y": round(lot.y, 1),
                "angle": round(lot.angle, 1),
                "face": lot.face.value,
                "confidence": round(lot.confidence, 4),
            }
            for lot in seen.lots
        ],
        "ms": round(ms, 1),
    }


def _sentence(answer: dict[str, Any]) -> str:
    if "settled" in answer:
        return f"{answer['image']}: {'at rest' if answer['settled'] else 'moving'}."
    if answer["status"] == "read":
        return f"{answer['image']}: {answer['marked']} marked (confidence {answer['confidence']:.2f})."
    return f"{answer['image']}: unsure. {unsure_text(answer['reason'], len(answer['lots']))}"

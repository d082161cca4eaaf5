"""Every file either loads as the right picture or is refused with one clear sentence."""

import json
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from PIL import Image

from companion.commands.read import read
from companion.errors import PictureUnusable
from hardware.cameras.picture_files import MAX_PIXELS, encode_picture, load_picture
from hardware.reader.throw_reader import ThrowReader
from tests.hardware.reader.drawing import four, tray

ORIENTATION, ROTATED_CLOCKWISE = 274, 6
"""The EXIF tag, and its value for a picture that has to be turned clockwise to stand upright."""


def written(path: Path, pixels: NDArray[Any]) -> Path:
    """Write the picture and return its path."""
    assert cv2.imwrite(str(path), pixels)
    return path


def test_png_is_loaded_unchanged(tmp_path: Path) -> None:
    """A lossless file gives back every pixel."""
    pixels = tray(four(2))

    np.testing.assert_array_equal(load_picture(written(tmp_path / "a.png", pixels)), pixels)


@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_grey_16_bit_and_transparent_pictures_become_8_bit_colour(tmp_path: Path, suffix: str) -> None:
    """Three 8-bit channels come out of each."""
    pixels = tray(four(2))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    alpha = np.dstack([pixels, np.full(grey.shape, 128, np.uint8)])

    for name, stored in (("grey", grey), ("deep", pixels.astype(np.uint16) * 257), ("alpha", alpha)):
        loaded = load_picture(written(tmp_path / f"{name}.{suffix}", stored))
        wanted = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if name == "grey" else pixels

        assert loaded.dtype == np.uint8
        np.testing.assert_allclose(loaded.astype(int), wanted.astype(int), atol=1)


def test_exif_orientation_is_applied(tmp_path: Path) -> None:
    """A phone held upright stores a rotated picture with an orientation tag; it is loaded upright."""
    path = tmp_path / "upright.jpg"
    pixels = tray(four(2))
    exif = Image.Exif()
    exif[ORIENTATION] = ROTATED_CLOCKWISE
    Image.fromarray(np.ascontiguousarray(np.rot90(pixels)[..., ::-1])).save(path, quality=95, exif=exif)

    assert np.abs(load_picture(path).astype(int) - pixels).mean() < 3


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"hello, this is no picture", "not a picture"),
        (b"\xff\xd8\xff\xe0" + b"\x00" * 500, "not a picture"),
        (b"\xff\xd8\xff\xe0\x00\x02\xff\xd9", "not a picture"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, "not a picture|damaged"),
        (b"\x89PNG\r\n\x1a\n", "not a picture|damaged"),
        (b"GIF89a" + b"\x00" * 100, "JPEG, PNG"),
        (b"RIFF\x10\x00\x00\x00WAVE" + b"\x00" * 100, "JPEG, PNG"),
    ],
)
def test_files_that_are_not_pictures_are_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    """Empty files, text, other formats, and headers with nothing behind them."""
    path = tmp_path / "a.jpg"
    path.write_bytes(content)

    with pytest.raises(PictureUnusable, match=sentence):
        load_picture(path)


def test_half_a_jpeg_is_refused(tmp_path: Path) -> None:
    """A decoder would fill the rest with grey, which the tray does not show."""
    path = tmp_path / "a.jpg"
    path.write_bytes(encode_picture(tray(four(2))).jpeg[:-2000])

    with pytest.raises(PictureUnusable, match="cut short"):
        load_picture(path)


def test_missing_files_folders_and_tiny_pictures_are_refused(tmp_path: Path) -> None:
    """Each has its own message."""
    dot = written(tmp_path / "dot.png", np.zeros((1, 1, 3), np.uint8))

    for path, sentence in ((tmp_path / "none.jpg", "no picture"), (tmp_path, "folder"), (dot, "too small")):
        with pytest.raises(PictureUnusable, match=sentence):
            load_picture(path)


def test_cmyk_jpeg_is_converted(tmp_path: Path) -> None:
    """Print shops use four inks."""
    pixels = tray(four(2))
    path = tmp_path / "inks.jpg"
    Image.fromarray(np.ascontiguousarray(pixels[..., ::-1])).convert("CMYK").save(path, quality=95)

    assert np.abs(load_picture(path).astype(int) - pixels).mean() < 8


def test_encoded_picture_loads_again(tmp_path: Path) -> None:
    """A stored reading keeps its size and looks the same."""
    pixels = tray(four(3))

    picture = encode_picture(pixels)

    assert (picture.width, picture.height) == (640, 480)
    (tmp_path / "kept.jpg").write_bytes(picture.jpeg)
    assert np.abs(load_picture(tmp_path / "kept.jpg").astype(int) - pixels).mean() < 4


def png_claiming(columns: int, rows: int, body: bytes) -> bytes:
    """Make a PNG whose header claims this size, whatever its data hold."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(60_000, 60_000), (2**31 - 1, 2**31 - 1), (MAX_PIXELS, 2)])
def test_decompression_bomb_is_refused_before_decoding(tmp_path: Path, size: tuple[int, int]) -> None:
    """A few hundred bytes can claim gigabytes."""
    path = tmp_path / "bomb.png"
    path.write_bytes(png_claiming(*size, zlib.compress(b"\x00" * 100_000)))

    with pytest.raises(PictureUnusable, match="more than can be read"):
        load_picture(path)


def test_memory_stays_bounded(tmp_path: Path) -> None:
    """A bomb within the file's size limit is refused while the process may not take another 300 MB."""
    path = tmp_path / "bomb.png"
    path.write_bytes(png_claiming(60_000, 60_000, zlib.compress(b"\x00" * 30_000_000)))
    program = (
        "import resource, sys; from pathlib import Path\n"
        "from hardware.cameras.picture_files import load_picture; from companion.errors import PictureUnusable\n"
        "used = int(Path('/proc/self/statm').read_text().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000,) * 2)\n"
        "try: load_picture(Path(sys.argv[1]))\n"
        "except PictureUnusable as error: print(error)\n"
    )
    result = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)

    assert "more than can be read" in result.stdout
    assert result.stderr == ""


def test_flipped_bit_in_a_png_is_noticed(tmp_path: Path) -> None:
    """PNG chunks have checksums."""
    path = written(tmp_path / "a.png", tray(four(2)))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)

    with pytest.raises(PictureUnusable, match="damaged"):
        load_picture(path)


KINDS = ("jpg", "png", "webp", "bmp", "tif")


@pytest.mark.parametrize("kind", KINDS)
def test_every_format_is_loaded(tmp_path: Path, kind: str) -> None:
    """Rows come before columns, whatever the format."""
    path = written(tmp_path / f"a.{kind}", np.full((70, 91, 3), 120, np.uint8))

    assert load_picture(path).shape == (70, 91, 3)


def test_progressive_jpeg_with_trailing_data_is_loaded(tmp_path: Path) -> None:
    """A progressive JPEG has several scans, and phones append a video to their pictures."""
    path = tmp_path / "a.jpg"
    pixels = tray(four(2))
    Image.fromarray(np.ascontiguousarray(pixels[..., ::-1])).save(path, progressive=True, quality=95)
    path.write_bytes(path.read_bytes() + b"\x00film" * 1000)

    assert np.abs(load_picture(path).astype(int) - pixels).mean() < 3


def test_truncated_jpeg_with_a_whole_thumbnail_is_refused(tmp_path: Path) -> None:
    """The end of the embedded thumbnail is not taken for the end of the picture."""
    whole = encode_picture(tray(four(2))).jpeg
    thumbnail = encode_picture(tray(four(2))[::8, ::8]).jpeg
    segment = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    path = tmp_path / "a.jpg"
    path.write_bytes((whole[:2] + segment + whole[2:])[: len(segment) + 700])

    with pytest.raises(PictureUnusable, match="cut short"):
        load_picture(path)


@pytest.mark.parametrize("kind", KINDS)
def test_file_cut_anywhere_is_refused(tmp_path: Path, kind: str) -> None:
    """Half a picture is never returned, and no other exception escapes."""
    path = written(tmp_path / f"a.{kind}", cv2.resize(tray(four(2)), (160, 120)))
    data = path.read_bytes()
    for end in np.linspace(1, len(data) - 3, 40).astype(int):
        path.write_bytes(data[:end])

        with pytest.raises(PictureUnusable):
            load_picture(path)


@pytest.mark.parametrize("kind", KINDS)
def test_corrupt_header_gives_a_picture_or_a_refusal(tmp_path: Path, kind: str) -> None:
    """Flip each of the first hundred bytes in turn: no exception escapes but the refusal."""
    path = written(tmp_path / f"a.{kind}", cv2.resize(tray(four(2)), (160, 120)))
    data = path.read_bytes()
    refused = 0
    for spot in range(min(100, len(data))):
        for flip in (0xFF, 0x01):
            path.write_bytes(data[:spot] + bytes([data[spot] ^ flip]) + data[spot + 1 :])
            try:
                load_picture(path)
            except PictureUnusable:
                refused += 1

    assert refused > 20


@pytest.mark.slow
def test_command_line_answers_every_picture(tmp_path: Path) -> None:
    """Bad files give one sentence each, the good ones are read, and the exit status is 2."""
    ThrowReader.calibrate(tray(), tray(four(4)), tray(four(0))).profile.save(tmp_path / "profile")
    whole = tray(four(2))
    files = {
        "good.png": None,
        "large.jpg": None,
        "grey.png": None,
        "empty.jpg": b"",
        "text.jpg": b"no picture",
        "cut.jpg": encode_picture(whole).jpeg[:-900],
        "bomb.png": png_claiming(60_000, 60_000, b""),
        "dot.png": png_claiming(1, 1, zlib.compress(b"\x00" * 4)),
    }
    for name, content in files.items():
        if content is not None:
            (tmp_path / name).write_bytes(content)
    written(tmp_path / "good.png", whole)
    written(tmp_path / "large.jpg", cv2.resize(whole, (4000, 3000)))
    written(tmp_path / "grey.png", cv2.cvtColor(whole, cv2.COLOR_BGR2GRAY))

    paths = [str(tmp_path / name) for name in files]
    result = CliRunner().invoke(read, ["--profile", str(tmp_path / "profile"), "--json", *paths], standalone_mode=False)

    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.return_value == 2
    assert [Path(answer["image"]).name for answer in answers] == list(files)
    assert answers[0]["marked"] == 2
    assert answers[1]["marked"] == 2
    assert answers[2]["status"] == "unsure"
    assert all("error" in answer for answer in answers[3:])
    assert len(result.stderr.splitlines()) == len(answers) - 3

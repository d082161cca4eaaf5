"""Every file is a right picture or one clear sentence."""

import json
import struct
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray
from PIL import Image

from companion.commands.reading import read
from companion.errors import PictureUnusable
from hardware import picture_headers
from hardware.pictures import MOST_PIXELS, encode, load_picture
from hardware.profile import calibrate
from tests.hardware.drawing import four, tray


def written(path: Path, pixels: NDArray[Any]) -> Path:
    assert cv2.imwrite(str(path), pixels)
    return path


def test_a_photograph_is_loaded_as_it_is(tmp_path: Path) -> None:
    """PNG keeps every pixel."""
    pixels = tray(four(2))

    np.testing.assert_array_equal(load_picture(written(tmp_path / "a.png", pixels)), pixels)


def test_grey_deep_and_transparent_pictures_become_ordinary_ones(tmp_path: Path) -> None:
    """Whatever the file held, three colours of 8 bits come out."""
    pixels = tray(four(2))
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    alpha = np.dstack([pixels, np.full(grey.shape, 128, np.uint8)])

    for name, stored in (("grey", grey), ("deep", pixels.astype(np.uint16) * 257), ("alpha", alpha)):
        loaded = load_picture(written(tmp_path / f"{name}.png", stored))
        wanted = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if name == "grey" else pixels

        assert loaded.dtype == np.uint8
        np.testing.assert_allclose(loaded.astype(int), wanted.astype(int), atol=1)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"hello, this is no picture", "not a picture"),
        (b"\xff\xd8\xff\xe0" + b"\x00" * 500, "cut short"),
        (b"\xff\xd8\xff\xe0\x00\x02\xff\xd9", "damaged"),
        (b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, "damaged"),
        (b"\x89PNG\r\n\x1a\n", "cut short"),
        (b"GIF89a" + b"\x00" * 100, "JPEG, PNG"),
        (b"RIFF\x10\x00\x00\x00WAVE" + b"\x00" * 100, "JPEG, PNG"),
    ],
)
def test_what_is_no_picture_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    """Empty files, text, and beginnings of pictures."""
    path = tmp_path / "a.jpg"
    path.write_bytes(content)

    with pytest.raises(PictureUnusable, match=says):
        load_picture(path)


def test_half_a_jpeg_is_refused(tmp_path: Path) -> None:
    """A decoder would fill the rest with grey, and grey is no tray."""
    path = tmp_path / "a.jpg"
    path.write_bytes(encode(tray(four(2))).jpeg[:-2000])

    with pytest.raises(PictureUnusable, match="cut short"):
        load_picture(path)


def test_missing_files_folders_and_single_pixels_are_refused(tmp_path: Path) -> None:
    """Each with its own sentence."""
    dot = written(tmp_path / "dot.png", np.zeros((1, 1, 3), np.uint8))

    for path, says in ((tmp_path / "none.jpg", "no picture"), (tmp_path, "folder"), (dot, "too small")):
        with pytest.raises(PictureUnusable, match=says):
            load_picture(path)


def test_a_cmyk_jpeg_comes_out_in_colour(tmp_path: Path) -> None:
    """Some phones and all print shops write four inks."""
    pixels = tray(four(2))
    path = tmp_path / "inks.jpg"
    Image.fromarray(np.ascontiguousarray(pixels[..., ::-1])).convert("CMYK").save(path, quality=95)

    assert np.abs(load_picture(path).astype(int) - pixels).mean() < 8


def test_evidence_is_a_jpeg_of_the_same_size(tmp_path: Path) -> None:
    """What is kept can be loaded again and looks the same."""
    pixels = tray(four(3))

    picture = encode(pixels)

    assert (picture.width, picture.height) == (640, 480)
    (tmp_path / "kept.jpg").write_bytes(picture.jpeg)
    assert np.abs(load_picture(tmp_path / "kept.jpg").astype(int) - pixels).mean() < 4


def claiming(columns: int, rows: int, body: bytes) -> bytes:
    """A PNG whose header claims a size, whatever is in it."""

    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize("size", [(60_000, 60_000), (2**31 - 1, 2**31 - 1), (MOST_PIXELS, 2)])
def test_a_picture_that_claims_to_be_huge_is_not_opened(tmp_path: Path, size: tuple[int, int]) -> None:
    """A few hundred bytes can claim gigabytes."""
    path = tmp_path / "bomb.png"
    path.write_bytes(claiming(*size, zlib.compress(b"\x00" * 100_000)))

    with pytest.raises(PictureUnusable, match="more than can be read"):
        load_picture(path)


def test_a_flipped_bit_in_a_png_is_noticed(tmp_path: Path) -> None:
    """Its check sums are there to be used."""
    path = written(tmp_path / "a.png", tray(four(2)))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0x10
    path.write_bytes(data)

    with pytest.raises(PictureUnusable, match="damaged"):
        load_picture(path)


KINDS = ("jpg", "png", "webp", "bmp", "tif")


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_known_before_a_picture_is_opened(tmp_path: Path, kind: str) -> None:
    """Columns before rows, whatever the format."""
    path = written(tmp_path / f"a.{kind}", np.full((70, 91, 3), 120, np.uint8))

    assert picture_headers.size(path.read_bytes()) == (91, 70)
    assert load_picture(path).shape == (70, 91, 3)


def test_a_progressive_jpeg_and_one_with_a_tail_are_whole(tmp_path: Path) -> None:
    """Its data comes in several parts; and telephones hang a film behind their pictures."""
    path = tmp_path / "a.jpg"
    pixels = tray(four(2))
    Image.fromarray(np.ascontiguousarray(pixels[..., ::-1])).save(path, progressive=True, quality=95)
    path.write_bytes(path.read_bytes() + b"\x00film" * 1000)

    assert np.abs(load_picture(path).astype(int) - pixels).mean() < 3


def test_a_cut_jpeg_with_a_whole_thumbnail_is_cut_short(tmp_path: Path) -> None:
    """The thumbnail's end is not the picture's."""
    whole = encode(tray(four(2))).jpeg
    thumbnail = encode(tray(four(2))[::8, ::8]).jpeg
    segment = b"\xff\xe1" + struct.pack(">H", len(thumbnail) + 2) + thumbnail
    path = tmp_path / "a.jpg"
    path.write_bytes((whole[:2] + segment + whole[2:])[: len(segment) + 700])

    with pytest.raises(PictureUnusable, match="cut short"):
        load_picture(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_cut_anywhere_is_refused_in_one_sentence(tmp_path: Path, kind: str) -> None:
    """Never half a picture, never another error."""
    path = written(tmp_path / f"a.{kind}", cv2.resize(tray(four(2)), (160, 120)))
    data = path.read_bytes()
    for end in np.linspace(1, len(data) - 3, 40).astype(int):
        path.write_bytes(data[:end])

        with pytest.raises(PictureUnusable):
            load_picture(path)


@pytest.mark.parametrize("kind", KINDS)
def test_a_header_with_wrong_bytes_gives_a_size_or_a_reason(tmp_path: Path, kind: str) -> None:
    """Each byte of the first hundred, turned over."""
    data = written(tmp_path / f"a.{kind}", cv2.resize(tray(four(2)), (160, 120))).read_bytes()
    answers: set[type] = set()
    for spot in range(min(100, len(data))):
        for flip in (0xFF, 0x01):
            wrong = data[:spot] + bytes([data[spot] ^ flip]) + data[spot + 1 :]
            try:
                answers.add(type(picture_headers.size(wrong)))
            except (picture_headers.CutShort, picture_headers.Damaged) as error:
                answers.add(type(error))

    assert answers <= {tuple, type(None), picture_headers.CutShort, picture_headers.Damaged}
    assert len(answers) > 1


def test_every_picture_gets_its_own_answer_on_the_command_line(tmp_path: Path) -> None:
    """Bad files give their sentence, the good ones among them are read, and the status says that something was bad."""
    calibrate(tray(), tray(four(4)), tray(four(0))).save(tmp_path / "profile")
    whole = tray(four(2))
    files = {
        "good.png": None,
        "large.jpg": None,
        "grey.png": None,
        "empty.jpg": b"",
        "text.jpg": b"no picture",
        "cut.jpg": encode(whole).jpeg[:-900],
        "bomb.png": claiming(60_000, 60_000, b""),
        "dot.png": claiming(1, 1, zlib.compress(b"\x00" * 4)),
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
    assert answers[1]["status"] == "unsure" or answers[1]["marked"] == 2
    assert answers[2]["status"] == "unsure" or answers[2]["marked"] == 2
    assert all("error" in answer for answer in answers[3:])
    assert len(result.stderr.splitlines()) == len(answers) - 3

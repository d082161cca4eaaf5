"""The page's icon on a phone's home screen."""

from __future__ import annotations

import json

import numpy as np
import pytest
from flask.testing import FlaskClient
from PIL import Image, ImageChops

from tests.web.icon import SIZES, STATIC, draw

STRAY = 16
"""Levels of 255 by which a pixel may differ where another version of the library rounds otherwise."""


@pytest.mark.parametrize("size", SIZES)
def test_the_icon_is_the_one_that_is_drawn(size: int) -> None:
    """After a change of the drawing run ``python -m tests.web.icon``."""
    kept = Image.open(STATIC / f"icon-{size}.png").convert("RGB")
    most = np.asarray(ImageChops.difference(kept, draw(size).convert("RGB"))).max()

    assert kept.size == (size, size)
    assert most <= STRAY


def test_the_manifest_names_what_there_is(watcher: FlaskClient) -> None:
    """Each icon exists in the size that the manifest states; every page links to the manifest."""
    answer = watcher.get("/static/manifest.webmanifest", buffered=True)
    manifest = json.loads(answer.text)

    assert answer.content_type == "application/manifest+json"
    assert (manifest["name"], manifest["start_url"]) == ("Puluc Companion", "/")
    for icon in manifest["icons"]:
        assert watcher.get(icon["src"], buffered=True).content_type.startswith(icon["type"])
        if icon["type"] == "image/png":
            with Image.open(STATIC / icon["src"].rpartition("/")[2]) as picture:
                assert f"{picture.width}x{picture.height}" == icon["sizes"]
    for path in ("/", "/settings"):
        assert 'rel="manifest"' in watcher.get(path).text
    assert "manifest-src 'self'" in watcher.get("/").headers["Content-Security-Policy"]

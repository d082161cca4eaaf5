"""A panel on mock pins, closed after each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hardware.panel.mock_panel import MockPanel


@pytest.fixture
def mock() -> Iterator[MockPanel]:
    mock = MockPanel()
    yield mock
    mock.panel.close()

"""A random source that records what it was asked to choose from."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.rules.turns import Step


class RecordingRandom(Random):
    """Always chooses the first; ``options`` is what there was to choose from."""

    options: tuple[Step, ...] = ()

    def choice(self, seq: Any) -> Any:
        self.options = tuple(seq)
        return seq[0]

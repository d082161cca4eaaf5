"""A random source that records its options."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.rules.turns import Step


class RecordingRandom(Random):
    """Always chooses the first option; ``options`` records all of them. With it no style slips."""

    options: tuple[Step, ...] = ()

    def random(self) -> float:
        return 1.0

    def choice(self, seq: Any) -> Any:
        self.options = tuple(seq)
        return seq[0]

"""Chance that tells among what it was asked to choose."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.rules.turns import Step


class Listening(Random):
    """Takes the first there is; ``heard`` is all there was."""

    heard: tuple[Step, ...] = ()

    def choice(self, seq: Any) -> Any:
        self.heard = tuple(seq)
        return seq[0]

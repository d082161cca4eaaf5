"""Fuzz the notation and ``puluc moves -``: ``python -m tests.rules.fuzz_notation [SECONDS [SEED]]``.

Every line must parse and be written back unchanged, or be refused in one short line. Not part of the test run; exits
with status 1 after printing the line that failed.
"""

from __future__ import annotations

import sys
import time
from random import Random

from companion.commands.rules import answer_line
from companion.errors import NotationError
from companion.rules.notation import parse, write
from companion.rules.variant import Variant
from tests.rules.games import random_game, random_variant

ALPHABET = "JOjo0123456789/:+,()' \t\n\0;-\u0665é☃'"


def broken(text: str, chance: Random) -> str:
    """The text with a few characters changed, deleted, doubled or moved."""
    for _ in range(chance.randint(0, 4)):
        at, end = sorted(chance.randint(0, len(text)) for _ in range(2))
        piece = chance.choice(["", text[at:end], chance.choice(ALPHABET), text[at:end] * 2])
        text = text[:at] + piece + text[end:] if chance.random() < 0.3 else text[:at] + piece + text[at + 1 :]
    return text


def is_position(text: str, rules: Variant) -> bool:
    """Whether the text parses and is written back unchanged; otherwise check that it is refused in one short line."""
    try:
        position = parse(text, rules)
    except NotationError as error:
        refusal = str(error)
    else:
        assert write(position) == text
        return True
    assert len(refusal.splitlines()) == 1
    assert len(refusal) < 400
    return False


def main() -> int:
    """Fuzz until the time is up, then print how much was tried."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    chance, ends = Random(seed), time.monotonic() + seconds
    tried = taken = 0
    while time.monotonic() < ends:
        rules = random_variant(chance)
        for position, values in random_game(rules, chance, turns=30):
            text = broken(write(position), chance)
            try:
                tried += 1
                taken += is_position(text, rules)
                answer = answer_line(rules, broken(f"{text};{','.join(map(str, values))}", chance), as_json=True)
                assert len(answer.splitlines()) == 1
            except Exception:  # any exception is a finding
                print(f"seed {seed}: {text!r} breaks {rules}")  # noqa: T201 - what the command is for
                raise
    print(f"{tried} lines tried, {taken} of them positions, none broke anything")  # noqa: T201 - what the command is for
    return 0


if __name__ == "__main__":
    sys.exit(main())

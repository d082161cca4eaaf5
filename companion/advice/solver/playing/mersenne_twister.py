"""Compiled: the random numbers of Python's ``random.Random``, so that compiled games repeat those of the rules.

MT19937 (Matsumoto and Nishimura 1998), seeded and read as CPython does.
"""

from __future__ import annotations

from hashlib import sha512

import numpy as np
from numpy.typing import NDArray

from companion.advice.solver.jit import compiled, inlined

WORDS = 624
"""Words of the generator's state. One more element of the array holds how many of them have been used."""
_MASK = 0xFFFFFFFF

Words = NDArray[np.int64]


def key(seed: str) -> Words:
    """The words with which ``Random(seed)`` seeds its generator."""
    text = seed.encode()
    number = (text + sha512(text).digest())[::-1]
    return np.frombuffer(number + b"\0" * (-len(number) % 4), "<u4").astype(np.int64)


def unseeded() -> Words:
    """(WORDS,) the state from which every seeding starts."""
    state = np.empty(WORDS, np.int64)
    state[0] = 19650218
    for at in range(1, WORDS):
        before = int(state[at - 1])
        state[at] = (1812433253 * (before ^ (before >> 30)) + at) & _MASK
    return state


@compiled
def seed_state(state: Words, start: Words, words: Words) -> None:
    """Seed the generator. state: (WORDS + 1,) written. start: as from ``unseeded``. words: as from ``key``."""
    for at in range(WORDS):
        state[at] = start[at]
    at, word = 1, 0
    for _ in range(max(WORDS, words.shape[0])):
        before = state[at - 1]
        state[at] = ((state[at] ^ ((before ^ (before >> 30)) * 1664525)) + words[word] + word) & _MASK
        at, word = at + 1, (word + 1) % words.shape[0]
        if at == WORDS:
            state[0], at = state[WORDS - 1], 1
    for _ in range(WORDS - 1):
        before = state[at - 1]
        state[at] = ((state[at] ^ ((before ^ (before >> 30)) * 1566083941)) - at) & _MASK
        at += 1
        if at == WORDS:
            state[0], at = state[WORDS - 1], 1
    state[0] = 0x80000000
    state[WORDS] = WORDS


@compiled
def _word(state: Words) -> int:
    """The next 32 random bits."""
    if state[WORDS] == WORDS:
        for at in range(WORDS):
            mixed = (state[at] & 0x80000000) | (state[(at + 1) % WORDS] & 0x7FFFFFFF)
            state[at] = state[(at + 397) % WORDS] ^ (mixed >> 1) ^ (0x9908B0DF if mixed & 1 else 0)
        state[WORDS] = 0
    word = state[state[WORDS]]
    state[WORDS] += 1
    word ^= word >> 11
    word ^= (word << 7) & 0x9D2C5680
    word ^= (word << 15) & 0xEFC60000
    return int(word ^ (word >> 18))


@inlined
def uniform(state: Words) -> float:
    """As ``Random.random``."""
    high = _word(state) >> 5
    return float((high * 67108864 + (_word(state) >> 6)) / 9007199254740992.0)


@inlined
def below(state: Words, count: int) -> int:
    """The index that ``Random.choice`` takes from a sequence of ``count`` elements."""
    bits = 0
    while count >> bits:
        bits += 1
    drawn = count
    while drawn >= count:
        drawn = _word(state) >> (32 - bits)
    return drawn

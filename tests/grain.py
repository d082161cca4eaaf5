"""The noise of a camera, for drawn pictures."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=24)  # a test draws up to that many pictures, and the next one often the same noise again
def grain(seed: int, level: float, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Noise of so many grey levels, not to be written to. To make it takes as long as all else in a picture."""
    noise = np.random.default_rng(seed).normal(0, level, shape).astype(np.float32)
    noise.flags.writeable = False
    return noise

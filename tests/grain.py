"""The noise of a camera, for drawn pictures."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray


@lru_cache(maxsize=24)  # few tests draw more pictures, and most draw the same noises
def grain(seed: int, level: float, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Noise of ``level`` grey levels, not to be written to. Making it takes as long as drawing all else."""
    noise = np.random.default_rng(seed).normal(0, level, shape).astype(np.float32)
    noise.flags.writeable = False
    return noise

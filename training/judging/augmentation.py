"""Changes crops at random: their light, colours and sharpness, and which way round they are seen."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from hardware.reader.judge.lot_crops import SINE

COLOURS, RATIOS, PICTURE = slice(0, 3), slice(3, 6), slice(0, 6)
"""The channels of a crop that change: colours, their ratios to the empty tray, and both."""

PERMUTED = 0.5
"""Share of sets whose colours are exchanged for one another."""

TINT = 0.1
"""Standard deviation of the change of a set's colours (logarithm of each channel)."""

LIGHT, SLOPE, TAUGHT_LIGHT = 0.08, 0.06, 0.3
"""Standard deviations of the light on a crop and of its slope (logarithms), and taught lots' share of it."""

SHADED, SHADE = 0.12, (0.1, 0.7)
"""Share of crops with a shadow's edge in them, and limits of its darkness (logarithm)."""

NOISE = 0.012
"""Largest standard deviation of the noise."""

SOFT = 0.12
"""Share of blurred crops."""


def augmented(
    supports: Tensor, crops: Tensor, off: Tensor, chance: torch.Generator, *, is_long: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Change the crops of one set. off : (n, 3), where the lots lie in ``crops``.

    Colours are changed alike in the whole set, all else in each crop by itself.
    """
    count = len(supports)
    seen = torch.cat([supports, crops])
    off = torch.cat([torch.zeros(count, 3), off])
    _recolour(seen, chance)
    _relight(seen, count, chance)
    _disturb(seen, chance)
    mirror(seen, off, chance, is_long=is_long)
    return seen[:count], seen[count:], off[count:]


def mirror(seen: Tensor, off: Tensor, chance: torch.Generator, *, is_long: bool) -> None:
    """Mirror crops and where the lots lie in them, in place; small lots are also turned."""
    for axis, column in ((3, 0), (2, 1)):
        which = _some(len(seen), 0.5, chance)
        seen[which] = seen[which].flip(axis)
        seen[which, SINE] *= -1
        off[which, column] *= -1
        off[which, 2] *= -1
    if not is_long:
        which = _some(len(seen), 0.5, chance)
        seen[which] = seen[which].transpose(2, 3)
        off[which, :2] = off[which, :2].flip(1)


def _recolour(seen: Tensor, chance: torch.Generator) -> None:
    if torch.rand((), generator=chance) < PERMUTED:
        order = torch.randperm(3, generator=chance)
        seen[:, COLOURS], seen[:, RATIOS] = seen[:, COLOURS][:, order], seen[:, RATIOS][:, order]
    gain = torch.exp(TINT * torch.randn(1, 3, 1, 1, generator=chance))
    seen[:, COLOURS] = (seen[:, COLOURS] + 0.5) * gain - 0.5


def _relight(seen: Tensor, taught: int, chance: torch.Generator) -> None:
    """Relight each crop, with a slope and sometimes a shadow's edge."""
    n, _, rows, columns = seen.shape
    across, down = torch.linspace(-1, 1, columns)[None, None, :], torch.linspace(-1, 1, rows)[None, :, None]

    def normal() -> Tensor:
        return torch.randn(n, 1, 1, generator=chance)

    def uniform() -> Tensor:
        return torch.rand(n, 1, 1, generator=chance)

    light = LIGHT * normal() + SLOPE * (normal() * across + normal() * down)
    turn = 2 * torch.pi * uniform()
    edge = torch.cos(turn) * across + torch.sin(turn) * down + 0.4 * normal()
    shade = SHADE[0] + (SHADE[1] - SHADE[0]) * uniform()
    light = light - (uniform() < SHADED) * torch.sigmoid(12 * edge) * shade
    light[:taught] *= TAUGHT_LIGHT
    seen[:, COLOURS] = (seen[:, COLOURS] + 0.5) * torch.exp(light)[:, None] - 0.5
    seen[:, RATIOS] += light[:, None]


def _disturb(seen: Tensor, chance: torch.Generator) -> None:
    """Add noise to each crop, and blur some."""
    amount = NOISE * torch.rand(len(seen), 1, 1, 1, generator=chance)
    seen[:, PICTURE] += amount * torch.randn(seen[:, PICTURE].shape, generator=chance)
    soft = _some(len(seen), SOFT, chance)
    if soft.any():
        framed = functional.pad(seen[soft, PICTURE], (1, 1, 1, 1), mode="replicate")
        seen[soft, PICTURE] = functional.avg_pool2d(framed, 3, 1)


def _some(count: int, share: float, chance: torch.Generator) -> Tensor:
    return torch.rand(count, generator=chance) < share

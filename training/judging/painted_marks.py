"""Paints marks on small lots that look alike: a matcher of faces needs more kinds of marks than can be rendered."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from hardware.reader.judge.lot_crops import WINDOWS
from training.judging.augmentation import COLOURS, SHOWN, give_colours

SIZE, THIN, STRETCH = (0.08, 0.26), (0.03, 0.07), (0.8, 1.3)
"""Limits of the radius of dots and rings, of half the width of lines (in diameters), and of how long dots are for their
width."""

SHAKE = 0.06
"""Standard deviation of the distance of marks from the middles of lots, in diameters and in each direction."""

STRENGTH, HUE, LIMITS = (0.16, 1.28), 0.35, (-2.2, 1.6)
"""Limits of how much darker or brighter than the lot a mark is, standard deviation of its colour, and limits of both
together (logarithms). Two in three are darker."""

OPAQUE, SOFT = (0.7, 1.0), (0.01, 0.03)
"""Limits of how much of a mark's colour is seen in its middle, and of how wide its edge is in diameters."""


def paint(seen: Tensor, off: Tensor, chance: torch.Generator) -> None:
    """Paint marks of one kind on lots seen from close by, in place.

    seen : (n, CHANNELS, rows, columns) crops. off : (n, 3), where the lots lie in them; see `Label`.
    """
    with chance.device:
        marks = torch.sigmoid(_depth(seen, off, chance) / _between(SOFT, chance)) * _between(OPAQUE, chance)
        darker = -1 if torch.rand((), generator=chance) < 2 / 3 else 1
        colour = darker * _between(STRENGTH, chance) + HUE * torch.randn(3, generator=chance)
        share = (marks * seen[:, SHOWN.start].clamp(0, 1))[:, None]
        painted = (seen[:, COLOURS] + 0.5).clamp(min=0) * torch.exp(share * colour.clamp(*LIMITS)[:, None, None])
        give_colours(seen, slice(None), painted.clamp(max=1.15) - 0.5)


def _depth(seen: Tensor, off: Tensor, chance: torch.Generator) -> Tensor:
    """How far inside a mark each pixel lies, in diameters: (n, rows, columns), below 0 outside of it."""
    (rows, columns), wide, long = WINDOWS[False, True]
    middle = torch.nan_to_num(off[:, :2]) + SHAKE * torch.randn(len(seen), 2, generator=chance)
    across = torch.linspace(-long / 2, long / 2, columns) - middle[:, 0, None, None]
    down = torch.linspace(-wide / 2, wide / 2, rows)[:, None] - middle[:, 1, None, None]
    turn = 2 * math.pi * torch.rand(len(seen), 1, 1, generator=chance)
    along, beside = torch.cos(turn) * across + torch.sin(turn) * down, torch.cos(turn) * down - torch.sin(turn) * across
    size, thin = _between(SIZE, chance), _between(THIN, chance)
    away = torch.hypot(along, beside * _between(STRETCH, chance))
    line, crossing = (
        torch.minimum(thin - one.abs(), 0.4 - other.abs()) for one, other in ((along, beside), (beside, along))
    )
    marks = (
        size - away,
        size - away,
        size - away,
        thin - (away - size - 0.05).abs(),
        line,
        torch.maximum(line, crossing),
        along - _between((-0.1, 0.2), chance),
        thin - ((along + 0.15).abs() - 0.15).abs(),
    )
    return marks[int(torch.randint(len(marks), (), generator=chance))]


def _between(limits: tuple[float, float], chance: torch.Generator) -> Tensor:
    return limits[0] + (limits[1] - limits[0]) * torch.rand((), generator=chance)

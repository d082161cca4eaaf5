"""Changes crops at random: their light, colours and sharpness, and which way round they are seen."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from hardware.reader.detection.empty_tray import DARK

COLOURS, RATIOS, PICTURE, SHOWN = slice(0, 3), slice(3, 6), slice(0, 6), slice(6, 8)
"""The channels of a crop that change: colours, their ratios to the empty tray, and both; and those of what the detector
took for a lot or another thing."""

PERMUTED = 0.5
"""Share of sets whose colours are exchanged for one another."""

MIXED, MIX = 0.4, 0.3
"""Share of sets of small lots from close by whose colours are mixed with one another, and the standard deviation of
what one counts in another one."""

TINT = 0.1
"""Standard deviation of the change of a set's colours (logarithm of each channel)."""

LIGHT, SLOPE, TAUGHT_LIGHT = 0.08, 0.06, 0.3
"""Standard deviations of the light on a crop and of its slope (logarithms), and taught lots' share of it."""

CURVED, CURVE = 0.15, 0.25
"""Share of crops with another contrast, and the standard deviation of its exponent (logarithm)."""

ELSEWHERE, GROUND, HUE = 0.15, 0.5, 0.2
"""Share of crops on another ground than the tray, and the standard deviations of its brightness and of its colour
beside the tray's (logarithms)."""

SHADED, SHADE = 0.12, (0.1, 0.7)
"""Share of crops with a shadow's edge in them, and limits of its darkness (logarithm)."""

SHINING, SHINE, SPOT, CLOSE_SPOT = 0.15, (0.1, 0.8), (0.06, 0.2), (0.06, 0.5)
"""Share of small lots' crops with the reflection of a lamp in them, and limits of its strength and of its size as a
share of the crop's; a whole face may shine."""

GLEAMING, GLEAM, STREAK = 0.2, (0.2, 0.95), (0.08, 0.5)
"""Share of sticks' faces along which a lamp is reflected, and limits of its strength and of half its length as a share
of the crop's."""

NOISE = 0.012
"""Largest standard deviation of the noise."""

SOFT = 0.12
"""Share of blurred crops."""


def augmented(
    supports: Tensor, crops: Tensor, off: Tensor, chance: torch.Generator, *, is_long: bool, close: bool = False
) -> tuple[Tensor, Tensor, Tensor]:
    """Change the crops of one set. off : (n, 3), where the lots lie in ``crops``.

    Colours are changed alike in the whole set, all else in each crop by itself. ``chance`` is on the tensors' device.
    """
    count = len(supports)
    seen = torch.cat([supports, crops])
    with chance.device:
        off = torch.cat([torch.zeros(count, 3), off])
        if close and not is_long:
            mix(seen, chance)
        _recolour(seen, chance)
        bend(seen, count, chance)
        move(seen, count, chance)
        _relight(seen, count, chance)
        if not is_long:
            shine(seen, CLOSE_SPOT if close else SPOT, chance)
        elif close:
            gleam(seen, count, chance)
        _disturb(seen, chance)
        mirror(seen, off, chance, is_long=is_long)
    return seen[:count], seen[count:], off[count:]


def mirror(seen: Tensor, off: Tensor, chance: torch.Generator, *, is_long: bool) -> None:
    """Mirror crops and where the lots lie in them, in place; small lots are also turned."""
    for axis, column in ((3, 0), (2, 1)):
        which = _some(len(seen), 0.5, chance)
        seen[which] = seen[which].flip(axis)
        seen[which, -1] *= -1
        off[which, column] *= -1
        off[which, 2] *= -1
    if not is_long:
        which = _some(len(seen), 0.5, chance)
        seen[which] = seen[which].transpose(2, 3)
        off[which, :2] = off[which, :2].flip(1)


def mix(seen: Tensor, chance: torch.Generator) -> None:
    """Mix the colours of a set with one another, on its lots as on its tray."""
    if torch.rand((), generator=chance) >= MIXED:
        return
    counts = MIX * torch.randn(3, 3, generator=chance)
    counts += torch.eye(3) - counts.mean(dim=1, keepdim=True)  # so that grey stays as it is
    dark = DARK / 255
    colour = seen[:, COLOURS] + 0.5
    tray = (colour + dark) / torch.exp(seen[:, RATIOS].clamp(-4, 4)) - dark
    mixed, bare = (torch.einsum("ij,njyx->niyx", counts, one) for one in (colour, tray))
    mixed, bare = mixed.clamp(0.01, 1.3), bare.clamp(0.01, 1.5)
    seen[:, COLOURS], seen[:, RATIOS] = mixed - 0.5, torch.log((mixed + dark) / (bare + dark))


def _recolour(seen: Tensor, chance: torch.Generator) -> None:
    if torch.rand((), generator=chance) < PERMUTED:
        order = torch.randperm(3, generator=chance)
        seen[:, COLOURS], seen[:, RATIOS] = seen[:, COLOURS][:, order], seen[:, RATIOS][:, order]
    gain = torch.exp(TINT * torch.randn(1, 3, 1, 1, generator=chance))
    seen[:, COLOURS] = (seen[:, COLOURS] + 0.5) * gain - 0.5


def bend(seen: Tensor, taught: int, chance: torch.Generator) -> None:
    """Change the contrast of some crops, as another exposure curve does."""
    which = _some(len(seen), CURVED, chance)
    which[:taught] = False
    power = torch.exp(CURVE * torch.randn(len(seen), 1, 1, 1, generator=chance))[which]
    seen[which, COLOURS] = (seen[which, COLOURS] + 0.5).clamp(min=0) ** power - 0.5
    seen[which, RATIOS] = seen[which, RATIOS] * power


def move(seen: Tensor, taught: int, chance: torch.Generator) -> None:
    """Put what some crops show on another ground, as if it lay beside the tray."""
    n = len(seen)
    elsewhere = torch.rand(n, 1, 1, 1, generator=chance) < ELSEWHERE
    elsewhere[:taught] = False
    ground = GROUND * torch.randn(n, 1, 1, 1, generator=chance) + HUE * torch.randn(n, 3, 1, 1, generator=chance)
    ground = elsewhere * ground
    thing = seen[:, SHOWN].sum(dim=1, keepdim=True).clamp(0, 1)
    seen[:, COLOURS] = (seen[:, COLOURS] + 0.5) * torch.exp((1 - thing) * ground) - 0.5
    seen[:, RATIOS] -= thing * ground


def _relight(seen: Tensor, taught: int, chance: torch.Generator) -> None:
    """Relight each crop, with a slope and sometimes a shadow's edge."""
    n, (across, down) = len(seen), _axes(seen)

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


def shine(seen: Tensor, spot: tuple[float, float], chance: torch.Generator) -> None:
    """Let a lamp be reflected in some crops, near their middle. spot : limits of its size."""
    which = _some(len(seen), SHINING, chance)
    x, y, strength, wide, high = torch.rand(5, int(which.sum()), 1, 1, generator=chance)
    across, down = _axes(seen)
    width, height = (2 * (spot[0] + (spot[1] - spot[0]) * size) for size in (wide, high))
    away = ((across + 0.6 * (x - 0.5)) / width) ** 2 + ((down + 0.6 * (y - 0.5)) / height) ** 2
    _brighten(seen, which, (SHINE[0] + (SHINE[1] - SHINE[0]) * strength) * torch.exp(-(away**2)))


def gleam(seen: Tensor, taught: int, chance: torch.Generator) -> None:
    """Let a lamp be reflected along a part of some sticks."""
    which = _some(len(seen), GLEAMING, chance)
    which[:taught] = False
    x, slope, strength, long, soft = torch.rand(5, int(which.sum()), 1, 1, generator=chance)
    across, down = _axes(seen)
    away = (across + 0.2 * (slope - 0.5) * down - 2 * (x - 0.5)).abs() - 2 * (
        STREAK[0] + (STREAK[1] - STREAK[0]) * long
    )
    spot = (GLEAM[0] + (GLEAM[1] - GLEAM[0]) * strength) * torch.sigmoid(-away / (0.02 + 0.2 * soft))
    _brighten(seen, which, spot * seen[which, SHOWN.start])


def _brighten(seen: Tensor, which: Tensor, spot: Tensor) -> None:
    """Make some crops, (n, ...), whiter by shares of what they lack, (n, rows, columns)."""
    before = seen[which, COLOURS]
    give_colours(seen, which, before + spot[:, None] * (0.5 - before))


def give_colours(seen: Tensor, which: Tensor | slice, colours: Tensor) -> None:
    """Give what some crops show, (n, ...), these ``colours``, (n, 3, rows, columns), on a tray that stays as it is."""
    before, dark = seen[which, COLOURS], 0.5 + DARK / 255
    seen[which, RATIOS] += torch.log((colours + dark).clamp(min=0.01) / (before + dark).clamp(min=0.01))
    seen[which, COLOURS] = colours


def _disturb(seen: Tensor, chance: torch.Generator) -> None:
    """Add noise to each crop, and blur some."""
    amount = NOISE * torch.rand(len(seen), 1, 1, 1, generator=chance)
    seen[:, PICTURE] += amount * torch.randn(seen[:, PICTURE].shape, generator=chance)
    soft = _some(len(seen), SOFT, chance)
    if soft.any():
        framed = functional.pad(seen[soft, PICTURE], (1, 1, 1, 1), mode="replicate")
        seen[soft, PICTURE] = functional.avg_pool2d(framed, 3, 1)


def _axes(seen: Tensor) -> tuple[Tensor, Tensor]:
    """Where the columns and the rows of crops lie, from -1 to 1: (1, 1, columns) and (1, rows, 1)."""
    rows, columns = seen.shape[2:]
    return torch.linspace(-1, 1, columns)[None, None, :], torch.linspace(-1, 1, rows)[None, :, None]


def _some(count: int, share: float, chance: torch.Generator) -> Tensor:
    return torch.rand(count, generator=chance) < share

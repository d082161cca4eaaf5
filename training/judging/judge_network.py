"""The judge's network in PyTorch, its comparison with the taught lots, and its export to ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from companion.rules.odds import LOTS
from hardware.reader.judge.lot_crops import CHANNELS, WINDOWS
from hardware.reader.judge.lot_judge import FACE, MAKE


@dataclass(frozen=True, slots=True)
class Layout:
    """The sizes of a judge's layers.

    widths : their channels. Wider learns more and costs time in proportion to the square.
    steps : of the layers down and along a crop.
    joined : rows and columns of places that are described as one.
    left : places that these leave of a crop.
    whole : numbers that describe the whole crop.
    """

    widths: tuple[int, ...]
    steps: tuple[tuple[int, int], ...]
    joined: tuple[int, int]
    left: int
    whole: int


STICK = Layout((16, 24, 32, 48, 64), ((1, 1), (1, 2), (2, 2), (2, 2), (1, 1)), (1, 1), 5 * 12, 128)
SMALL = Layout((16, 24, 32, 48, 64), ((1, 1), (2, 2), (1, 1), (2, 2), (1, 1)), (1, 1), 9 * 9, 128)
CLOSE_STICK = Layout((16, 24, 32, 48, 56), ((1, 1), (1, 2), (2, 2), (2, 2), (1, 1)), (5, 2), 1 * 9, 48)

LOCAL, PLACE = 8, 32
"""Channels kept at each place, and numbers that describe all places."""


class JudgeNet(nn.Module):
    """Describes crops: (n, CHANNELS, rows, columns) to (n, 5 + MAKE + FACE).

    The first five are the log-odds that a lot lies there and that its face can be read, and where it lies.
    close : it sees faces alone.
    """

    def __init__(self, *, is_long: bool, close: bool = False) -> None:
        super().__init__()
        self.is_long, self.close = is_long, close
        layout = SMALL if not is_long else CLOSE_STICK if close else STICK
        self._joined = layout.joined
        layers: list[nn.Module] = []
        before = CHANNELS
        for width, step in zip(layout.widths, layout.steps, strict=True):
            layers += [
                nn.Conv2d(before, width, 3, stride=step, padding=1, bias=False),
                nn.BatchNorm2d(width),
                nn.ReLU(),
            ]
            before = width
        self.layers = nn.Sequential(*layers)
        self.whole = nn.Linear(2 * before + PLACE, layout.whole)
        self.local = nn.Conv2d(before, LOCAL, 1)
        self.place = nn.Linear(LOCAL * layout.left, PLACE)
        self.told = nn.Linear(layout.whole, 5 + MAKE + FACE)

    def forward(self, crops: Tensor) -> Tensor:
        seen = self.layers(crops)
        mean = functional.adaptive_avg_pool2d(seen, 1).flatten(1)
        most = functional.adaptive_max_pool2d(seen, 1).flatten(1)
        local = torch.relu(self.local(seen))
        if self._joined != (1, 1):
            local = functional.avg_pool2d(local, self._joined)
        place = torch.relu(self.place(local.flatten(1)))
        told: Tensor = self.told(torch.relu(self.whole(torch.cat([mean, most, place], dim=1))))
        return told


class Relation(nn.Module):
    """Compares descriptions with those of the taught lots, as `hardware.reader.judge.lot_judge.LotJudge` does."""

    def __init__(self) -> None:
        super().__init__()
        self.sharp = nn.Parameter(torch.tensor([0.0, 0.0, 0.0]))
        self.strange = nn.Parameter(torch.tensor([1.0, 0.0, 0.5]))

    def forward(self, supports: Tensor, told: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Log-odds of presence, of being readable and of the marked face, (n,) each.

        supports : (8, ...) descriptions of the taught lots, the marked ones first. told : (n, ...) of places.
        """
        steep, noise, gain, strange, here, flat = self._values()
        make, face = told[:, 5 : 5 + MAKE], told[:, 5 + MAKE :]
        nearest = torch.cdist(make, supports[:, 5 : 5 + MAKE]).min(dim=1).values
        taught = supports[:, 5 + MAKE :]
        gap = (taught[:LOTS].mean(dim=0) - taught[LOTS:].mean(dim=0)).abs()
        spread = (taught[:LOTS].std(dim=0) + taught[LOTS:].std(dim=0)) / 2
        parted = (gap / (gap + 2 * spread + noise)) ** 2
        apart = ((face[:, None] - taught[None]).abs() * (parted / (parted.sum() + 0.1))).sum(dim=2)
        marked, plain = (-torch.logsumexp(-steep * side, dim=1) for side in (apart[:, :LOTS], apart[:, LOTS:]))
        return told[:, 0] + here - strange * nearest, told[:, 1] + flat - strange * nearest, gain * (plain - marked)

    def numbers(self) -> tuple[float, ...]:
        """The learnt numbers, in the order in which the reader's model has them."""
        return tuple(float(value.detach()) for value in self._values())

    def set_numbers(self, numbers: Sequence[float]) -> None:
        """Take over the ``numbers`` of another relation. The first four are above 0."""
        steep, noise, gain, strange, here, flat = torch.tensor(numbers)
        with torch.no_grad():
            self.sharp.copy_(_before_softplus(torch.stack([steep / 4, noise, gain])) - torch.tensor([1.0, 0.0, 1.0]))
            self.strange.copy_(torch.stack([_before_softplus(strange), here, flat]))

    def _values(self) -> tuple[Tensor, ...]:
        """Steepness, noise and gain of the faces' comparison; what strangeness counts; both log-odds' offsets."""
        positive = functional.softplus
        return (
            4 * positive(self.sharp[0] + 1),
            positive(self.sharp[1]),
            positive(self.sharp[2] + 1),
            positive(self.strange[0]),
            self.strange[1],
            self.strange[2],
        )


def _before_softplus(positive: Tensor) -> Tensor:
    return positive.expm1().log()


class Judge(nn.Module):
    """The network and the relation, which are trained together."""

    def __init__(self, *, is_long: bool, close: bool = False) -> None:
        super().__init__()
        network = JudgeNet(is_long=is_long, close=close)
        self.network, self.relation = network.to(memory_format=torch.channels_last), Relation()


def export(network: JudgeNet, path: Path) -> str:
    """Write the network as ONNX that OpenCV 4.6 and later read; answers the file's SHA-256."""
    network.eval()
    sample = torch.zeros(1, CHANNELS, *WINDOWS[network.is_long, network.close].size)
    torch.onnx.export(
        network,
        (sample,),
        str(path),
        opset_version=13,
        dynamo=False,
        input_names=["crops"],
        output_names=["told"],
        dynamic_axes={"crops": {0: "n"}, "told": {0: "n"}},
    )
    return sha256(path.read_bytes()).hexdigest()

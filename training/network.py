"""The lot detector's network in PyTorch, and its export to ONNX."""

from __future__ import annotations

from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from hardware.reader.detection.detector import OUTPUTS, STEP

WIDTHS = (24, 40, 64, 96)
"""Channels at a half, a quarter, an eighth and a sixteenth of the input's size. Wider learns more and costs the Pi
time in proportion to the square."""

INPUTS = 36


class Block(nn.Sequential):
    """A 3 x 3 convolution, normalised and rectified."""

    def __init__(self, channels_in: int, channels_out: int) -> None:
        super().__init__(
            nn.Conv2d(channels_in, channels_out, 3, padding=1, bias=False), nn.BatchNorm2d(channels_out), nn.ReLU()
        )


class LotNet(nn.Module):
    """A small U-Net at half the picture's size.

    Input (n, 36, rows, columns) as `network_input` makes it, sides divisible by 8; output (n, 24, rows, columns), to be
    unfolded by `network_output`.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entry = Block(INPUTS, WIDTHS[0])
        self.down = nn.ModuleList(
            nn.Sequential(nn.MaxPool2d(2), Block(fine, coarse), Block(coarse, coarse))
            for fine, coarse in pairwise(WIDTHS)
        )
        self.up = nn.ModuleList(
            Block(coarse + fine, fine) for fine, coarse in zip(WIDTHS[-2::-1], WIDTHS[:0:-1], strict=True)
        )
        self.exit = nn.Conv2d(WIDTHS[0], 4 * OUTPUTS, 1)

    def forward(self, pixels: Tensor) -> Tensor:
        levels = [self.entry(pixels)]
        for down in self.down:
            levels.append(down(levels[-1]))
        found = levels.pop()
        for up in self.up:
            found = up(torch.cat([functional.interpolate(found, scale_factor=2.0), levels.pop()], dim=1))
        scores: Tensor = self.exit(found)
        return scores


def export(network: LotNet, path: Path) -> str:
    """Write the network as ONNX that OpenCV 4.6 and later read; answers the file's SHA-256."""
    network.eval()
    sample = torch.zeros(1, INPUTS, 15 * STEP // 2, 20 * STEP // 2)
    torch.onnx.export(
        network,
        (sample,),
        str(path),
        opset_version=13,
        dynamo=False,
        input_names=["pair"],
        output_names=["scores"],
    )
    return sha256(path.read_bytes()).hexdigest()

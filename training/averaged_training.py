"""Steps of a training with a running average of the weights, and their checkpoint."""

from __future__ import annotations

import copy
import math
from pathlib import Path

import torch
from torch import Tensor, nn

STEEPEST = 5.0
"""Norm to which gradients are clipped."""


class AveragedTraining:
    """A network in training, and the average of its weights, which is the network that is kept.

    averaged : share of the average that a step leaves.
    """

    def __init__(self, network: nn.Module, *, rate: float, decay: float, averaged: float) -> None:
        self.network, self.averaged, self.step = network, copy.deepcopy(network), 0
        self._highest, self._share = rate, averaged
        self._rule = torch.optim.AdamW(network.parameters(), rate, weight_decay=decay)

    def learn(self, cost: Tensor, rate: float) -> None:
        """Make one step. rate : share of the highest learning rate."""
        for group in self._rule.param_groups:
            group["lr"] = self._highest * rate
        self._rule.zero_grad()
        cost.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), STEEPEST)
        self._rule.step()
        self.step += 1
        self._average(min(self._share, self.step / (self.step + 20)))

    def resume(self, path: Path) -> None:
        """Go on from the checkpoint, if there is one, whatever device it was written on."""
        if path.exists():
            state = torch.load(path, map_location="cpu", weights_only=True)
            self.network.load_state_dict(state["network"])
            self.averaged.load_state_dict(state["averaged"])
            self._rule.load_state_dict(state["rule"])
            self.step = int(state["step"])

    def save(self, path: Path) -> None:
        """Write the checkpoint. An interruption leaves the one before."""
        fresh = path.with_suffix(".new")
        state = {
            "network": self.network.state_dict(),
            "averaged": self.averaged.state_dict(),
            "rule": self._rule.state_dict(),
            "step": self.step,
        }
        torch.save(state, fresh)
        fresh.replace(path)

    @torch.no_grad()
    def _average(self, share: float) -> None:
        pairs = zip(self.averaged.state_dict().values(), self.network.state_dict().values(), strict=True)
        for one, other in pairs:
            if one.dtype.is_floating_point:
                one.lerp_(other, 1 - share)
            else:
                one.copy_(other)


def training_device() -> torch.device:
    """The accelerator if there is one, and the CPU otherwise."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def load_averaged(network: nn.Module, path: Path) -> None:
    """Give the network the averaged weights of a checkpoint, and make it ready for use."""
    network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True)["averaged"])
    network.eval()


def learning_rate(step: int, steps: int, *, warm_up: int, lowest: float) -> float:
    """Share of the highest learning rate: it rises, and then falls to ``lowest`` along a cosine."""
    return min(1.0, (step + 1) / warm_up) * (lowest + (1 - lowest) * (1 + math.cos(math.pi * step / steps)) / 2)

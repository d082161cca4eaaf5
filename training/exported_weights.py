"""Reads the weights of an exported network, so that it can be trained further."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import torch
from onnx import load_model, numpy_helper
from torch import Tensor, nn


def load_exported(network: nn.Module, path: Path) -> None:
    """Give the network the weights of its exported file, and make it ready for use.

    Its BatchNorms only add a bias, because the export folds them into the convolutions before them. Before it is
    trained, let them normalise: see `normalising`. Raises RuntimeError if the file's layers have other sizes.
    """
    graph = load_model(path).graph
    arrays = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in graph.initializer}
    norms = {before: name for (before, _), (name, norm) in pairwise(network.named_modules()) if _normalises(norm)}
    for norm in filter(_normalises, network.modules()):
        norm.reset_parameters()
        norm.running_var -= norm.eps
    state = network.state_dict()
    for node in graph.node:
        if node.op_type in ("Conv", "Gemm"):
            name = node.name.split("/")[-2]  # such as /entry/entry.0/Conv
            state[f"{name}.weight"], state[f"{norms.get(name, name)}.bias"] = (arrays[one] for one in node.input[1:])
    network.load_state_dict(state)
    network.eval()


@contextmanager
def normalising(network: nn.Module) -> Iterator[None]:
    """Measure what a network from `load_exported` is shown, and then let its BatchNorms normalise that.

    What it says stays the same.
    """
    norms = [norm for norm in network.modules() if _normalises(norm)]
    seen: dict[nn.Module, list[Tensor]] = {norm: [] for norm in norms}

    def measure(norm: nn.Module, inputs: tuple[Tensor], _output: Tensor) -> None:
        seen[norm].append(torch.stack(torch.var_mean(inputs[0].detach().float(), dim=(0, 2, 3), correction=0)))

    hooks = [norm.register_forward_hook(measure) for norm in norms]
    yield
    for hook in hooks:
        hook.remove()
    with torch.no_grad():
        for norm in norms:
            variances, means = torch.stack(seen[norm], dim=1)
            mean = means.mean(dim=0)
            variance = variances.mean(dim=0) + means.var(dim=0, correction=0)
            norm.weight.copy_((variance + norm.eps).sqrt())
            norm.bias += mean
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)


def _normalises(layer: nn.Module) -> bool:
    return isinstance(layer, nn.BatchNorm2d)

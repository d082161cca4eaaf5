"""Trains the judge on samples of many sets, each compared with its own taught lots; resumable at any moment."""

# ruff: noqa: T201 - progress on the terminal

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from hardware.reader.judge.lot_judge import MAKE
from training.averaged_training import AveragedTraining, learning_rate, load_averaged, training_device
from training.exported_weights import normalising
from training.judging.augmentation import augmented
from training.judging.judge_network import Judge, Relation
from training.judging.sample_tensors import LotTensors, SamplePool, SetTensors

SETS, CLOSE_SETS = 8, 24
"""Sets in each step; and of faces alone, of which fewer places tell."""

PAINTED = 0.35
"""Share of sets of small lots from close by whose faces differ by marks that are painted on them."""

ALONE, FACES, OFF = 0.3, 2.0, 2.0
"""What presence by itself weighs beside the comparison's, which is all that is known before the lots are taught; and
what faces and places weigh."""

LIKE, UNLIKE = 0.15, 0.25
"""What it weighs, beside a face's being told, that it looks like a taught one, and that another thing does not."""

KNOWN, UNKNOWN, SLOPE = 12.0, 20.0, 2.0
"""Distances between descriptions below which a face looks like a taught one, and above which a thing does not; and the
distance in which what it costs changes by a factor of e."""

RATE, DECAY = 1.5e-3, 1e-3
"""Highest learning rate, and weight decay."""

WARM_UP, LOWEST = 100, 0.02
"""Steps in which the learning rate rises, and the share of it that the last step has."""

AVERAGED = 0.997
"""Share of the running average of the weights that a step leaves."""

SAVE_EVERY = 500

SEED = 1

MEASURED = 120
"""Steps by which the usual inputs of an averaged or a shipped judge's layers are measured."""


def loss(relation: Relation, supports: Tensor, told: Tensor, drawn: LotTensors, off: Tensor) -> Tensor:
    """The training loss of the descriptions ``told`` of places of a set. off : where their lots lie rather."""
    present, readable, face = relation(supports, told)
    want, read, side = drawn.present, drawn.readable, drawn.face
    binary = functional.binary_cross_entropy_with_logits
    near = want >= 0
    cost = binary(present[near], want[near].float()) + ALONE * binary(told[near, 0], want[near].float())
    flat = read >= 0
    if flat.any():
        cost = cost + binary(readable[flat], read[flat].float())
    seen = side != 0
    if seen.any():
        cost = cost + FACES * functional.softplus(-side[seen] * face[seen]).mean()
    there = (want != 0) & torch.isfinite(off).all(dim=1)
    if there.any():
        cost = cost + OFF * functional.smooth_l1_loss(told[there, 2:5], off[there], beta=0.05)
    return cost


def loss_of_faces(relation: Relation, supports: Tensor, told: Tensor, drawn: LotTensors) -> Tensor:
    """The same of faces seen from close by: they are told, and look like taught ones where other things do not."""
    *_, face = relation(supports, told)
    strange = torch.cdist(told[:, 5 + MAKE :], supports[:, 5 + MAKE :]).min(dim=1).values
    seen, other = drawn.face != 0, drawn.present == 0
    cost = functional.softplus(-drawn.face[seen] * face[seen]).mean()
    if other.any():
        cost = cost + LIKE * functional.softplus((strange[seen] - KNOWN) / SLOPE).mean()
        cost = cost + UNLIKE * functional.softplus((UNKNOWN - strange[other]) / SLOPE).mean()
    return cost


def train(
    files: Sequence[Path],
    kept: Path,
    steps: int,
    *,
    is_long: bool,
    close: bool = False,
    before: Path | None = None,
    shipped: Judge | None = None,
    relation: Relation | None = None,
) -> Judge:
    """Train on these files of samples, and return the averaged judge.

    close : faces alone, seen from close by.
    kept : the checkpoint, from which an interrupted training goes on as if it had not been interrupted.
    before : the checkpoint of an earlier judge, with whose weights this one begins.
    shipped : a judge from `training.model_folder.read_judge`, with which this one begins instead.
    relation : of the judge of the same lots, by which faces from close by are compared; it is not trained.
    """
    torch.manual_seed(SEED)
    device = training_device()
    pool = SamplePool(files, SEED, device)
    first = Judge(is_long=is_long, close=close) if before is None else load(before, is_long=is_long, close=close)
    if shipped is not None and not kept.exists():
        first = shipped.to(device)
        with normalising(first.network):
            _show(first, pool.at(0))
    if relation is not None:
        first.relation.set_numbers(relation.numbers())
    training = AveragedTraining(first.to(device), rate=RATE, decay=DECAY, averaged=AVERAGED)
    training.resume(kept)
    training.network.relation.requires_grad_(relation is None)
    training.network.train()
    began, recent = time.monotonic(), []
    while training.step < steps:
        cost = _step_loss(training.network, pool.at(training.step), [SEED, training.step])
        training.learn(cost, learning_rate(training.step, steps, warm_up=WARM_UP, lowest=LOWEST))
        recent.append(cost.detach())
        if training.step % SAVE_EVERY == 0 or training.step == steps:
            training.save(kept)
            spent, mean = time.monotonic() - began, float(torch.stack(recent).mean())
            print(f"step {training.step}: loss {mean:.4f}, {len(pool)} sets, {spent:.0f} s", flush=True)
            recent = []
    return training.averaged.cpu().eval()


def load(kept: Path, *, is_long: bool, close: bool = False) -> Judge:
    """The averaged judge of a checkpoint."""
    judge = Judge(is_long=is_long, close=close)
    load_averaged(judge, kept)
    return judge


def load_mean(kept: Sequence[Path], files: Sequence[Path], *, is_long: bool, close: bool = False) -> Judge:
    """The judge whose weights are the mean of these checkpoints', of which each began where the one before ended.

    It knows both what the one has learnt and what the other would have forgotten (Wortsman et al., "Robust
    fine-tuning of zero-shot models", CVPR 2022). files : samples, by which its layers' usual inputs are measured.
    """
    states = [load(path, is_long=is_long, close=close).state_dict() for path in kept]
    judge = Judge(is_long=is_long, close=close)
    judge.load_state_dict(
        {name: torch.stack([state[name].float() for state in states]).mean(dim=0) for name in states[0]}
    )
    for layer in judge.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.reset_running_stats()
            layer.momentum = None  # the mean over all steps
    device = training_device()
    _show(judge.to(device).train(), SamplePool(files, SEED, device).at(0))
    return judge.cpu().eval()


def _show(judge: Judge, sets: Sequence[SetTensors]) -> None:
    """Show the judge what it is trained on, for its layers' usual inputs to be measured."""
    with torch.no_grad():
        for step in range(MEASURED):
            _step_loss(judge, sets, [SEED, step])


def _step_loss(judge: Judge, sets: Sequence[SetTensors], seed: Sequence[int]) -> Tensor:
    """The mean loss of some of the sets. All chance comes from the seed."""
    random, device = np.random.default_rng(seed), sets[0].samples.crops.device
    chance = torch.Generator(device).manual_seed(int(random.integers(1 << 62)))
    is_long, close = judge.network.is_long, judge.network.close
    drawn = []
    for number in random.choice(len(sets), min(CLOSE_SETS if close else SETS, len(sets)), replace=False):
        one = sets[number]
        is_painted = close and not is_long and random.random() < PAINTED
        places = one.painted(random, chance) if is_painted else one.drawn(random)
        changed = augmented(places.supports, places.crops, places.off, chance, is_long=is_long, close=close)
        drawn.append((places, changed))
    parts = [part for _, changed in drawn for part in changed[:2]]
    with torch.autocast(device.type, dtype=torch.bfloat16):
        told = judge.network(torch.cat(parts).contiguous(memory_format=torch.channels_last))
    told = told.float().split([len(part) for part in parts])
    costs = [
        loss_of_faces(judge.relation, supports, described, places)
        if close
        else loss(judge.relation, supports, described, places, changed[2])
        for (places, changed), supports, described in zip(drawn, told[::2], told[1::2], strict=True)
    ]
    return torch.stack(costs).mean()

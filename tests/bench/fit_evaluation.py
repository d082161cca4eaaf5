"""Fit the weights of the evaluation on solved games, and measure its error on held-out games.

    python -m tests.bench.fit_evaluation --data FOLDER [--out FOLDER] [--without GAME]...

Tables are kept in FOLDER/tables; missing ones are solved first. It takes about a quarter of an hour. Small games of
every kind, some with several players a side, are solved by the rules alone; every fifth of them is held out. Each
--without runs another fit with one game of SOLVED held out. The weights are written to the folder of
--out; the companion reads them from companion/advice.
"""

# ruff: noqa: T201 - prints its results

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

import click
import numpy as np

from companion.advice.evaluation import Array, Network
from companion.advice.features import Features
from companion.errors import Unknown
from companion.rules.odds import FAIR
from companion.rules.variant import Variant
from companion.rules.variant_fields import Teams
from companion.rules.variants import VARIANTS
from tests.advice.solved_samples import by_rules_alone, by_table, samples
from tests.rules.games import game

SOLVED = (
    *("puluc", "puluc-bell", "puluc-culin", "culin", "ritual-warfare", "puluc-looping", "bul", "buluc"),
    *("aj-sayil", "aj-tiwil", "aj-sinaanil", "aj-sakalil", "a-kaakil"),
    *("boolik pieces=2", "boolik pieces=2 spaces=9", "buul pieces=3", "buul pieces=3 spaces=9"),
)
"""Games of the usual size; boolik and buul with fewer pieces, so that solving takes seconds."""
OF_EACH, OF_SMALL = 12_000, 1_500
SMALL_GAMES = 150
HIDDEN = (64, 32)
EPOCHS, BATCH, RATE, DECAY = 30, 512, 3e-3, 1e-5


@dataclass(frozen=True, slots=True)
class Sampled:
    """The features of one game's positions, and their win chances."""

    name: str
    seen: Array
    wins: Array
    unseen: bool = False


def small_game(chance: Random) -> Variant:
    """A variant with fewer pieces, on another highway or with a rule changed."""
    while True:
        rules = chance.choice(list(VARIANTS.values()))
        two = rules.throws == 2
        changes = {
            "pieces": str(chance.choice([2, 3, 3, 4] if two else [2, 2, 3])),
            "spaces": str(chance.choice([7, 9, 12, 15, 19] if two else [6, 7, 8, 9, 9, 11])),
        }
        for name, of, often in (
            ("advancing", ["1", "2", "3"], 0.3),
            ("values", ["bell", "culin"], 0.2),
            ("captor", ["onward", "homeward", "leaves"], 0.3),
            ("far_end", ["return", "loop", "stop", "bounce", "walk_back"], 0.3),
            ("rescued", ["slain"], 0.1),
            ("exact_home", ["yes"], 0.1),
        ):
            if chance.random() < often:
                changes[name] = chance.choice(of)
        if rules.fire:
            changes["fire"] = str((int(changes["spaces"]) + 1) // 2)
        if rules.teams is not Teams.NONE and chance.random() < 0.5:
            changes |= {"players": "2", "pieces": str(chance.choice([1, 2]))}
        try:
            return rules.changed(changes)
        except Unknown:
            continue


def sampled(folder: Path) -> Iterator[Sampled]:
    """The samples of all games, large games first. Two processes; their number does not change the samples."""
    with ProcessPoolExecutor(2) as pool:
        yield from pool.map(partial(_large, folder), SOLVED)
        yield from pool.map(_small, range(SMALL_GAMES))


def _large(folder: Path, words: str) -> Sampled:
    rules = game(words)
    positions, wins = samples(rules, FAIR, by_table(rules, FAIR, folder), OF_EACH, Random(words))
    return Sampled(words, Features(rules).of(positions), wins)


def _small(number: int) -> Sampled:
    chance = Random(number)
    marked = chance.choice([FAIR, FAIR, Fraction(2, 5), Fraction(3, 5)])
    win = None
    while win is None:
        rules = small_game(chance)
        win = by_rules_alone(rules, marked, 10_000 if rules.throws == 1 else 2_500)
    positions, wins = samples(rules, marked, win, OF_SMALL, chance)
    players = f", {rules.players} players" if rules.players > 1 else ""
    name = (
        f"{rules.id} with {rules.spaces} spaces, {rules.pieces} pieces, {rules.far_end}{players} (small game {number})"
    )
    return Sampled(name, Features(rules, marked).of(positions), wins, number % 5 == 0)


def fit(games: Sequence[Sampled]) -> Network:
    """Fit a network from features to the logit of the chance, with Adam on the cross-entropy."""
    seen, wins = np.concatenate([one.seen for one in games]), np.concatenate([one.wins for one in games])
    spread = seen.std(axis=0)
    network = Network(seen.mean(axis=0), np.where(spread > 1e-6, 1 / np.maximum(spread, 1e-6), 0), [])
    seen = network.standardised(seen)
    chance = np.random.default_rng(1)
    sizes = (seen.shape[1], *HIDDEN, 1)
    weights = [
        part for one, next_ in pairwise(sizes) for part in (chance.normal(0, one**-0.5, (one, next_)), np.zeros(next_))
    ]
    mean, square = [np.zeros_like(part) for part in weights], [np.zeros_like(part) for part in weights]
    steps = EPOCHS * (len(seen) // BATCH)
    for step in range(1, steps + 1):
        if step % (len(seen) // BATCH) == 1:
            order = chance.permutation(len(seen))
        at = (step - 1) % (len(seen) // BATCH) * BATCH
        some = order[at : at + BATCH]
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        for number, slope in enumerate(_slopes(weights, seen[some], wins[some])):
            mean[number] = 0.9 * mean[number] + 0.1 * slope
            square[number] = 0.999 * square[number] + 0.001 * slope**2
            forward = mean[number] / (1 - 0.9**step)
            weights[number] -= rate * forward / (np.sqrt(square[number] / (1 - 0.999**step)) + 1e-8)
    return replace(network, layers=list(zip(weights[::2], weights[1::2], strict=True)))


def _slopes(weights: list[Array], seen: Array, wins: Array) -> list[Array]:
    layers = [seen]
    for number in range(0, len(weights) - 2, 2):
        layers.append(np.tanh(layers[-1] @ weights[number] + weights[number + 1]))
    judged = 1 / (1 + np.exp(-(layers[-1] @ weights[-2] + weights[-1])))
    back = (judged - wins[:, None]) / len(seen)
    slopes: list[Array] = []
    for number in range(len(weights) - 2, -1, -2):
        layer = layers[number // 2]
        slopes = [layer.T @ back + DECAY * weights[number], back.sum(axis=0), *slopes]
        back = (back @ weights[number].T) * (1 - layer**2)
    return slopes


def written(network: Network) -> str:
    """The weights as JSON with five digits, one row of a layer per line."""

    def numbers(row: Array) -> str:
        return "[" + ", ".join(f"{number:.5g}" for number in row) + "]"

    def layer(weights: Array, bias: Array) -> str:
        return "[[\n" + ",\n".join(map(numbers, weights)) + "\n],\n" + numbers(bias) + "]"

    layers = ",\n".join(layer(*one) for one in network.layers)
    return f'{{"mean": {numbers(network.mean)},\n"per": {numbers(network.per)},\n"layers": [{layers}]}}\n'


def off(network: Network, one: Sampled) -> float:
    """The root mean square error of the win chances in a game."""
    return float(np.sqrt(((network.predict(one.seen) - one.wins) ** 2).mean()))


@click.command()
@click.option("--data", type=click.Path(path_type=Path), required=True, help="Folder with a folder tables.")
@click.option("--out", type=click.Path(path_type=Path, exists=True), help="Folder for the weights.")
@click.option("--without", multiple=True, type=click.Choice(SOLVED), help="A game to leave out in a separate fit.")
def main(data: Path, out: Path | None, without: tuple[str, ...]) -> None:
    games: list[Sampled] = []
    for one in sampled(data / "tables"):
        games.append(one)
        print(f"{len(one.wins):6} positions of {one.name}", flush=True)
    for left_out in (None, *without):
        known = [one for one in games if not one.unseen and one.name != left_out]
        network = fit(known)
        print(f"Off, root mean square, by a fit {f'without {left_out}' if left_out else 'of all'}:")
        offs = {True: list[float](), False: list[float]()}
        for one in games:
            new = one.unseen or one.name == left_out
            offs[new].append(off(network, one))
            print(f"  {offs[new][-1]:.4f} {'not fitted on: ' if new else ''}{one.name}")
        for new, each in offs.items():
            print(f"{np.mean(each):.4f} on average of {len(each)} games {'not ' if new else ''}fitted on", flush=True)
        if out:
            name = f"without-{left_out.replace(' ', '-')}.json" if left_out else "weights.json"
            (out / name).write_text(written(network), encoding="ascii")


if __name__ == "__main__":
    main()

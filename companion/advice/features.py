"""Features of positions, on a common scale for every game, whatever its size and rules."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from companion.rules.odds import FAIR, odds, turn_odds
from companion.rules.position import Position
from companion.rules.unit import Side
from companion.rules.variant import Variant
from companion.rules.variant_fields import Captor, FarEnd, Rescued, Teams, Winner

Array = NDArray[np.float64]

_OUT, _WALK, _LADEN, _OWN, _PREY, _CHANNELS = range(6)
_THROWS_AHEAD = (1, 2, 4, 8)


class Features:
    """Computes the features of positions of one game with given lots, seen from the side to throw.

    Each side is encoded along its own way, with its base at distance 0: its units going out, heading home and laden,
    their pieces and their prey. Pieces at stake are weighted by the chance that the enemy's next throw captures there,
    and by the chances of being captured, or of arriving home, within a few throws.
    """

    def __init__(self, rules: Variant, marked: Fraction = FAIR) -> None:
        self._rules = rules
        self._length = rules.spaces + 2
        self._outcomes = [(float(chance), _distances(values)) for values, chance in turn_odds(rules, marked).items()]
        self._reached = sorted({distance for _, distances in self._outcomes for distance in distances})
        single = {value: float(chance) for value, chance in odds(rules, marked).items()}
        sums = _sums(single, max(_THROWS_AHEAD) * rules.throws, self._length)
        self._strikes = [_strikes(sums, ahead * rules.throws, self._length) for ahead in _THROWS_AHEAD[1:]]
        arriving = [ahead * rules.throws for ahead in _THROWS_AHEAD[:3]]
        off = [_arrives(sums, throws, self._length) for throws in arriving]
        home = [_hits(sums, throws) for throws in arriving] if rules.exact_home else off
        self._arrives = list(zip(off, home, strict=True))
        mean = sum(value * chance for value, chance in single.items()) * rules.throws
        self._about = np.array(_about(rules, mean))

    def of(self, positions: Sequence[Position]) -> Array:
        """Features of many positions.

        Parameters
        ----------
        positions : sequence of Position
            Of this game; none of them is over.

        Returns
        -------
        (positions, features) float64 array
            One row a position. The last columns describe the game and are equal in all rows.
        """
        board, camps = self._encoded(positions)
        mine, theirs = board[:, 0], board[:, 1]
        total = self._rules.pieces * self._rules.owners
        base, gone, slain = camps[:, 0:2], camps[:, 2:4], camps[:, 4:6]
        alive = total - gone
        scale = np.maximum(alive.sum(axis=1), 1.0) / 2
        captive = np.stack([theirs[:, _PREY].sum(axis=1), mine[:, _PREY].sum(axis=1)], axis=1)
        free = alive - captive
        columns = [
            *_material(alive, free, slain, total),
            *(base / scale[:, None]).T,
            *self._side(mine, theirs[:, :, ::-1], base[:, 0], camps[:, 6], scale),
            *self._side(theirs, mine[:, :, ::-1], base[:, 1], camps[:, 7], scale),
            camps[:, 6] / 4,
        ]
        rows = np.stack(columns, axis=1)
        return np.concatenate([rows, np.broadcast_to(self._about, (len(rows), len(self._about)))], axis=1)

    def _encoded(self, positions: Sequence[Position]) -> tuple[Array, Array]:
        """The boards and the camps of some positions, the side to throw first.

        Returns
        -------
        boards : (positions, 2 sides, channels, distances) float64 array
            Counts of units or pieces; a channel is one of _OUT, _WALK, _LADEN, _OWN and _PREY.
        camps : (positions, 8) float64 array
            Pieces in base of each side, out for good, slain, and turns in a row, each as (to throw, other).
        """
        rules, length = self._rules, self._length
        where: list[int] = []
        what: list[int] = []
        camps: list[tuple[int, ...]] = []
        side_size = _CHANNELS
        for number, position in enumerate(positions):
            turn = position.turn
            jade = turn is Side.JADE
            for index, units in enumerate(position.places):
                for unit in units:
                    distance = index if unit.owner is Side.JADE else length - 1 - index
                    first = ((number * 2 + (unit.owner is not turn)) * side_size) * length + distance
                    kind = _LADEN if unit.prey else _WALK if unit.home else _OUT
                    where += (first + kind * length, first + _OWN * length)
                    what += (1, 1 + len(unit.friends))
                    if unit.prey:
                        where.append(first + _PREY * length)
                        what.append(len(unit.prey))
            mine, theirs = position.camps if jade else position.camps[::-1]
            my_slain, their_slain = sum(mine.slain), sum(theirs.slain)
            camps.append(
                (
                    sum(mine.base),
                    sum(theirs.base),
                    my_slain + sum(mine.spent),
                    their_slain + sum(theirs.spent),
                    my_slain,
                    their_slain,
                    rules.owners - position.player + 1 if rules.owners > 1 else 1,
                    rules.owners,
                )
            )
        size = len(positions) * 2 * side_size * length
        flat = np.bincount(np.array(where, dtype=np.intp), weights=what, minlength=size).astype(float)
        return flat.reshape(len(positions), 2, side_size, length), np.array(camps, dtype=float)

    def _side(self, own: Array, enemy: Array, base: Array, turns: Array, scale: Array) -> list[Array]:
        """Columns of what one side threatens and how far it has got.

        own, enemy: (positions, channels, distances), both along this side's way. base, turns, scale: (positions,).
        Returns arrays of shape (positions,).
        """
        rules = self._rules
        onward = rules.captor is Captor.ONWARD
        out = own[:, _OUT] + own[:, _LADEN] * onward
        back = own[:, _WALK] + own[:, _LADEN] * (not onward)
        out = out.copy()
        out[:, 0] = (base > 0) & self._may_enter(own)
        landing = self._landing(out > 0, back > 0, own)
        stakes = enemy[:, _OWN] + enemy[:, _PREY]
        laden = enemy[:, _LADEN] > 0
        danger = np.zeros_like(stakes)
        gain, home_gain = np.zeros(len(own)), np.zeros(len(own))
        way_home = np.arange(self._length)[::-1] if onward else np.arange(self._length)
        for chance, distances in self._outcomes:
            struck = np.zeros(stakes.shape, dtype=bool)
            for distance in distances:
                struck |= landing[distance]
            danger += chance * struck
            gain += chance * (struck * stakes).max(axis=1)
            if distances:
                in_reach = np.isin(way_home, distances) if rules.exact_home else way_home <= max(distances)
                home_gain += chance * (own[:, _PREY] * in_reach).max(axis=1)
        danger = 1 - (1 - danger) ** turns[:, None]
        found = [
            (danger * enemy[:, _OWN] * laden).sum(axis=1),
            (danger * enemy[:, _OWN] * ~laden).sum(axis=1),
            (danger * enemy[:, _PREY]).sum(axis=1),
            gain,
            home_gain,
        ]
        for strikes in self._strikes:
            pressure = np.minimum(_across(out, strikes) + _across(back, strikes.T), 1)
            found += [(pressure * enemy[:, _OWN]).sum(axis=1), (pressure * enemy[:, _PREY]).sum(axis=1)]
        burden = own[:, _OWN] * (own[:, _LADEN] > 0)
        for off, home in self._arrives:
            found += [
                (own[:, _PREY] * home[way_home]).sum(axis=1),
                (burden * home[way_home]).sum(axis=1),
                (own[:, _OUT] * off[::-1]).sum(axis=1),
                (own[:, _WALK] * home).sum(axis=1),
            ]
        found += [own[:, channel].sum(axis=1) for channel in (_OUT, _WALK, _LADEN, _PREY)]
        found.append(burden.sum(axis=1))
        return [column / scale for column in found] + [out[:, 0]]

    def _may_enter(self, own: Array) -> NDArray[np.bool_]:
        """(positions,) bool: whether one more unit may enter. Players who own their pieces are taken together."""
        units = (own[:, _OUT] + own[:, _WALK] + own[:, _LADEN]).sum(axis=1)
        limit = self._rules.advancing
        fewer = units < (np.inf if limit is None else limit * self._rules.owners)
        return np.asarray(fewer)

    def _landing(self, out: NDArray[np.bool_], back: NDArray[np.bool_], own: Array) -> dict[int, NDArray[np.bool_]]:
        """By distance thrown, (positions, distances) bool: where one of the units can land."""
        rules, size = self._rules, self._rules.spaces
        light = own[:, _OUT] > 0
        found: dict[int, NDArray[np.bool_]] = {}
        for distance in self._reached:
            lands = np.zeros_like(out)
            if distance <= size:
                lands[:, distance:] |= out[:, :-distance]
                lands[:, :-distance] |= back[:, distance:]
                beyond = light[:, size - distance + 1 : size + 1]
                if rules.far_end is FarEnd.LOOP:
                    lands[:, 1 : distance + 1] |= beyond
                elif rules.far_end is FarEnd.BOUNCE:
                    lands[:, size - distance : size] |= beyond[:, ::-1]
                if rules.retreat_captures:
                    lands[:, :-distance] |= light[:, distance:]
                    lands[:, distance:] |= own[:, _WALK, :-distance] > 0
            found[distance] = lands
        return found


def _distances(values: tuple[int, ...]) -> tuple[int, ...]:
    """The distances that one unit can go in a turn with these values."""
    far = {value for value in values if value}
    if len(values) > 1 and all(values):
        far.add(sum(values))
    return tuple(sorted(far))


def _sums(single: dict[int, float], most: int, length: int) -> Array:
    """(most + 1, length): the chance that that many throws (row) sum to a distance (column; the last: or more)."""
    sums = np.zeros((most + 1, length))
    sums[0, 0] = 1
    for throws in range(most):
        for value, chance in single.items():
            for total in range(length):
                sums[throws + 1, min(total + value, length - 1)] += sums[throws, total] * chance
    return sums


def _strikes(sums: Array, throws: int, length: int) -> Array:
    """(length, length): the chance that a unit (row: its distance) lands exactly on a distance (column) within
    ``throws``."""
    hit = _hits(sums, throws)
    ahead = np.arange(length)[None, :] - np.arange(length)[:, None]
    return np.where(ahead > 0, hit[np.maximum(ahead, 0)], 0.0)


def _hits(sums: Array, throws: int) -> Array:
    """(length,): the chance that the first one, or two, ... of so many throws sum to exactly that distance."""
    hit = np.minimum(sums[1 : throws + 1].sum(axis=0), 1.0)
    hit[0] = 0
    return np.asarray(hit)


def _arrives(sums: Array, throws: int, length: int) -> Array:
    """(length,): the chance that so many throws sum to at least that distance."""
    return np.array([sums[throws, least:].sum() for least in range(length)])


def _across(units: Array, matrix: Array) -> Array:
    """``units @ matrix`` on one core: where the others are busy, waiting for them takes longer than the product."""
    return np.asarray(np.einsum("ij,jk->ik", units, matrix))


def _material(alive: Array, free: Array, slain: Array, total: int) -> list[Array]:
    least = np.maximum(free, 0.5)
    some = np.maximum(alive, 1)
    return [
        *(alive / total).T,
        *(free / total).T,
        (alive[:, 0] - alive[:, 1]) / some.sum(axis=1),
        (free[:, 0] - free[:, 1]) / least.sum(axis=1),
        *(1 / some).T,
        *(1 / least).T,
        np.log(some[:, 0] / some[:, 1]),
        np.log(least[:, 0] / least[:, 1]),
        (slain[:, 1] - slain[:, 0]) / total,
    ]


def _about(rules: Variant, mean: float) -> list[float]:
    """Features of the game itself: its rules and the length of its highway."""
    advancing = rules.pieces if rules.advancing is None else min(rules.advancing, rules.pieces)
    return [
        *(float(rules.captor is kind) for kind in Captor),
        *(float(rules.far_end is kind) for kind in FarEnd),
        float(rules.exact_home),
        float(rules.sharing),
        float(rules.rescued is Rescued.SLAIN),
        float(rules.liberation),
        float(rules.retreat_captures),
        float(rules.fire is not None),
        float(rules.captor_retires),
        float(rules.winner is Winner.MOST_CAPTURES),
        float(rules.teams is Teams.OWNED and rules.players > 1),
        float(rules.throws - 1),
        advancing / rules.pieces,
        1 / advancing,
        1 / (rules.pieces * rules.owners),
        mean / rules.spaces,
        1 / rules.spaces,
    ]

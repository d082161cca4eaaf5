"""The statistics of each set of sticks, as numbers and sentences, for the page and the command."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from companion.advice.stick_statistics import (
    ENOUGH_TO_COMPARE,
    Fairness,
    Likeness,
    StickStatistics,
    expected_counts,
    rounded_chance,
    stick_statistics,
)
from companion.i18n import N_, _, ngettext
from companion.referee.snapshots.table_view import View
from companion.referee.throw_tally import SIMULATED, CountSource, ThrowTally
from companion.rules.odds import LOTS

VERDICTS = {
    Fairness.UNEVEN: N_("They are almost certainly not even."),
    Fairness.PROBABLY_UNEVEN: N_("They are probably not even."),
    Fairness.LEANING: N_("They may lean to one side, but that can be chance."),
    Fairness.EVEN: N_("They are even, as far as anyone can tell."),
    Fairness.OPEN: N_("That is not enough to tell whether they are even."),
}
LIKENESS = {
    Likeness.ALIKE: N_("All four seem to fall alike."),
    Likeness.TOGETHER: N_(
        "All four show the same side too often: they may be sticking together, or being dropped rather than thrown."
    ),
    Likeness.DIFFERENT: N_("They do not all fall alike: some lie marked side up more often than others."),
    Likeness.OPEN: N_("With {throws} throws or more I can tell if all four fall alike."),
}


class StickSetView(View):
    """One set of sticks. counts: throws with 0 to 4 marked faces. fair: the counts expected of even sticks.

    teller: where the counts come from. marked, low, high: the chance of a marked face and its 95 % interval.
    sure: the probability that the sticks lean the way they seem to. advised: the chance in whole hundredths, for
    advice to use. spread, odd: see StickStatistics; null if there are too few throws.
    """

    name: str
    sticks: str | None
    teller: CountSource
    throws: int
    counts: list[int]
    fair: list[float]
    marked: float
    low: float
    high: float
    sure: float
    verdict: Fairness
    likeness: Likeness
    spread: float | None
    odd: float | None
    advised: str
    first: str
    last: str
    sentences: list[str]


def stick_sets(tallies: Iterable[ThrowTally]) -> list[StickSetView]:
    """The sets that were really thrown; the companion's own draws are left out."""
    return [_view(tally) for tally in tallies if tally.teller is not CountSource.DRAWN]


def _view(tally: ThrowTally) -> StickSetView:
    statistics = stick_statistics(tally.counts)
    return StickSetView.copied_from(
        statistics,
        name=_name(tally),
        sticks=tally.sticks,
        teller=tally.teller,
        fair=list(expected_counts(statistics.throws)),
        advised=decimal(rounded_chance(statistics.marked)),
        first=tally.first,
        last=tally.last,
        sentences=_sentences(statistics),
    )


def decimal(chance: Fraction) -> str:
    """Whole hundredths as text.

    >>> decimal(Fraction(1, 2))
    '0.50'
    """
    return f"{float(chance):.2f}"


def _name(tally: ThrowTally) -> str:
    if tally.teller is CountSource.HAND:
        return _("Counts entered by hand")
    if tally.sticks == SIMULATED:
        return _("The simulated camera's sticks")
    if not tally.sticks:
        return _("Sticks read before sets were told apart")
    return _("Sticks {name}", name=tally.sticks) if tally.sticks.startswith("#") else tally.sticks


def _sentences(statistics: StickStatistics) -> list[str]:
    share, low, high = (round(100 * chance) for chance in (statistics.marked, statistics.low, statistics.high))
    return [
        ngettext(
            "They fall marked side up about {share} times in 100 (most likely between {low} and {high}), "
            "going by {number} throw of {lots}.",
            "They fall marked side up about {share} times in 100 (most likely between {low} and {high}), "
            "going by {number} throws of {lots}.",
            statistics.throws,
            share=share,
            low=low,
            high=high,
            lots=LOTS,
        ),
        _(VERDICTS[statistics.verdict]),
        _(LIKENESS[statistics.likeness], throws=ENOUGH_TO_COMPARE),
    ]

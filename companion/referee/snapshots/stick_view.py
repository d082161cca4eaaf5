"""What the counted throws tell of each set of sticks, in figures and in plain words, for page and command alike."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from companion.advice.odds import LOTS
from companion.advice.sticks import ENOUGH_TO_COMPARE, Likeness, Sticks, Verdict, expected, hundredths, sticks
from companion.referee.tally import SIMULATED, Tally, Teller
from companion.referee.views import View
from companion.words import _, later, ngettext

VERDICTS = {
    Verdict.UNEVEN: later("They are almost certainly not even."),
    Verdict.PROBABLY_UNEVEN: later("They are probably not even."),
    Verdict.LEANING: later("They may lean to one side, but that can be chance."),
    Verdict.EVEN: later("They are even, as nearly as can be told."),
    Verdict.OPEN: later("That is not enough to tell whether they are even."),
}
LIKENESS = {
    Likeness.ALIKE: later("All four seem to fall alike."),
    Likeness.TOGETHER: later(
        "They fall all alike too often: they may stick together, or be dropped rather than thrown."
    ),
    Likeness.DIFFERENT: later("They do not all fall alike: some lie marked side up more often than others."),
    Likeness.OPEN: later("Whether all four fall alike can be told from {throws} throws or more."),
}


class SetView(View):
    """One set of sticks. counts: throws that showed 0 to 4 marked faces. fair: how many even sticks would have shown.

    teller: who told the counts. marked, low, high: the chance of a marked face, and the interval that holds it 95 times
    in 100. sure: how probable it is that they lean the way they seem to. advised: the chance in whole hundredths, for
    advice to reckon with. spread, odd: see Sticks; null where there are too few throws.
    """

    name: str
    sticks: str | None
    teller: Teller
    throws: int
    counts: list[int]
    fair: list[float]
    marked: float
    low: float
    high: float
    sure: float
    verdict: Verdict
    likeness: Likeness
    spread: float | None
    odd: float | None
    advised: str
    first: str
    last: str
    sentences: list[str]


def sets_of(tallies: Iterable[Tally]) -> list[SetView]:
    """The sets whose faces really fell; what the companion drew is not among them."""
    return [_view(tally) for tally in tallies if tally.teller is not Teller.DRAWN]


def _view(tally: Tally) -> SetView:
    told = sticks(tally.counts)
    return SetView(
        name=_name(tally),
        sticks=tally.sticks,
        teller=tally.teller,
        throws=told.throws,
        counts=list(tally.counts),
        fair=list(expected(told.throws)),
        marked=told.marked,
        low=told.low,
        high=told.high,
        sure=told.sure,
        verdict=told.verdict,
        likeness=told.likeness,
        spread=told.spread,
        odd=told.odd,
        advised=decimal(hundredths(told.marked)),
        first=tally.first,
        last=tally.last,
        sentences=_sentences(told),
    )


def decimal(chance: Fraction) -> str:
    """Whole hundredths as text.

    >>> decimal(Fraction(1, 2))
    '0.50'
    """
    return f"{float(chance):.2f}"


def _name(tally: Tally) -> str:
    if tally.teller is Teller.HAND:
        return _("Counts told by hand")
    if tally.sticks == SIMULATED:
        return _("The simulated camera's sticks")
    if not tally.sticks:
        return _("Sticks read before sets were told apart")
    return _("Sticks {name}", name=tally.sticks) if tally.sticks.startswith("#") else tally.sticks


def _sentences(told: Sticks) -> list[str]:
    share, low, high = (round(100 * chance) for chance in (told.marked, told.low, told.high))
    return [
        ngettext(
            "They fall marked side up about {share} times in 100 (most likely between {low} and {high}), "
            "going by {number} throw of {lots}.",
            "They fall marked side up about {share} times in 100 (most likely between {low} and {high}), "
            "going by {number} throws of {lots}.",
            told.throws,
            share=share,
            low=low,
            high=high,
            lots=LOTS,
        ),
        _(VERDICTS[told.verdict]),
        _(LIKENESS[told.likeness], throws=ENOUGH_TO_COMPARE),
    ]

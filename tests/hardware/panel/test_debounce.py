"""Debouncing: short and long presses, bouncing contacts, and noise."""

from __future__ import annotations

from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

from hardware.panel.debounce import Debouncer, Press

SETTLE_S, HOLD_S = 0.025, 0.8

Edge = tuple[bool, float]


def presses(edges: list[Edge], *, polls: list[float] | None = None, pressed: bool = False) -> list[Press]:
    """Return all presses for these edges, polling at these times and once long after."""
    debounce = Debouncer(settle_s=SETTLE_S, hold_s=HOLD_S, pressed=pressed)
    reported = []
    moments: list[tuple[float, bool | None]] = [(at, level) for level, at in edges]
    moments += [(at, None) for at in polls or []]
    for at, level in [*sorted(moments, key=lambda moment: moment[0]), (1e6, None)]:
        if level is not None:
            debounce.edge(level, at)
        else:
            while press := debounce.poll(at):
                reported.append(press)
    return reported


def test_short_press_is_reported_on_release() -> None:
    """It is reported when the release has settled, once."""
    debounce = Debouncer(settle_s=SETTLE_S, hold_s=HOLD_S)
    debounce.edge(True, 1.0)
    debounce.edge(False, 1.2)

    assert debounce.poll(1.22) is None
    assert debounce.poll(1.23) is Press.SHORT
    assert debounce.poll(9.0) is None


def test_long_press_is_reported_while_held() -> None:
    """It is reported as soon as it has lasted long enough; the release reports nothing."""
    debounce = Debouncer(settle_s=SETTLE_S, hold_s=HOLD_S)
    debounce.edge(True, 1.0)

    assert debounce.poll(1.79) is None
    assert debounce.poll(1.81) is Press.LONG
    assert debounce.poll(2.5) is None

    debounce.edge(False, 3.0)

    assert debounce.poll(4.0) is None


def test_spike_is_not_a_press() -> None:
    """A level shorter than ``settle_s`` is ignored."""
    assert presses([(True, 1.0), (False, 1.02)]) == []


def test_spike_does_not_interrupt_a_hold() -> None:
    """A contact that opens for a moment while held makes one long press."""
    assert presses([(True, 1.0), (False, 1.5), (True, 1.51), (False, 2.5)]) == [Press.LONG]


def test_release_just_before_the_hold_is_short() -> None:
    """It is a short press although the release settles only after ``hold_s``."""
    assert presses([(True, 1.0), (False, 1.79)], polls=[1.805, 1.81]) == [Press.SHORT]


def test_presses_between_polls_are_all_reported() -> None:
    """A busy worker gets every press, in order."""
    edges = [(True, 1.0), (False, 1.1), (True, 2.0), (False, 3.0), (True, 4.0), (False, 4.1)]

    assert presses(edges) == [Press.SHORT, Press.LONG, Press.SHORT]


def test_button_down_at_the_start_reports_nothing() -> None:
    """A stuck button reports nothing until it has been released."""
    assert presses([(False, 5.0)], pressed=True) == []
    assert presses([(False, 5.0), (True, 6.0), (False, 6.1)], pressed=True) == [Press.SHORT]


@st.composite
def bouncing_presses(draw: st.DrawFn) -> tuple[list[Press], list[Edge]]:
    """Draw presses, and the edges that a bouncing contact makes of them."""
    intended: list[Press] = []
    edges: list[Edge] = []
    now = 0.0

    def bounce(level: bool) -> None:
        nonlocal now
        edges.append((level, now))
        for opened, closed in draw(st.lists(st.tuples(st.floats(1e-5, 0.02), st.floats(1e-5, 0.02)), max_size=6)):
            edges.append((not level, now + opened))
            now += opened + closed
            edges.append((level, now))

    for press in draw(st.lists(st.sampled_from(Press), max_size=5)):
        intended.append(press)
        now += draw(st.floats(0.1, 2.0))
        bounce(True)
        # Bouncing lasts 0.24 s at most at each end, so these are clearly short or long.
        now += draw(st.floats(0.05, 0.3) if press is Press.SHORT else st.floats(0.9, 3.0))
        bounce(False)
    return intended, edges


times = st.lists(st.floats(0.0, 30.0), max_size=40)


@given(bouncing_presses(), times)
def test_bouncing_does_not_change_the_presses(drawn: tuple[list[Press], list[Edge]], polls: list[float]) -> None:
    """However the contact bounces and whenever it is polled, the intended presses are reported."""
    intended, edges = drawn

    assert presses(edges, polls=polls) == intended


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, 30.0)), max_size=40), times)
def test_noise_gives_one_press_per_stable_closing(edges: list[Edge], polls: list[float]) -> None:
    """A brute-force search for stable levels gives the same count, and polling more often changes nothing."""
    edges.sort(key=lambda edge: edge[1])
    changes = [next(run) for _, run in groupby([(False, -1e3), *edges], key=lambda edge: edge[0])]
    spans = pairwise([*changes, (None, 1e6)])
    stable = [level for (level, start), (_, end) in spans if end - start >= SETTLE_S]
    closings = [level for level, _ in groupby(stable)].count(True)

    assert len(presses(edges)) == closings
    assert presses(edges, polls=polls) == presses(edges)

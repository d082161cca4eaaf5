from __future__ import annotations

from itertools import groupby, pairwise

from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import Debounce, Press

SETTLE_S, HOLD_S = 0.025, 0.8

Edge = tuple[bool, float]


def presses(edges: list[Edge], *, looks: list[float] | None = None, pressed: bool = False) -> list[Press]:
    """Every press given for these edges, asked at these times between them and once long after."""
    debounce = Debounce(settle_s=SETTLE_S, hold_s=HOLD_S, pressed=pressed)
    given_presses = []
    moments: list[tuple[float, bool | None]] = [(at, level) for level, at in edges]
    moments += [(at, None) for at in looks or []]
    for at, level in [*sorted(moments, key=lambda moment: moment[0]), (1e6, None)]:
        if level is not None:
            debounce.edge(level, at)
        else:
            while press := debounce.step(at):
                given_presses.append(press)
    return given_presses


def test_short_press_is_given_once_its_release_has_settled() -> None:
    """A press below the hold is given when the button is up for good, and not again."""
    debounce = Debounce(settle_s=SETTLE_S, hold_s=HOLD_S)
    debounce.edge(True, 1.0)
    debounce.edge(False, 1.2)

    assert debounce.step(1.22) is None
    assert debounce.step(1.23) is Press.SHORT
    assert debounce.step(9.0) is None


def test_long_press_is_given_while_held_and_its_release_gives_nothing() -> None:
    """A press is long as soon as the hold is reached; letting go is no second press."""
    debounce = Debounce(settle_s=SETTLE_S, hold_s=HOLD_S)
    debounce.edge(True, 1.0)

    assert debounce.step(1.79) is None
    assert debounce.step(1.81) is Press.LONG
    assert debounce.step(2.5) is None

    debounce.edge(False, 3.0)

    assert debounce.step(4.0) is None


def test_touch_shorter_than_the_settling_is_nothing() -> None:
    """A spike on a long wire is no press."""
    assert presses([(True, 1.0), (False, 1.02)]) == []


def test_spike_does_not_interrupt_a_hold() -> None:
    """A contact that opens for a moment while held is still one long press."""
    assert presses([(True, 1.0), (False, 1.5), (True, 1.51), (False, 2.5)]) == [Press.LONG]


def test_release_is_not_overtaken_by_the_hold() -> None:
    """A button let go just before the hold is a short press, though its release settles only after it."""
    assert presses([(True, 1.0), (False, 1.79)], looks=[1.805, 1.81]) == [Press.SHORT]


def test_presses_made_while_nobody_looked_are_all_given() -> None:
    """A worker that was kept busy finds every press of the meantime, in order."""
    edges = [(True, 1.0), (False, 1.1), (True, 2.0), (False, 3.0), (True, 4.0), (False, 4.1)]

    assert presses(edges) == [Press.SHORT, Press.LONG, Press.SHORT]


def test_button_that_was_down_at_the_start_gives_nothing_until_it_came_up() -> None:
    """A stuck or leaned-on button does not play by itself when the companion starts."""
    assert presses([(False, 5.0)], pressed=True) == []
    assert presses([(False, 5.0), (True, 6.0), (False, 6.1)], pressed=True) == [Press.SHORT]


@st.composite
def bouncing_presses(draw: st.DrawFn) -> tuple[list[Press], list[Edge]]:
    """What a person pressed, and the edges a chattering contact made of it."""
    meant: list[Press] = []
    edges: list[Edge] = []
    now = 0.0

    def chatter(level: bool) -> None:
        nonlocal now
        edges.append((level, now))
        for opened, closed in draw(st.lists(st.tuples(st.floats(1e-5, 0.02), st.floats(1e-5, 0.02)), max_size=6)):
            edges.append((not level, now + opened))
            now += opened + closed
            edges.append((level, now))

    for press in draw(st.lists(st.sampled_from(Press), max_size=5)):
        meant.append(press)
        now += draw(st.floats(0.1, 2.0))
        chatter(True)
        # Chatter lasts 0.24 s at most at each end, so these are short and long beyond doubt.
        now += draw(st.floats(0.05, 0.3) if press is Press.SHORT else st.floats(0.9, 3.0))
        chatter(False)
    return meant, edges


times = st.lists(st.floats(0.0, 30.0), max_size=40)


@given(bouncing_presses(), times)
def test_chatter_never_makes_presses_of_its_own(drawn: tuple[list[Press], list[Edge]], looks: list[float]) -> None:
    """However the contact chatters and whenever it is looked at, the presses given are those that were meant."""
    meant, edges = drawn

    assert presses(edges, looks=looks) == meant


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0, 30.0)), max_size=40), times)
def test_any_noise_gives_as_many_presses_as_there_were_stable_closings(edges: list[Edge], looks: list[float]) -> None:
    """The count is that of a plain search for stable stretches, and looking more often changes nothing."""
    edges.sort(key=lambda edge: edge[1])
    changes = [next(run) for _, run in groupby([(False, -1e3), *edges], key=lambda edge: edge[0])]
    spans = pairwise([*changes, (None, 1e6)])
    stable = [level for (level, start), (_, end) in spans if end - start >= SETTLE_S]
    closings = [level for level, _ in groupby(stable)].count(True)

    assert len(presses(edges)) == closings
    assert presses(edges, looks=looks) == presses(edges)

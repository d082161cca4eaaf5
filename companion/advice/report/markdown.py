"""The report as Markdown: summary tables, then each game, then the methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.advice.report.measures import LEVELS, Figures
from companion.advice.solver.playing.compiled_games import LONGEST
from companion.advice.solver.playing.playout import LARGE_GAP, SMALL_GAP, Mean

EXPERT = LEVELS[-1]


def markdown(
    figures: Sequence[Figures], missing: Mapping[str, str], plots: Mapping[str, str], *, command: str, seed: int
) -> str:
    """The whole report.

    missing: why a game is not in the report, by its name. plots: captions by file name; a file whose name begins with a
    variant's id and a dot belongs to that game. command: the command line that made the report.
    """
    shown = {one.rules.id for one in figures}
    parts = ["# The games of the Puluc family, solved", "", f"Made by `{command}`.", ""]
    if figures:
        parts += ["## In short", "", *_short(figures), "", *_levels(figures), "", _errors(figures), ""]
        parts += [line for name, text in plots.items() if name.split(".")[0] not in shown for line in _plot(name, text)]
    if missing:
        parts += ["## Not measured", "", *(f"- **{name}**: {why}" for name, why in missing.items()), ""]
    for one in figures:
        parts += _game(one)
        parts += [
            line for name, text in plots.items() if name.split(".")[0] == one.rules.id for line in _plot(name, text)
        ]
    if figures:
        parts += [*_method(figures, seed)]
    return "\n".join(parts).rstrip() + "\n"


def _short(figures: Sequence[Figures]) -> Iterator[str]:
    yield from _table(
        ["game", "positions", "the beginner wins", "turns a game", "luck of a throw", "turns with a choice",
         "the choice matters", "matters much"],
        [
            [
                f"`{one.rules.id}`",
                f"{one.positions:,}",
                f"{one.start:.3%}",
                f"{one.turns.value:.1f}",
                f"{_points(one.luck)}",
                _share(one.choices),
                _share(one.small),
                _share(one.large),
            ]
            for one in figures
        ],
    )  # fmt: skip


def _levels(figures: Sequence[Figures]) -> Iterator[str]:
    yield "How often a level wins against perfect play, and in brackets what each of its choices loses, in points:"
    yield ""
    yield from _table(
        ["game", *LEVELS[:-1]],
        [
            [f"`{one.rules.id}`", *(f"{one.levels[name].wins.value:.1%} ({_points(one.levels[name].loss)})"
                                    for name in LEVELS[:-1])]
            for one in figures
        ],
    )  # fmt: skip


def _errors(figures: Sequence[Figures]) -> str:
    """The largest standard errors of the summary tables; each game's figures have their own."""
    levels = [level for one in figures for level in one.levels.values()]
    losses = [level.loss.error if level.loss else 0.0 for level in levels]
    shares = [share.error for one in figures for share in (one.choices, one.small, one.large) if share]
    turns, luck = max(one.turns.error for one in figures), max(one.luck.error for one in figures)
    wins = max(level.wins.error for level in levels)
    return (
        f"Positions and the beginner's chance are proven. The rest is measured in games; one standard error is at most "
        f"{turns:.2f} turns, {luck * 100:.3f} points of luck, {max(shares) * 100:.2f} % of the choices, "
        f"{wins * 100:.2f} % of the wins and {max(losses) * 100:.3f} points of what a choice loses."
    )


def _game(one: Figures) -> Iterator[str]:
    yield from (f"## {one.rules.name} (`{one.rules.id}`)", "")
    lots = "" if one.marked.denominator == 2 else f" Lots fall marked side up with chance {one.marked}."
    yield f"{one.rules.source}. {one.positions:,} positions, each proven to within {one.error_bound:.1e}.{lots}"
    yield ""
    if one.starts[0] == one.starts[1]:
        yield f"- Who throws first wins **{one.starts[0]:.4%}** of the games between perfect players."
    else:
        yield f"- Jade wins **{one.starts[0]:.4%}** if it throws first, Obsidian **{one.starts[1]:.2%}** if it does."
    yield (
        f"- In {one.games:,} games played perfectly by both, who threw first won {_percent(one.begun)}; "
        f"drawn: {_percent(one.draws)}."
    )
    yield f"- A game lasts {one.turns.value:.2f} ± {one.turns.error:.2f} turns, both sides' and passes counted."
    yield (
        f"- A throw moves the chance by {_points(one.luck, 3)} ± {_points_error(one.luck)} points, up or down; as a "
        f"root mean square, by {_points(one.swing, 3)} ± {_points_error(one.swing)} points."
    )
    if one.small is None:
        yield "- No turn ever leaves a choice: the throws alone decide."
    else:
        yield (
            f"- {_percent(one.choices)} of the turns leave a choice. Of these, {_percent(one.small)} matter (the best "
            f"answer wins over {SMALL_GAP * 100:.0f} point more than the next best) and {_percent(one.large)} matter "
            f"much (over {LARGE_GAP * 100:.0f} points)."
        )
    if one.unended:
        yield f"- {one.unended} of these games were broken off after {LONGEST:,} turns and count as drawn."
    yield ""
    whose = "" if one.starts[0] == one.starts[1] else " of Jade"
    yield from _table(
        [f"first throw{whose}", *(" and ".join(map(str, values)) for values in one.first_throws)],
        [
            ["how likely", *(f"{chance:.2%}" for chance, _ in one.first_throws.values())],
            ["then wins", *(f"{win:.2%}" for _, win in one.first_throws.values())],
        ],
    )
    yield ""
    yield f"How often the level on the left wins against the one above, in {one.games_each:,} games each:"
    yield ""
    yield from _table(
        ["", *LEVELS, "loses a choice"],
        [[f"**{name}**", *(_against(one, name, other) for other in LEVELS), _loss(one, name)] for name in LEVELS],
    )
    yield ""
    yield from _habits(one)


def _habits(one: Figures) -> Iterator[str]:
    yield "The opponents with a style against perfect play: computed, or by what their choices lose in the games:"
    yield ""
    yield from _table([*one.ladder], [[_percent(wins) for wins in one.ladder.values()]])
    yield ""
    if one.kinds:
        yield (
            "Kinds of move in perfect games: how many choices offer one beside another kind, how often it is best "
            "then, and its lead over the best of another kind, in points:"
        )
        yield ""
        yield from _table(
            ["", "offered", "best", "lead"],
            [
                [name, _percent(kind.offered), _percent(kind.best),
                 f"{_points(kind.gain)} ± {_points_error(kind.gain)}"]
                for name, kind in one.kinds.items()
            ],
        )  # fmt: skip
        yield ""
        for title, means in (
            ("pieces ahead", one.lead),
            ("captives held, the other side none, equal pieces lost", one.captives),
        ):
            yield from _table([title, *map(str, means)], [["wins", *(_percent(mean) for mean in means.values())]])
            yield ""
        yield from (
            f"- What `{level}` loses: " + "; ".join(f"{share:.0%} where the best was to {best} and it was to {made}"
                                                   for (best, made), share in list(found.items())[:4]) + "."
            for level, found in one.mistakes.items()
        )  # fmt: skip
        yield ""


def _against(one: Figures, level: str, other: str) -> str:
    if level == other:
        return "·"
    if (level, other) in one.pairings:
        return _percent(one.pairings[level, other])
    mean = one.pairings[other, level]
    return _percent(Mean(1 - mean.value, mean.error))


def _loss(one: Figures, level: str) -> str:
    loss = one.levels[level].loss
    return "nothing" if level == EXPERT or loss is None else f"{_points(loss, 3)} ± {_points_error(loss)} points"


def _method(figures: Sequence[Figures], seed: int) -> Iterator[str]:
    each, perfect = figures[0].games_each, figures[0].games
    yield from ("## How this was measured", "")
    yield (
        f"- **Proven.** Positions, the beginner's chance and those after each first throw come from the solved tables; "
        f"stored in 16 bits, the chances after a throw are off by at most "
        f"{max(one.stored_bound for one in figures) * 100:.4f} points. A draw counts half."
    )
    yield (
        f"- **Simulated.** All else comes from games played by compiled code over the tables, with seed {seed}: "
        f"{perfect:,} a game of perfect play against itself, and {each:,} of every pairing of levels, each side "
        f"beginning half of them. What stands after ± is one standard error; those of shares of turns take the games, "
        f"not the turns, as what was drawn."
    )
    yield (
        "- **Perfect play** is `expert`: the best answer by the 16-bit table, of equals the first. The levels choose "
        "as they do at the table, ties broken by chance; a test holds the compiled choices against theirs in every "
        "variant."
    )
    yield (
        "- **A choice** is a turn that can end in more than one position; all that win the game at once count as one. "
        "What it loses is the difference between the "
        "chance after the best answer and after the one that was chosen, in points (hundredths) of chance; the levels' "
        "were measured in their own games against perfect play."
    )
    yield (
        "- **The luck of a throw** is the difference between the chance before it and after it, best played, whichever "
        "way it goes, over all turns of perfect games."
    )


def _plot(name: str, text: str) -> tuple[str, str]:
    return f"![{text}]({name})", ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _points(mean: Mean | None, digits: int = 2) -> str:
    return "none" if mean is None else f"{mean.value * 100:.{digits}f}"


def _points_error(mean: Mean) -> str:
    return f"{mean.error * 100:.3f}"


def _share(mean: Mean | None) -> str:
    return "none" if mean is None else f"{mean.value:.1%}"


def _percent(mean: Mean | None) -> str:
    return "none" if mean is None else f"{mean.value * 100:.2f} ± {mean.error * 100:.2f} %"

"""The report's plots, as SVG. Only the report's command imports this, because matplotlib loads slowly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyArrowPatch, Rectangle

from companion.advice.report.measures import EXAMPLES, LEVELS, Figures
from companion.rules.notation import parse
from companion.rules.unit import Side
from companion.rules.variants import variant

PAPER, INK, FAINT, LINE = "#fbf8f1", "#26292e", "#7c7a72", "#ddd6c6"
JADE, CLAY = "#2e7d5b", "#b4522a"
COLOURS = {"random": "#b9b3a4", "easy": "#d9a441", "fair": "#5f93a8", "hard": CLAY, "expert": JADE}
_SIDES = {Side.JADE: JADE, Side.OBSIDIAN: CLAY}
_BOTH = (("puluc", JADE, -0.18), ("bul", CLAY, 0.18))
"""The article's two games, their colours, and how far their bars lie off a row's middle."""
_LOOK: dict[Any, Any] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 11,
    "text.color": INK,
    "axes.labelcolor": INK,
    "axes.edgecolor": LINE,
    "axes.facecolor": PAPER,
    "axes.axisbelow": True,
    "figure.facecolor": PAPER,
    "xtick.color": FAINT,
    "ytick.color": INK,
    "svg.hashsalt": "puluc",
}
_WIDTH, _ROW = 8.6, 0.42
"""Inches: the width of a plot, and the height of a game's row."""


def draw(figures: Sequence[Figures], folder: Path) -> dict[str, str]:
    """Draw all plots into the folder, deterministically. Returns their captions by file name."""
    with mpl.rc_context(_LOOK):
        shown = {
            "levels.svg": "How often each level wins against perfect play, game by game",
            "begin.svg": "How often the beginner wins, before and after the first throw, game by game",
            "luck.svg": "The luck of a throw and the choices that matter, game by game",
            "lengths.svg": "How many turns perfect games last, game by game",
        }
        for name, picture in zip(shown, (_levels, _begin, _luck, _lengths), strict=True):
            _save(picture(figures), folder / name)
        for one in figures:
            name = f"{one.rules.id}.levels.svg"
            shown[name] = f"How often each level wins against each other in {one.rules.name}"
            _save(_pairings(one), folder / name)
    return shown


def draw_article(figures: Mapping[str, Mapping[str, Any]], folder: Path) -> None:
    """Draw the article's plots into the folder. figures: of puluc and bul, as from ``Figures.as_json``."""
    with mpl.rc_context(_LOOK):
        _save(_kinds(figures), folder / "solved-moves.svg")
        _save(_ladder(figures), folder / "solved-ladder.svg")
        _save(_stacks(figures), folder / "solved-stacks.svg")
        for name in EXAMPLES:
            _save(_example(figures, name), folder / f"solved-{name}.svg")


def _kinds(figures: Mapping[str, Mapping[str, Any]]) -> Figure:
    names = list(figures["puluc"]["kinds"])
    figure, axes = _sheet(1.2 * len(names))
    for game, colour, shift in _BOTH:
        leads = [100 * figures[game]["kinds"][name]["gain"][0] for name in names]
        axes.barh([row + shift for row in range(len(names))], leads, 0.34, color=colour, label=game)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(axis="x", color=LINE, linewidth=0.7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.legend(frameon=False, loc="lower right")
    _titled(axes, "What kinds of move are worth", "Lead over the best move of another kind, in points, on average")
    return figure


def _ladder(figures: Mapping[str, Mapping[str, Any]]) -> Figure:
    figure, axes = _sheet(5)
    for game, colour, _ in _BOTH:
        one = figures[game]
        rungs = {"random": one["levels"]["random"]["wins"], **one["ladder"], "perfect": (0.5, 0)}
        axes.plot(list(rungs), [100 * wins for wins, _ in rungs.values()], "o-", color=colour, markersize=8, label=game)
        old = {name: 100 * one["levels"][name]["wins"][0] for name in ("easy", "fair", "hard")}
        axes.plot(["", *old], [np.nan, *old.values()], "o", color=colour, markersize=8, markerfacecolor=PAPER)
    axes.set_ylim(0, 53)
    axes.yaxis.set_major_formatter("{x:.0f}%")
    axes.grid(axis="y", color=LINE, linewidth=0.7)
    axes.tick_params(length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.spines[:].set_visible(False)
    axes.legend(frameon=False, loc="upper left")
    _titled(
        axes, "A ladder of opponents", "Share of games won against a perfect player; on the right, the old opponents"
    )
    return figure


def _stacks(figures: Mapping[str, Mapping[str, Any]]) -> Figure:
    figure = Figure(figsize=(_WIDTH, 3.8))
    left, right = figure.subplots(1, 2, sharey=True)
    for game, colour, _ in _BOTH:
        for axes, found in ((left, figures[game]["captives"]), (right, figures[game]["lead"])):
            wins = {int(pieces): 100 * win for pieces, (win, _) in found.items() if 0 <= int(pieces) <= 4}
            axes.plot(list(wins), list(wins.values()), "o-", color=colour, markersize=8, label=game)
    for axes, below in ((left, "captives on the highway"), (right, "pieces ahead")):
        axes.set_xticks(range(5))
        axes.set_xlabel(below)
        axes.yaxis.set_major_formatter("{x:.0f}%")
        axes.grid(axis="y", color=LINE, linewidth=0.7)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
    left.legend(frameon=False, loc="upper left")
    _titled(left, "What a stack is worth", "How often the side about to throw wins")
    return figure


def _example(figures: Mapping[str, Mapping[str, Any]], name: str) -> Figure:
    """The position of an example in both games, with an arrow for each move."""
    figure = Figure(figsize=(_WIDTH, 5.4))
    for axes, game in zip(figure.subplots(2), ("puluc", "bul"), strict=True):
        position = parse(EXAMPLES[name][0], variant(game))
        axes.set_aspect("equal")
        axes.set_xlim(-1.2, 11.2)
        axes.set_ylim(-2.2, 2.2)
        axes.axis("off")
        axes.text(-1, 1.9, game.capitalize(), fontsize=14, fontweight="bold", va="center")
        for space, units in enumerate(position.spaces, 1):
            axes.add_patch(Rectangle((space - 0.5, -0.5), 1, 1, facecolor=PAPER, edgecolor=LINE))
            axes.text(space - 0.44, -0.44, str(space), fontsize=7, color=FAINT)
            for unit in units:
                for piece, side in enumerate([unit.owner.other] * unit.captives + [unit.owner]):
                    above = 0.24 * (piece - unit.captives / 2)
                    axes.add_patch(Circle((space, above), 0.32, facecolor=_SIDES[side], edgecolor=PAPER))
        for base, side in ((-0.2, Side.JADE), (10.2, Side.OBSIDIAN)):
            for piece in range(position.in_base(side)):
                at = (base + 0.46 * (piece % 2 - 0.5), 0.46 * (piece // 2 - 0.5))
                axes.add_patch(Circle(at, 0.2, color=_SIDES[side]))
        wins = figures[game]["examples"][name]
        for number, (move, win) in enumerate(wins.items()):
            start, to = move.split("-")
            begin, end = 0.0 if start == "base" else float(start), float(to)
            way = 1 if number % 2 == 0 else -1
            colour, width = (INK, 2.2) if win == max(wins.values()) else (FAINT, 1.1)
            axes.add_patch(
                FancyArrowPatch(
                    (begin, 0.62 * way), (end, 0.62 * way), arrowstyle="-|>", mutation_scale=14, color=colour,
                    linewidth=width, connectionstyle=f"arc3,rad={-0.3 * way if end > begin else 0.3 * way}",
                )
            )  # fmt: skip
            axes.text(
                (begin + end) / 2, (1.15 + 0.14 * abs(end - begin)) * way, f"{win:.1%}", ha="center", va="center",
                color=colour, fontweight="bold" if width > 2 else "normal",
            )  # fmt: skip
    return figure


def _save(figure: Figure, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None, "Creator": "puluc report"}, bbox_inches="tight", pad_inches=0.25)


@contextmanager
def _rows(axes: Axes, figures: Sequence[Figures]) -> Iterator[range]:
    """Set up one row for each game, from the top; yields the rows' y coordinates."""
    rows = range(len(figures))
    yield rows
    axes.set_yticks(list(rows), [one.rules.id for one in figures])
    axes.set_ylim(len(figures) - 0.4, -0.6)
    axes.grid(axis="x", color=LINE, linewidth=0.7)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _titled(axes: Axes, title: str, below: str) -> None:
    axes.set_title(title, loc="left", fontsize=14, fontweight="bold", pad=26)
    axes.annotate(below, (0, 1), (0, 9), xycoords="axes fraction", textcoords="offset points", color=FAINT, fontsize=10)


def _sheet(rows: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(_WIDTH, 1.1 + _ROW * rows))
    return figure, figure.subplots()


def _levels(figures: Sequence[Figures]) -> Figure:
    figure, axes = _sheet(len(figures))
    with _rows(axes, figures) as rows:
        for row, one in zip(rows, figures, strict=True):
            wins = [100 * one.levels[name].wins.value for name in LEVELS[:-1]]
            axes.plot([min(wins), 50], [row, row], color=LINE, linewidth=2, zorder=1)
            for name, share in zip(LEVELS, wins, strict=False):
                axes.scatter(share, row, s=75, color=COLOURS[name], edgecolor=PAPER, linewidth=0.8, zorder=3)
    axes.axvline(50, color=JADE, linewidth=2)
    for name in LEVELS[:-1]:
        axes.scatter([], [], s=75, color=COLOURS[name], label=name)
    axes.plot([], [], color=JADE, linewidth=2, label="perfect play")
    axes.legend(ncols=5, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.55 / (0.3 + _ROW * len(figures))))
    axes.set_xlim(0, 53)
    axes.xaxis.set_major_formatter("{x:.0f}%")
    _titled(axes, "How near the levels come to perfect play", "Share of games won against a perfect player")
    return figure


def _begin(figures: Sequence[Figures]) -> Figure:
    figure, axes = _sheet(len(figures))
    with _rows(axes, figures) as rows:
        for row, one in zip(rows, figures, strict=True):
            throws = {values: 100 * win for values, (_, win) in one.first_throws.items()}
            axes.plot([min(throws.values()), max(throws.values())], [row, row], color=LINE, linewidth=5, zorder=1)
            for win in throws.values():
                axes.plot([win, win], [row - 0.16, row + 0.16], color=INK, linewidth=1, zorder=2)
            for best, offset, side in ((min, -5, "right"), (max, 5, "left")):
                values = best(throws, key=throws.__getitem__)
                axes.annotate(
                    " + ".join(map(str, values)), (throws[values], row), (offset, 0), textcoords="offset points",
                    ha=side, va="center", fontsize=9, color=FAINT,
                )  # fmt: skip
            axes.scatter(100 * one.starts[0], row, s=70, color=JADE, edgecolor=PAPER, linewidth=0.8, zorder=3)
    axes.axvline(50, color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.margins(x=0.08)
    axes.xaxis.set_major_formatter("{x:.0f}%")
    _titled(
        axes,
        "What it is worth to begin",
        "Chance of the side that begins: before it throws (dot), and after each throw (strokes)",
    )
    return figure


def _luck(figures: Sequence[Figures]) -> Figure:
    figure = Figure(figsize=(_WIDTH, 1.1 + _ROW * len(figures)))
    left, right = figure.subplots(1, 2, sharey=True, gridspec_kw={"wspace": 0.12, "width_ratios": (4, 5)})
    with _rows(left, figures) as rows:
        luck = [100 * one.luck.value for one in figures]
        left.barh(list(rows), luck, 0.55, color=CLAY)
        for row, points in zip(rows, luck, strict=True):
            left.text(points - 0.1, row, f"{points:.1f}", ha="right", va="center", fontsize=9, color=PAPER)
    left.xaxis.set_major_formatter("{x:.0f}")
    _titled(left, "The luck of a throw", "Points of chance, up or down")
    with _rows(right, figures) as rows:
        for row, one in zip(rows, figures, strict=True):
            choices = 100 * one.choices.value
            small, large = (choices * (part.value if part else 0.0) for part in (one.small, one.large))
            for width, colour in ((choices, LINE), (small, "#8dbba4"), (large, JADE)):
                right.barh(row, width, 0.55, color=colour)
    for colour, text in ((JADE, "over 8 points"), ("#8dbba4", "1 to 8"), (LINE, "under 1")):
        right.barh([0], [0], color=colour, label=text)
    right.legend(ncols=3, frameon=False, loc="upper center", fontsize=10, handlelength=1, columnspacing=1.2,
                 bbox_to_anchor=(0.5, -0.55 / (0.3 + _ROW * len(figures))))  # fmt: skip
    right.set_xlim(0, 100)
    right.xaxis.set_major_formatter("{x:.0f}%")
    _titled(right, "The weight of a choice", "Turns with a choice, by what the second-best loses")
    return figure


def _lengths(figures: Sequence[Figures]) -> Figure:
    figure, axes = _sheet(1.35 * len(figures))
    longest = max(float(np.quantile(one.lengths, 0.99)) for one in figures)
    width = max(1, round(longest / 120))
    edges = np.arange(0, longest + 2 * width, width)
    with _rows(axes, figures) as rows:
        for row, one in zip(rows, figures, strict=True):
            shares = np.histogram(one.lengths, edges)[0] / len(one.lengths)
            heights = row + 0.32 - 0.85 * shares / shares.max()
            axes.fill_between(edges[:-1], heights, row + 0.32, step="post", color=JADE, alpha=0.85, linewidth=0)
            mean = one.turns.value
            axes.plot([mean, mean], [row + 0.32, row - 0.45], color=INK, linewidth=1.2)
            axes.text(1.11 * longest, row + 0.1, f"{mean:.0f}", ha="right", va="center", color=INK)
    axes.set_ylim(len(figures) - 0.5, -0.75)
    axes.set_xlim(0, 1.12 * longest)
    _titled(
        axes, "How long a game lasts", "Turns of games between perfect players; the stroke and the number are the mean"
    )
    return figure


def _pairings(one: Figures) -> Figure:
    figure = Figure(figsize=(5.6, 5.2))
    axes = figure.subplots()
    wins = np.full((len(LEVELS), len(LEVELS)), np.nan)
    for (level, other), mean in one.pairings.items():
        at, against = LEVELS.index(level), LEVELS.index(other)
        wins[at, against], wins[against, at] = 100 * mean.value, 100 * (1 - mean.value)
    colours = LinearSegmentedColormap.from_list("clay to jade", [CLAY, "#f1e9d8", JADE])
    axes.imshow(wins, cmap=colours, vmin=0, vmax=100)
    for at, against in np.ndindex(wins.shape):
        share = wins[at, against]
        label, colour = ("·", FAINT) if np.isnan(share) else (f"{share:.0f}", PAPER if abs(share - 50) > 34 else INK)
        axes.text(against, at, label, ha="center", va="center", fontsize=13, color=colour)
    axes.set_xticks(range(len(LEVELS)), LEVELS)
    axes.set_yticks(range(len(LEVELS)), LEVELS)
    axes.tick_params(length=0, labeltop=True, labelbottom=False, labelcolor=INK)
    axes.set_xticks(np.arange(len(LEVELS) + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(len(LEVELS) + 1) - 0.5, minor=True)
    axes.grid(which="minor", color=PAPER, linewidth=3)
    axes.tick_params(which="minor", length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(one.rules.name, loc="left", fontsize=14, fontweight="bold", pad=44)
    axes.annotate(
        "Games in a hundred that the left wins against the one above", (0, 1), (0, 28),
        xycoords="axes fraction", textcoords="offset points", color=FAINT, fontsize=10,
    )  # fmt: skip
    return figure

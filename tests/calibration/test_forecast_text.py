"""The forecast and the remedy are said in one or two short sentences."""

from __future__ import annotations

import pytest

from companion.calibration.forecast import Forecast, Remedy, Trial, TrialResult
from companion.calibration.prompts import alike_text, forecast_text, sentence
from companion.calibration.session import CalibrationState, Stage

RIGHT, ASKED, WRONG = TrialResult


def forecast(apart: list[TrialResult], touching: list[TrialResult], *, of_sticks: bool = True) -> Forecast:
    trials = [Trial(one, touching=False) for one in apart] + [Trial(one, touching=True) for one in touching]
    return Forecast(tuple(trials), of_sticks)


@pytest.mark.parametrize(
    ("apart", "touching", "said"),
    [
        ([RIGHT] * 10, [RIGHT] * 10, "I made 20 throws from your pictures and read 20. I expect to ask seldom."),
        (
            [RIGHT] * 10,
            [RIGHT] * 9 + [ASKED],
            "I made 20 throws from your pictures and read 19. I expect to ask now and then. "
            "If they touch, lay them apart.",
        ),
        (
            [RIGHT] * 4 + [ASKED],
            [RIGHT] * 4 + [ASKED],
            "I made 10 throws from your pictures and read 8. I expect to ask now and then.",
        ),
        (
            [ASKED] * 5,
            [ASKED] * 4 + [RIGHT],
            "I made 10 throws from your pictures and read 1. I expect to ask about most throws. "
            "Bolder marks or more light would help.",
        ),
        (
            [RIGHT] * 10,
            [ASKED] * 9 + [WRONG],
            "I made 20 throws from your pictures and read 1 wrong, so check my counts. "
            "Bolder marks or more light would help.",
        ),
        ([], [], ""),
    ],
)
def test_the_forecast_says_how_trials_were_read_and_what_helps(
    apart: list[TrialResult], touching: list[TrialResult], said: str
) -> None:
    """A throw that was read wrongly is never kept quiet."""
    assert forecast_text(forecast(apart, touching)) == said


def test_small_lots_have_no_forecast() -> None:
    """Only how the trials were read, unless most were asked about."""
    few = forecast([RIGHT] * 14, [RIGHT] * 4 + [ASKED] * 2, of_sticks=False)

    assert forecast_text(few) == "I made 20 throws from your pictures and read 18. If they touch, lay them apart."
    assert "about most throws" in forecast_text(forecast([ASKED] * 20, [], of_sticks=False))


def test_the_forecast_follows_once_the_sticks_are_known() -> None:
    """Until it is there, the page says that it is being made; where nothing could be tried, it says nothing."""
    waiting = CalibrationState(stage=Stage.DONE)
    known = CalibrationState(stage=Stage.DONE, forecast=forecast([RIGHT] * 4, []))

    assert sentence(waiting).endswith("I'm trying out throws to see how sure I'll be…")
    assert sentence(known).endswith("I expect to ask seldom.")
    assert sentence(CalibrationState(stage=Stage.DONE, forecast=Forecast(()))) == "From now on, I'll read your throws."


def test_each_remedy_is_another_sentence() -> None:
    """It follows the question whether all four were turned over."""
    said = {alike_text(remedy) for remedy in Remedy}

    assert len(said) == len(Remedy)
    assert all("Did you turn over all four?" in one for one in said)

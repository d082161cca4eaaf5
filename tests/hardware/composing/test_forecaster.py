"""The forecaster tries throws step by step, for the newest reader of the present calibration."""

from __future__ import annotations

from companion.calibration.forecast import Trial, TrialResult
from companion.calibration.mailbox import Mailbox
from companion.calibration.session import Busy, CalibrationState, CancelCalibration, StartCalibration
from companion.referee.events import Face
from hardware.composing.forecaster import Forecaster
from tests.hardware.reader.drawing import taught_reader

TRIALS = (Trial(TrialResult.RIGHT, touching=False), Trial(TrialResult.ASKED, touching=True))
PICTURES = {Face.MARKED: b"marked", Face.PLAIN: b"plain"}


class ForecastBench:
    """A forecaster and its mailbox, with a calibration in progress."""

    def __init__(self) -> None:
        self.mailbox = Mailbox(clock=lambda: 0.0)
        self.mailbox.submit(StartCalibration())
        self.forecaster = Forecaster(self.mailbox, rehearse=lambda _: (PICTURES, iter(TRIALS), True))

    @property
    def session(self) -> int:
        return self.mailbox.pending()[0]

    def begin(self) -> None:
        self.forecaster.begin(self.session, taught_reader())

    def finish(self) -> CalibrationState:
        for _ in range(2 * len(TRIALS)):
            self.forecaster.step()
            if self.mailbox.state().forecast is not None:
                break
        return self.mailbox.state()


def test_a_forecast_is_made_one_throw_a_step() -> None:
    """It stays unknown meanwhile; pictures of both sides are there once the calibration is done."""
    bench = ForecastBench()
    bench.begin()
    bench.forecaster.step()
    bench.forecaster.step()
    early = bench.mailbox.state().forecast
    done = bench.finish()

    assert early is None
    assert done.forecast is not None
    assert (done.forecast.trials, done.forecast.of_sticks) == (TRIALS, True)
    bench.mailbox.update(done.step, busy=Busy.SAVING)
    bench.mailbox.saved()
    after = bench.mailbox.state()
    assert (after.faces, after.forecast) == (True, done.forecast)
    assert [bench.mailbox.picture(face) for face in PICTURES] == [b"marked", b"plain"]


def test_teaching_again_gives_an_earlier_forecast_up() -> None:
    """Only the newest reader's forecast is published, and none of a calibration that is over."""
    bench = ForecastBench()
    bench.begin()
    bench.forecaster.step()
    bench.begin()
    bench.forecaster.step()
    bench.mailbox.submit(CancelCalibration())
    stopped = bench.finish()

    assert stopped.forecast is None
    assert bench.mailbox.picture(Face.MARKED) is None

"""The mailbox between the phones that calibrate and the camera's thread."""

from __future__ import annotations

import pytest

from companion.calibration.mailbox import Mailbox
from companion.calibration.prompts import button, other, sentence, title
from companion.calibration.session import Busy, CalibrationRequest, ConfirmStep, JudgeTestThrow, Stage, StartCalibration


@pytest.mark.parametrize("again", [StartCalibration("Beans"), ConfirmStep()])
def test_what_could_not_be_saved_is_saved_by_the_main_button(again: CalibrationRequest) -> None:
    """The page says so, and nothing that starts again throws away what was taught."""
    mailbox = Mailbox(clock=lambda: 0.0)
    mailbox.submit(StartCalibration("Beans"))
    for _throw in range(3):
        mailbox.update(mailbox.state().step, stage=Stage.SHOWN, busy=None, marked=2)
        mailbox.submit(JudgeTestThrow(True))
    mailbox.save_failed("The disk is full.")
    unsaved = mailbox.state()
    retried = mailbox.submit(again, seen=unsaved.step)

    assert (title(unsaved), button(unsaved), other(unsaved)) == ("I couldn't save it", "Try again", "")
    assert sentence(unsaved) == "The disk is full. I still know what you showed me. Once it can be saved, try again."
    assert (retried.busy, retried.sticks, retried.verdicts) == (Busy.SAVING, "Beans", (True,) * 3)
    assert sentence(retried) == "I'm saving what I learned…"


def test_misread_throws_that_could_not_be_saved_are_a_choice_as_before() -> None:
    """The page says what is wrong; the main button starts again, and the other one saves once more."""
    mailbox = Mailbox(clock=lambda: 0.0)
    mailbox.submit(StartCalibration())
    for right in (True, False, True):
        mailbox.update(mailbox.state().step, stage=Stage.SHOWN, busy=None, marked=2)
        mailbox.submit(JudgeTestThrow(right))
    mailbox.submit(ConfirmStep())
    mailbox.save_failed("The disk is full.")
    doubted = mailbox.state()

    assert (title(doubted), sentence(doubted)) == ("Only 2 of 3 right", "The disk is full.")
    assert (button(doubted), other(doubted)) == ("Start again", "Use it anyway")
    assert mailbox.submit(StartCalibration()).stage is Stage.EMPTY

"""Buttons, lamp and buzzer on the GPIO pins, their configuration, and the wiring diagram."""

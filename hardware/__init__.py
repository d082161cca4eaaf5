"""Cameras that watch the tray, the reader of throws, and the buttons and lamp on the pins."""

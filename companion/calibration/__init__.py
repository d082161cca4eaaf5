"""Calibrating the camera from a phone: the steps, the mailbox between phones and camera, and the prompts."""

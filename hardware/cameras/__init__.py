"""Cameras: one protocol, and an adapter for each kind."""

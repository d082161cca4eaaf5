"""Trains the judge of places, and makes its training samples."""

"""Exact solutions: every position is numbered, its win chance computed, and the error proven."""

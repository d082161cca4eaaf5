"""Judges lots of any make by the taught ones, where the other readers ask."""

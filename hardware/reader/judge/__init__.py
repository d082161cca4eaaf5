"""Reads lots of any make by the taught ones."""

"""Checks of everything a table needs: what is wrong, in plain words, and what helps."""

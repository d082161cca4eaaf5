"""Composes pictures of throws from lots that are cut out of other pictures."""

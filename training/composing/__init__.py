"""Composes pictures of throws from cut-outs of rendered lots."""

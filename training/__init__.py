"""Reproduces the reader's model, from seeds to the shipped files. Not part of the product."""

"""Labelled readings from the players' own tray, kept to train the reader and to test it."""

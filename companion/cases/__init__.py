"""Readings of the players' own tray whose truth is known, kept to learn from and to read again."""

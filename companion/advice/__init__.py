"""Which move to play: the companion's own players and its suggestions."""

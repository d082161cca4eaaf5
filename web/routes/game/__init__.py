"""Routes of the game: the table's page and API, saved games, the guided game, reviews and the sticks' statistics."""

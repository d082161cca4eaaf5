"""Read the board: from a settled picture to the move that was played, or the reason why it is uncertain."""

"""Read the board: a settled picture in, the move that was played or the reason it is not certain out."""

"""The real board: what the camera sees on it, and what that means for the game."""

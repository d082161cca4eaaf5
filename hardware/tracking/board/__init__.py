"""The board in the camera's picture: watched during a game, and taught before."""

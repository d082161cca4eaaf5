"""The exact solution of a game: every position numbered, its chance computed, the error proven."""

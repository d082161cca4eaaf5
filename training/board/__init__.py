"""Train and evaluate the board's reader on rendered games."""

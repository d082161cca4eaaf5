"""The trained detector of lots, and what it looks at: the picture beside the empty tray."""

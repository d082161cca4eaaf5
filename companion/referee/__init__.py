"""The referee: events, the game's state, and the snapshots that are published."""

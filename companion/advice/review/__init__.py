"""Review of a game: how much each move lost, how lucky each throw was, and why another move was better."""

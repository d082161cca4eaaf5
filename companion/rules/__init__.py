"""The rules: variants as data, positions, moves, and their notation. Knows neither tables nor pictures."""

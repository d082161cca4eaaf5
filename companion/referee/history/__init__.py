"""Games that were played: saved games, their text records, summaries, reviews and throw counts."""

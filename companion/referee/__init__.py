"""The referee: what can happen, what is so after it, and the store that forgets nothing."""

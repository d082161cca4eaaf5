"""Looks at everything a table needs, and says in plain words what is wrong with it and what helps."""

"""All of a table in one file, and back."""

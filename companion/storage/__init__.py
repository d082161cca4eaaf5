"""Durable storage: the SQLite store of events, database copies, restoring a backup, atomic files."""

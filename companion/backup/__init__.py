"""Backups: a whole table in one file, brought back all or nothing; ways out of a damaged store."""

"""Snapshots: the table's state as pages, lamps and other programs receive it."""

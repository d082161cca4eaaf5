"""Access control: the table's code, the host's rights, rate limits, and host headers."""

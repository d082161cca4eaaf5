"""Limits on what each address may use: connections, requests and event streams."""

"""Drawings made on the server as inline SVG."""

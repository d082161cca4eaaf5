"""The web page that everyone at the table opens on a phone."""

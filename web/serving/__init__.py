"""The HTTP server: connections, event streams, compression, and the page shown while starting."""

"""Running as a service: workers, start-up, shutdown, systemd, and solving in the background."""

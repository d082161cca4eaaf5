"""Routes for whoever runs the table: joining, settings, the table's checks and backups."""

"""All tables of a club, connected by an MQTT broker."""

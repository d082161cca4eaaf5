"""Many tables of a club, joined by an MQTT broker that the club has anyway."""

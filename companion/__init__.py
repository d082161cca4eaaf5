"""The games of the Puluc family: their rules, their referee, and the command that brings a table to life."""

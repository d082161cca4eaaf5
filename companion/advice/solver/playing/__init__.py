"""Whole games between levels in compiled code: samples for the report, and matches."""

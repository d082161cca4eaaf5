"""The report on solved games: measures, plots and text."""

"""The commands of ``puluc``, one file for each thing one does with it."""

"""What can be had back: daily copies, and the events that still read in a damaged database."""

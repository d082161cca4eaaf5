"""The general reader, which uses a trained network to read lots of any make."""

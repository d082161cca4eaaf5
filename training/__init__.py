"""Makes the reader's model again, from seeds to the shipped files. Not part of the product."""

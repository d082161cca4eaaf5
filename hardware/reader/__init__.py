"""The throw reader: from a picture of a settled throw to a count, or the reason why there is none."""

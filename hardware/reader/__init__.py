"""The throw reader: a picture of a settled throw in, a count or the reason there is none out."""

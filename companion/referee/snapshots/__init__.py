"""Everything a page, a lamp or another program may be shown of the table."""

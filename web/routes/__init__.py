"""The routes of the page and its API, one file for each subject."""

"""The games of the Puluc family: their rules, their referee, and the command that brings a table to life."""

import os

# NumPy's threads wait for one another in a busy loop: for the reader's small systems of equations that takes every core
# and saves no time. It has to be said before NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

"""The reader that the training is for. It goes to ``hardware/reader`` once it is nowhere worse than the shipped one."""

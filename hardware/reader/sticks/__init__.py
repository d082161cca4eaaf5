"""Reading casting sticks, which may touch and cross."""

"""A phone as the table's camera: which phone it is, and the pictures that pass between its page and the camera."""

"""Printed markers, and the registration of pictures by them."""

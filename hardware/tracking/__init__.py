"""Watching the tray over time: motion, hands, consensus of frames, and the camera's worker."""

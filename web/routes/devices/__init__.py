"""Routes of what is plugged in: the camera, its calibration, and the buttons and lamp of the panel."""

"""Measurements. `python -m bench` prints lines `name value unit`. No time is asserted here."""

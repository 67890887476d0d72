"""Measurements: `python -m bench` prints lines `name value unit`. Nothing here asserts a time."""

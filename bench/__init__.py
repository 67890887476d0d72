"""Measurements.

`python -m bench` prints lines `name value unit`. Nothing fails because it is slow.
"""

"""Measurements.

`python -m bench` prints lines `name value unit`. It only measures: nothing fails because it is
slow.
"""

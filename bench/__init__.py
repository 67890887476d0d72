"""Measurements.

`python -m bench` prints lines `name value unit`. No figure makes the bench fail, however slow.
"""

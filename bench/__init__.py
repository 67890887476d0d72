"""Measurements.

`python -m bench` prints lines `name value unit`. The bench does not fail, however slow the site is.
"""

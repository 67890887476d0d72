"""Measurements.

`python -m bench` prints lines `name value unit`. A slow site never makes
the bench fail.
"""

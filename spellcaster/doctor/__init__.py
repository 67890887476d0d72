"""Checks of the running site for `manage.py doctor`, which `CHECKS` lists."""

"""Rows that are sent later, and the tasks that are nudged to send them."""

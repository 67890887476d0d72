"""Notifications on devices by Web Push."""

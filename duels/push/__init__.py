"""Notifications on devices by Web Push: which devices there are, and what they are sent."""

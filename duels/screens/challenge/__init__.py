"""Challenges and invitations."""

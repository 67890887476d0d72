"""The public page of a wizard."""

"""The two-minute introduction, with scenes that invitations show too."""

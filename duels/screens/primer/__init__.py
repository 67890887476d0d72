"""The two-minute introduction. Invitations show one of its scenes, too."""

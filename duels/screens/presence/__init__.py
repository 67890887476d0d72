"""The state of duels, which open pages poll to show changes."""

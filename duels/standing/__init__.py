"""How things stand, in words: what is in force on every being, and what every hand has begun.

All of it comes from an observer's `engine.view`; pages print it, and so do mails.
"""

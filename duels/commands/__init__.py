"""Commands: everything that a person or a worker can do.

Each command is one transaction, checks permissions, and raises `Refused` if it did nothing. Callers
are pages, tasks, the admin and the shell.
"""

"""Commands for emails.

Notices are stored in the transaction of the change they report, and delivered after its commit.
"""

"""Commands for emails.

Notices are stored in the transaction of the change that they report, and delivered after the
commit.
"""

"""Orders by reply: a mail that comes in, what its writer has written, and what is sealed of it."""

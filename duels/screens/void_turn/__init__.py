"""A turn that a referee made void."""

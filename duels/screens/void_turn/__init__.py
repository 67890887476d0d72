"""The page of a turn that a referee made void."""

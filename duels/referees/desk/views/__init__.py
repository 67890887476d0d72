"""Views of the desk: parse, call one command or query, render."""

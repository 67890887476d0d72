"""The list of a wizard's latest news, behind the bell in the header."""

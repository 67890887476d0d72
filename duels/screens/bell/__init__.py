"""The list of a wizard's latest news, which the bell in the header opens."""

"""Context for templates, made from the results of `queries`, without requests or writes."""

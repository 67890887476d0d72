"""An app for orders by email, which extracts the sender's own text from replies and reads the
orders in it."""

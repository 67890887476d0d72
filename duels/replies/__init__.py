"""An app for orders by email, which reads the orders in the sender's own text."""

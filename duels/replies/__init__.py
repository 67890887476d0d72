"""An app for orders by email, which finds the sender's text in replies and the orders in it."""

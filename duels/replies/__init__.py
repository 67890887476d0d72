"""Orders by reply: incoming emails, the text that their senders wrote, and the orders in it."""

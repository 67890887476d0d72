"""The page of a player's webhooks."""

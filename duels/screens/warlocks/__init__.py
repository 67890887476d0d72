"""The page for players who know Warlocks."""

"""Pages of disputes and reports, for the players involved."""

"""Public rulings, and how disputes are settled."""

"""Time to play: budgets, clocks, vacations and time zones."""

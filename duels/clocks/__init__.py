"""Calculations with times: time budgets, clocks of duels, vacations and time zones."""

"""Calculations with time: budgets, clocks, vacations and time zones."""

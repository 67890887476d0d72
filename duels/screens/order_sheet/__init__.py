"""The order sheet, with its choices, its hints, and orders as text."""

"""The order sheet: what it offers, its hints, and orders as text."""

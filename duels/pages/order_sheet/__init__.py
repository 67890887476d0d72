"""The order sheet: its data structures, their construction, and orders as text."""

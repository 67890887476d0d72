"""Views for the addresses in `duels.urls`. Views parse the request, call one command or query, and
render."""

"""The referees' desk: the queue of cases, each case with its evidence, and the forms of their acts.

It reads the rows of duels and asks the room of cases (`duels.referee`) at its door; nothing in
`duels` knows of it but the addresses.
"""

"""Queries for data that a given person may see. They return querysets or frozen rows, and never
write.

In an open turn, they reveal only the commitment to an opponent's orders, and the time of sealing.
`engine.play.view` decides what else an observer may see.
"""

"""Queries for data that a person may see. They return querysets or frozen rows, and never write.

About an opponent's orders in an open turn, they reveal only when they were sealed, and the
commitment. `engine.play.view` decides what else an observer may see.
"""

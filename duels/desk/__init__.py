"""The referees' desk: the queue of cases, each case with its evidence, and the forms of acts.

It reads duels from the database and uses only the public interface of `duels.referee`. Nothing in
`duels` refers to it except the URLs.
"""

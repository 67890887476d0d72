"""Duels over HTTP while the site's processes die, to show that nothing is lost.

`python -m tests.faults` starts PostgreSQL, Redis, gunicorn, workers, beat and a mail server, and
restarts each of them when it ends, like a service manager. A crowd plays duels while `injections`
breaks one part after another. At the end, `audit` compares the database with what the crowd saw.
"""

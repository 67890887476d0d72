"""Duels over HTTP while the site's processes are killed, to test that nothing is lost.

`python -m tests.faults` starts PostgreSQL, Redis, gunicorn, workers, beat and a mail server, and
restarts every process that ends, like a service manager. A crowd plays duels while `injections`
breaks one part after another. At the end, `audit` compares the database with the responses that the
crowd received.
"""

"""Sessions as rows of the database, but none is looked for under a key that no row can hold."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """A cookie can say anything, also a NUL, at which PostgreSQL would refuse the whole query."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and str(key).isascii() and str(key).isalnum() and len(str(key)) >= 8

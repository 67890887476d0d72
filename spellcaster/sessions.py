"""Sessions stored in the database, without queries for malformed keys."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Session store that rejects malformed keys.

    A cookie can contain anything, even a NUL character, and PostgreSQL would then reject the query.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and str(key).isascii() and str(key).isalnum() and len(str(key)) >= 8

"""Sessions stored in the database, which never looks up a key that no row can have."""

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Session store that rejects malformed keys.

    A cookie can contain anything, even a NUL, for which PostgreSQL would reject the whole query.
    """

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key) and str(key).isascii() and str(key).isalnum() and len(str(key)) >= 8

"""A faster `Client.force_login`, which needs two database statements instead of fifteen.

Django stores an empty session, copies it to another key, and then adds the user.
"""

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import update_last_login
from django.contrib.sessions.backends.base import VALID_KEY_CHARS
from django.test import Client
from django.utils.crypto import get_random_string

from duels.models import User
from spellcaster.sessions import SessionStore

djangos_force_login = Client.force_login


def force_login(client: Client, user: User, backend: str | None = None) -> None:
    """Sign in a user. Use Django's function if the client already has a session."""
    if settings.SESSION_COOKIE_NAME in client.cookies or backend is not None:
        djangos_force_login(client, user, backend)
        return
    backend = settings.AUTHENTICATION_BACKENDS[0]
    session = SessionStore(get_random_string(32, VALID_KEY_CHARS))
    data = {
        SESSION_KEY: str(user.pk),
        BACKEND_SESSION_KEY: backend,
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    vars(session)["_session_cache"] = data  # otherwise the store would look for the key
    row = session.create_model_instance(data)
    type(row).objects.bulk_create([row])  # unlike save(), without a savepoint
    update_last_login(User, user)
    setattr(user, "backend", backend)  # noqa: B010
    client.cookies[settings.SESSION_COOKIE_NAME] = row.session_key

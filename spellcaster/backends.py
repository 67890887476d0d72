"""How a session finds its user."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend

from duels.models import User


class UserWithWizard(AuthenticationBackend):  # type: ignore[misc]  # allauth ships no types
    """Signs in like allauth's. Every page names the user's wizard, so both come at once."""

    def get_user(self, user_id: Any) -> User | None:
        user = User.objects.select_related("wizard").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None

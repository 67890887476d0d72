"""How a session finds its user, and by which addresses somebody signs in."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress

from duels.models import User


class UserWithWizard(AuthenticationBackend):  # type: ignore[misc]  # allauth ships no types
    """Signs in like allauth's. Every page names the user's wizard, so both come at once.

    An address that nobody has confirmed signs in nobody, and is answered as a wrong password is:
    else whoever signs up with an address, and signs in then, learns whether it was known before.
    """

    def get_user(self, user_id: Any) -> User | None:
        user = User.objects.select_related("wizard").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None

    def _authenticate_by_email(self, email: str, password: str) -> User | None:
        user: User | None = super()._authenticate_by_email(email, password)
        unconfirmed = EmailAddress.objects.filter(email__iexact=email, verified=False)
        return None if user and unconfirmed.filter(user=user).exists() else user

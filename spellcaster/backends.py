"""The authentication backend: sign-in by confirmed email address."""

from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.models import EmailAddress

from duels.email_addresses import address_condition
from duels.models import User


class UserWithWizard(AuthenticationBackend):  # type: ignore[misc]  # allauth ships no types
    """Backend that loads a user's wizard along with the user, because every page names it.

    Nobody can sign in with an unconfirmed address: the response is the same as for a wrong
    password. Otherwise, anyone could find out whether an address has an account by signing up with
    it and then signing in.
    """

    def get_user(self, user_id: Any) -> User | None:
        user = User.objects.select_related("wizard").filter(pk=user_id).first()
        return user if user and self.user_can_authenticate(user) else None

    def _authenticate_by_email(self, email: str, password: str) -> User | None:
        user: User | None = super()._authenticate_by_email(email, password)
        unconfirmed = EmailAddress.objects.filter(address_condition("email", email), verified=False)
        return None if user and unconfirmed.filter(user=user).exists() else user

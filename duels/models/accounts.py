"""Users, who can sign in."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, BaseUserManager
from django.db import models
from django.db.models.functions import Lower

from duels.email_addresses import address_condition, canonical_address


class UserManager(BaseUserManager["User"]):
    """A manager for users who are identified only by their email address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=canonical_address(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(address_condition("email", username or ""))


class User(AbstractUser):
    """A user who can sign in. The email address is the login and is not shown to anyone."""

    username = None  # type: ignore[assignment]  # Django's way to remove a field
    first_name = None  # type: ignore[assignment]  # the same
    last_name = None  # type: ignore[assignment]  # the same
    email = models.EmailField("email address")

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()  # type: ignore[assignment]  # by email

    class Meta:
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="user_email_unique",
                violation_error_message="A user with this e-mail address exists already.",
            ),
        ]

    def __str__(self) -> str:
        return f"user {self.pk}"

"""What the accounts of django-allauth need to know of ours."""

from duels.models import User


def wizards_name(user: User) -> str:
    """How pages and mails of the accounts call somebody: never by e-mail address."""
    wizard = getattr(user, "wizard", None)
    return wizard.name if wizard else "a wizard without a name"

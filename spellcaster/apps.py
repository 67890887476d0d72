"""The app for Django's admin, which is restricted to staff with a second factor."""

from django.contrib.admin.apps import AdminConfig


class OperatorsAdminConfig(AdminConfig):
    default_site = "spellcaster.operators.OperatorsAdminSite"

    def ready(self) -> None:
        super().ready()
        from spellcaster import mailbox  # noqa: F401  # registers its receivers in all processes

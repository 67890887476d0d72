"""The admin site: Django's own, restricted to staff with a second factor."""

from django.contrib.admin.apps import AdminConfig


class OperatorsAdmin(AdminConfig):
    default_site = "spellcaster.operators.OperatorsSite"

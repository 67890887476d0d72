"""Which admin site there is: Django's own, closed to whoever has no second factor."""

from django.contrib.admin.apps import AdminConfig


class OperatorsAdmin(AdminConfig):
    default_site = "spellcaster.operators.OperatorsSite"

"""Wizards of whom nobody knows yet whose they are: wishes, until the address is verified."""

from typing import Any

from django.db import migrations
from django.db.models import Exists, OuterRef


def make_wishes(apps: Any, schema_editor: Any) -> None:
    wizards = apps.get_model("duels", "Wizard").objects
    verified = apps.get_model("account", "EmailAddress").objects.filter(
        user=OuterRef("user"), verified=True
    )
    seats = apps.get_model("duels", "Seat").objects.filter(wizard=OuterRef("pk"))
    never_here = wizards.filter(
        ~Exists(verified), ~Exists(seats), user__isnull=False, user__last_login__isnull=True
    )
    wish = apps.get_model("duels", "WizardWish")
    for wizard in never_here:
        wish.objects.create(user_id=wizard.user_id, name=wizard.name, pronouns=wizard.pronouns)
        wizard.delete()


class Migration(migrations.Migration):
    dependencies = [
        ("duels", "0026_wizard_wish"),
        ("account", "0009_emailaddress_unique_primary_email"),
    ]

    # Going back, who verifies an address is asked for a name when they sign in.
    operations = [migrations.RunPython(make_wishes, migrations.RunPython.noop)]

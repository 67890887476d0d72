"""Acts that affect a wizard in all duels: rename, suspend and reinstate."""

from datetime import datetime
from typing import Final

from duels.accounts import names
from duels.commands.guests import available_guest_name
from duels.commands.profiles import available_name, set_name
from duels.commands.renaming import rename_in_duels
from duels.errors import Refused
from duels.models import Seat
from duels.post.public import update_paths
from duels.referees.acts.act_types import ActContext
from duels.wording.moments import moment_words

NOT_SUSPENDED_TEXT: Final = "plays"


def rename_wizard(context: ActContext) -> None:
    """Rename the wizard everywhere, remove their line, and make the old name available."""
    wizard, old, about = context.the_wizard, context.the_wizard.name, context.the_wizard.about
    if about:
        wizard.about = ""
        wizard.save(update_fields=["about"])
        context.record_change("The line about themselves", about, "")
    if names.normalised_name(context.values["name"]) == old:
        if about:
            context.facts |= {"from": old, "to": old}
            return
        raise Refused("same_name", "The wizard already has this name.", field="name")
    called = context.values["name"]
    available = available_guest_name if wizard.is_guest else available_name
    wizard.save(update_fields=set_name(wizard, available(called)))
    rename_in_duels(Seat.objects.filter(wizard=wizard))
    update_paths(renamed=wizard)
    context.record_change("The name", old, wizard.name)
    context.facts |= {"from": old, "to": wizard.name}


def suspend_wizard(context: ActContext) -> None:
    """Suspend the wizard from all duels until a date, or permanently. Their clocks keep running."""
    wizard, until = context.the_wizard, context.values["until"]
    if wizard.is_suspended_at(context.now) and wizard.suspended_until == until:
        raise Refused(
            "suspended_already", f"{wizard} is already suspended for this time.", field="until"
        )
    context.record_change(
        str(wizard), _suspension_words(context), f"suspended {_duration_words(until)}"
    )
    wizard.suspended_at, wizard.suspended_until = context.now, until
    wizard.suspended_for = context.reason or "(the reason)"
    wizard.save(update_fields=["suspended_at", "suspended_until", "suspended_for"])
    context.facts["until"] = until.isoformat() if until else None


def reinstate_wizard(context: ActContext) -> None:
    """End the wizard's suspension."""
    wizard = context.the_wizard
    if not wizard.is_suspended_at(context.now):
        raise Refused("not_suspended", f"{wizard} is not suspended.")
    context.record_change(str(wizard), _suspension_words(context), NOT_SUSPENDED_TEXT)
    wizard.suspended_at, wizard.suspended_until, wizard.suspended_for = None, None, ""
    wizard.save(update_fields=["suspended_at", "suspended_until", "suspended_for"])


def _suspension_words(context: ActContext) -> str:
    wizard = context.the_wizard
    if not wizard.is_suspended_at(context.now):
        return NOT_SUSPENDED_TEXT
    return f"suspended {_duration_words(wizard.suspended_until)}"


def _duration_words(until: datetime | None) -> str:
    return f"until {moment_words(until, 'year')}" if until else "permanently"

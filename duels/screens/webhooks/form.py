"""The form for a new webhook."""

from django import forms

from duels.models import Duel, Wizard
from duels.queries.listing import duel_rows
from duels.queries.lists import running_seats
from duels.webhooks.public import Service
from engine.words import and_list


class WebhookForm(forms.Form):
    """A form for the chat to post to, and for the duels to post about."""

    service = forms.ChoiceField(label="Service", choices=Service.choices)
    address = forms.CharField(
        label="Address",
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
    )
    room = forms.CharField(
        label="Room (only for Matrix)",
        required=False,
        help_text="The room’s internal ID, such as !abc:example.org.",
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    token = forms.CharField(
        label="Access token (for Matrix, and for protected topics of ntfy)",
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    duel = forms.TypedChoiceField(
        label="Post about", required=False, coerce=int, empty_value=None, choices=()
    )

    def __init__(self, *args: object, wizard: Wizard, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        field = self.fields["duel"]
        assert isinstance(field, forms.ChoiceField)
        found = running_seats(wizard).filter(duel__lesson="").values_list("duel", flat=True)
        rows = duel_rows(set(found), wizard)
        named = [
            (pk, f"duel {pk}, against {and_list(each.name for each in rows[pk].others)}")
            for pk in sorted(rows, reverse=True)
        ]
        field.choices = [("", "all my duels"), *named]

    def chosen_duel(self) -> Duel | None:
        """Return the chosen duel, or None for all duels."""
        pk = self.cleaned_data["duel"]
        return None if pk is None else Duel.objects.get(pk=pk)

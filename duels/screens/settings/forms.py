"""Forms of a wizard’s profile and vacations."""

from collections.abc import Mapping
from datetime import date, datetime
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError

from duels.clocks.vacation import start_of_day
from duels.forms import WizardForm
from duels.models import Wizard
from duels.models.wizards import MAX_ABOUT_LENGTH


class ProfileForm(forms.Form):
    """The fields of a wizard's profile that the wizard can change."""

    pronouns = WizardForm.base_fields["pronouns"]
    about = forms.CharField(
        label="A line about you",
        required=False,
        max_length=MAX_ABOUT_LENGTH,
        help_text="Everyone can read it on your page.",
    )
    shows_last_seen = forms.BooleanField(
        label="Show others the day of my last visit", required=False
    )

    def __init__(self, typed: Mapping[str, str] | None, wizard: Wizard) -> None:
        super().__init__(typed, initial={name: getattr(wizard, name) for name in self.base_fields})


class VacationForm(forms.Form):
    """The end of a vacation, when a day begins in the wizard's time zone."""

    until = forms.DateField(
        label="Back on", widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"})
    )

    def __init__(
        self, *args: object, zone: ZoneInfo, days: tuple[date, date] | None, **kwargs: object
    ) -> None:
        """Create the form. `days` contains the earliest and latest days that the page offers."""
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        self.zone = zone
        field = self.fields["until"]
        field.help_text = f"The vacation ends when this day begins in your time zone, {zone.key}."
        for name, day in zip(("min", "max"), days or (), strict=False):
            field.widget.attrs[name] = day.isoformat()

    def clean_until(self) -> datetime:
        try:
            return start_of_day(self.cleaned_data["until"], self.zone)
        except OverflowError:  # for the first and last dates that Python can represent
            raise ValidationError("Enter another date.", code="invalid") from None

"""Forms for choosing which emails and notifications to receive."""

from django import forms

from duels.post.public import EmailTiming


class GuestMailForm(forms.Form):
    address = forms.EmailField(
        label="Your email address",
        max_length=254,
        help_text="Other players never see it. We delete it when you stop emails or leave us.",
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class EmailPreferencesForm(forms.Form):
    """A wizard's preferences for emails about all duels."""

    when = forms.ChoiceField(
        label="Email me", choices=EmailTiming.choices, widget=forms.RadioSelect
    )
    hour = forms.TypedChoiceField(
        label="Hour of the daily email",
        coerce=int,
        choices=[(hour, f"{hour:02}:00") for hour in range(24)],
        help_text="In your time zone.",
    )
    though_here = forms.BooleanField(
        label="Also while I am on the site",
        required=False,
        help_text=(
            "If this is off and you are on the site, emails wait five minutes and are not sent "
            "if you have read the news by then."
        ),
    )
    words = forms.BooleanField(
        label="Also messages between turns",
        required=False,
        help_text=(
            "Messages within five minutes are sent in one email, unless you have read them by "
            "then. You do not get messages from wizards you mute or block."
        ),
    )
    followed = forms.BooleanField(
        label="Also news about wizards and duels that I follow",
        required=False,
        help_text="When one of their public duels begins or ends.",
    )
    messages = forms.BooleanField(
        label="Also private messages",
        required=False,
        help_text="Only from wizards whose first message you have accepted.",
    )


class DuelEmailPreferencesForm(forms.Form):
    """A preference for emails about one duel. `usual` is the text of the general one."""

    when = forms.ChoiceField(
        label="Email me about this duel", widget=forms.RadioSelect, required=False
    )

    def __init__(self, *args: object, usual: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # handed on as they come
        field = self.fields["when"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", f"as for all my duels: {usual}"), *EmailTiming.choices]


class PushPreferencesForm(forms.Form):
    """The events about which a wizard's devices get notifications."""

    turns = forms.BooleanField(label="When it is my turn", required=False)
    reminders = forms.BooleanField(label="When my time is running out", required=False)
    messages = forms.BooleanField(label="When I get a private message", required=False)


class DeviceForm(forms.Form):
    """A browser's data to subscribe to push notifications, which the command validates."""

    endpoint = forms.CharField(max_length=4_000)
    p256dh = forms.CharField(max_length=200)
    auth = forms.CharField(max_length=200)
    replaces = forms.CharField(max_length=4_000, required=False)

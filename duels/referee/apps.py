"""Configuration of the referees' app."""

from django.apps import AppConfig


class RefereeConfig(AppConfig):
    name = "duels.referee"
    label = "referee"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from duels.commands.before_closing import before_closing
        from duels.commands.handing_over import when_handed_over
        from duels.referee.commands import end_cases_of, hand_over_reports

        before_closing(end_cases_of)
        when_handed_over(hand_over_reports)

"""Configuration of the referees' app."""

from django.apps import AppConfig


class RefereeConfig(AppConfig):
    name = "duels.referee"
    label = "referee"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from duels.commands.before_closing import register_closing_callback
        from duels.commands.handing_over import register_guest_claim_callback
        from duels.referee.commands.departing import end_cases_of
        from duels.referee.commands.reports import hand_over_reports

        register_closing_callback(end_cases_of)
        register_guest_claim_callback(hand_over_reports)

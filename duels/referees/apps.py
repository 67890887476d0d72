"""The configuration of the referees' app. It registers callbacks for accounts and guests."""

from django.apps import AppConfig


class RefereesConfig(AppConfig):
    name = "duels.referees"
    label = "referee"

    def ready(self) -> None:
        from duels.commands.before_closing import register_closing_callback
        from duels.commands.handing_over import register_guest_claim_callback
        from duels.referees.cases.disputes import end_cases_of
        from duels.referees.cases.reports import hand_over_reports

        register_closing_callback(end_cases_of)
        register_guest_claim_callback(hand_over_reports)

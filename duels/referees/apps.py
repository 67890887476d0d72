"""The configuration of the referees' app. It registers callbacks for accounts and guests."""

from django.apps import AppConfig


class RefereesConfig(AppConfig):
    name = "duels.referees"
    label = "referee"

    def ready(self) -> None:
        from duels.commands import callbacks
        from duels.referees.cases.disputes import end_cases_of
        from duels.referees.cases.reports import hand_over_reports

        callbacks.before_account_closing.add(end_cases_of)
        callbacks.guest_claim_callbacks.add(hand_over_reports)

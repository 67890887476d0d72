"""App configuration, which also registers system checks, signal handlers and tasks."""

from django.apps import AppConfig


class DuelsConfig(AppConfig):
    name = "duels"

    def ready(self) -> None:
        # Importing these modules registers their checks, tasks and signal handlers.
        from duels import checks, tasks  # noqa: F401
        from duels.accounts import second_factor  # noqa: F401
        from duels.proof import release
        from duels.sign_in import addresses, sign_outs  # noqa: F401

        release.check_files_unchanged()

"""The app's configuration. It registers a callback for closed accounts."""

from django.apps import AppConfig


class MessagesConfig(AppConfig):
    name = "duels.messages"
    label = "wizard_messages"  # "messages" is the label of django.contrib.messages
    verbose_name = "Messages"

    def ready(self) -> None:
        from duels.commands import callbacks
        from duels.messages.commands import delete_messages

        callbacks.account_data_deletions.add(delete_messages)

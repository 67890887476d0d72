"""The app's configuration. It registers a callback for closed accounts."""

from django.apps import AppConfig


class MessagesConfig(AppConfig):
    name = "duels.messages"
    label = "wizard_messages"  # "messages" is the label of django.contrib.messages
    verbose_name = "Messages"

    def ready(self) -> None:
        from duels.commands.before_closing import register_closing_callback
        from duels.messages.commands import delete_messages

        register_closing_callback(delete_messages)

"""Webhooks: messages about a wizard's duels in chats (Discord, Slack, Matrix) and on ntfy."""

"""Webhooks, which post messages about a wizard's duels to Discord, Slack, Matrix and ntfy."""

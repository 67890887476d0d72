"""Commands for webhooks and their messages."""

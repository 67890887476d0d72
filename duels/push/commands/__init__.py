"""Commands for devices and push notifications, which are sent after a commit."""

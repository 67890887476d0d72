"""Commands for devices and push notifications. Notifications are stored with a change and sent
after its commit."""

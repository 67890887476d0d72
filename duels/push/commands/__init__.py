"""Commands for devices and notifications, which are stored with a change and delivered after it."""

"""Support for messages that are stored first and sent later by workers."""

"""Settings for emails and notifications."""

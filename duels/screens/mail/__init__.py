"""Settings of emails and notifications."""

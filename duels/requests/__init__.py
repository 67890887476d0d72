"""What all views share: access, rate limits, and forms that are sent twice or too late."""

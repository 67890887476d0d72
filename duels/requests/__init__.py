"""Code for all views: access checks, rate limits, and forms that are sent twice or too late."""

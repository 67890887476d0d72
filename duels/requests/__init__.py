"""Code that views share: access checks, rate limits, and forms that are sent twice or too late."""

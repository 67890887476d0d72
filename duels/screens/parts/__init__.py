"""Parts of pages that several screens share."""

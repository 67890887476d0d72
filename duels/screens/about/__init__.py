"""About the site, its privacy policy and its terms."""

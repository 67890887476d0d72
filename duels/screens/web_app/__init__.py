"""What browsers need to install the site."""
